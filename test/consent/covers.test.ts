/** Which consent answers for an account: any valid one, of this very account, and of this very sub-account. */
import { describe, expect, it } from 'vitest';
import {
  coveredAccounts,
  type FundsCandidate,
  type FundsReferences,
  referencesOf,
} from '../../src/consent/funds/matching-consent.js';
import { DAY } from '../../src/lib/clock.js';
import { Problem } from '../../src/problem/problem.js';

const NOW = Date.UTC(2026, 0, 15, 12);
const A = 'GR1601101250000000012300695';
const B = 'DE89370400440532013000';

const candidate = (changes: Partial<FundsCandidate> = {}): FundsCandidate => ({
  consentId: 'c1',
  status: 'Valid',
  createdAt: NOW - DAY,
  expiresAt: NOW + 90 * DAY,
  cardHash: null,
  bankData: null,
  accountId: 'account-a',
  iban: A,
  bban: null,
  msisdn: null,
  currency: 'EUR',
  ...changes,
});

const by = (changes: Partial<FundsReferences>): FundsReferences => ({
  iban: null,
  bban: null,
  msisdn: null,
  cardHashes: [],
  ...changes,
});

const covered = (
  candidates: readonly FundsCandidate[],
  references: FundsReferences = by({ iban: A }),
  currency: string | null = null,
): string[] => coveredAccounts(candidates, references, currency, NOW).map(({ consentId }) => consentId);

const refusal = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const consent = error.details.extensions?.consent as { status?: string } | undefined;
    return consent ? `${error.slug} ${consent.status}` : error.slug;
  }
};

describe('a valid consent', () => {
  it('covers the account it names, by each reference', () => {
    const one = candidate({ bban: '0110125', msisdn: '+306912345678', cardHash: 'h1' });
    for (const references of [
      by({ iban: A }),
      by({ bban: '0110125' }),
      by({ msisdn: '+306912345678' }),
      by({ cardHashes: ['h1', 'h0'] }),
      by({ cardHashes: ['h2', 'h1'] }),
      by({ iban: A, bban: '0110125', msisdn: '+306912345678', cardHashes: ['h1', 'h0'] }),
    ])
      expect(covered([one], references)).toEqual(['c1']);
  });

  it('wins over all others of the account, whatever their status and age', () => {
    const others = (['Received', 'Rejected', 'RevokedByPsu', 'Expired', 'TerminatedByTpp'] as const).map(
      (status, index) => candidate({ consentId: status, status, createdAt: NOW - index }),
    );
    expect(covered([...others, candidate({ createdAt: NOW - 300 * DAY })])).toEqual(['c1']);
  });

  it('opens every sub-account it has, or the one that is named', () => {
    const subs = ['EUR', 'USD'].map((currency) => candidate({ consentId: currency, currency }));
    expect(covered(subs)).toEqual(['EUR', 'USD']);
    expect(covered(subs, by({ iban: A }), 'USD')).toEqual(['USD']);
  });

  it('without currency covers every sub-account', () => {
    expect(covered([candidate({ currency: null })], by({ iban: A }), 'CHF')).toEqual(['c1']);
  });

  it('counts as what time has made of it', () => {
    expect(refusal(() => covered([candidate({ expiresAt: NOW })]))).toBe('consent-not-valid Expired');
    expect(covered([candidate({ expiresAt: NOW + 1 })])).toEqual(['c1']);
  });
});

describe('no consent', () => {
  it('is told alike, whether the account, the sub-account or the card is unknown', () => {
    const one = candidate({ cardHash: 'h1' });
    for (const work of [
      () => covered([]),
      () => covered([one], by({ iban: B })),
      () => covered([one], by({ iban: A }), 'USD'),
      () => covered([one], by({ cardHashes: ['other', 'other'] })),
      () => covered([one], by({})),
      () => covered([candidate({ status: 'Expired' })], by({ iban: A }), 'USD'),
    ])
      expect(refusal(work)).toBe('consent-required');
  });

  it('is told where only some of the references are known', () => {
    const one = candidate({ cardHash: 'h1' });
    expect(refusal(() => covered([one], by({ iban: A, bban: 'unknown' })))).toBe('consent-required');
    expect(refusal(() => covered([one], by({ iban: B, cardHashes: ['h1', 'h1'] })))).toBe('consent-required');
  });

  it('of a card matches a consent without card', () => {
    expect(refusal(() => covered([candidate()], by({ cardHashes: ['h1', 'h0'] })))).toBe('consent-required');
  });
});

describe('a consent that is not valid', () => {
  it.each(['Received', 'Rejected', 'RevokedByPsu', 'Expired', 'TerminatedByTpp'] as const)(
    '%s is told by its status',
    (status) => {
      const createdAt = NOW - DAY / 2;
      expect(refusal(() => covered([candidate({ status, createdAt })]))).toBe(`consent-not-valid ${status}`);
    },
  );

  it('is told by the newest one, in whatever order they come', () => {
    const old = candidate({ consentId: 'old', status: 'RevokedByPsu', createdAt: NOW - 3 * DAY });
    const recent = candidate({ consentId: 'recent', status: 'TerminatedByTpp', createdAt: NOW - 2 * DAY });
    expect(refusal(() => covered([old, recent]))).toBe('consent-not-valid TerminatedByTpp');
    expect(refusal(() => covered([recent, old]))).toBe('consent-not-valid TerminatedByTpp');
  });

  it('is told by the newest one of the named sub-account', () => {
    const euro = candidate({ status: 'RevokedByPsu', createdAt: NOW - 3 * DAY });
    const dollar = candidate({ status: 'TerminatedByTpp', currency: 'USD', createdAt: NOW - 2 * DAY });
    expect(refusal(() => covered([euro, dollar], by({ iban: A }), 'EUR'))).toBe(
      'consent-not-valid RevokedByPsu',
    );
  });
});

describe('several references', () => {
  const first = candidate({ consentId: 'a', cardHash: 'h-a', msisdn: '+306900000001' });
  const second = candidate({ consentId: 'b', iban: B, accountId: 'account-b', cardHash: 'h-b' });

  it('of different accounts of the caller are a conflict', () => {
    const both = by({ iban: A, cardHashes: ['h-b', 'h-b'] });
    expect(refusal(() => covered([first, second], both))).toBe('reference-conflict');
  });

  it('of one account may come from different consents', () => {
    const withCard = candidate({ consentId: 'card', cardHash: 'h-c' });
    const plain = candidate({ consentId: 'plain' });
    expect(covered([plain, withCard], by({ iban: A, cardHashes: ['h-c', 'h-c'] }))).toEqual([
      'plain',
      'card',
    ]);
  });
});

describe('the references of a request', () => {
  it('are brought to the form they are stored in; what is absent, null or empty is null', () => {
    expect(
      referencesOf({ iban: 'gr16 0110 1250 0000 0001 2300 695', msisdn: '0030 691 234 5678' }, []),
    ).toEqual({
      iban: A,
      bban: null,
      msisdn: '+306912345678',
      cardHashes: [],
    });
    expect(referencesOf({ iban: null, bban: 'ab-12 3', msisdn: '' }, ['x', 'y'])).toEqual({
      iban: null,
      bban: 'AB123',
      msisdn: null,
      cardHashes: ['x', 'y'],
    });
  });
});
