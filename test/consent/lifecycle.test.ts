/** The life of a consent: every move by everybody against the published table, and what time alone does. */
import { describe, expect, it } from 'vitest';
import { type Actor, isFinal, mayMove, statusAt, UNDECIDED_MS } from '../../src/consent/lifecycle.js';
import { type ConsentStatus, consentStatuses } from '../../src/consent/record.js';
import { DAY } from '../../src/lib/clock.js';

const actors: readonly Actor[] = ['tpp', 'psu', 'bank', 'time'];

/** The table of the design, row by row: from, to, by whom. */
const allowed = new Set([
  'Received → Valid by psu',
  'Received → Rejected by psu',
  'Received → Rejected by bank',
  'Received → Rejected by time',
  'Received → TerminatedByTpp by tpp',
  'Received → Expired by time',
  'Valid → TerminatedByTpp by tpp',
  'Valid → RevokedByPsu by psu',
  'Valid → Expired by time',
  'Valid → Expired by bank',
]);

describe('a move', () => {
  for (const from of consentStatuses) {
    for (const to of consentStatuses) {
      for (const by of actors) {
        const move = `${from} → ${to} by ${by}`;
        it(`${move} is ${allowed.has(move) ? 'allowed' : 'refused'}`, () => {
          expect(mayMove(from, to, by)).toBe(allowed.has(move));
        });
      }
    }
  }

  it('out of a final status does not exist, and exactly four are final', () => {
    expect(consentStatuses.filter(isFinal)).toEqual([
      'Rejected',
      'RevokedByPsu',
      'Expired',
      'TerminatedByTpp',
    ]);
  });
});

describe('time', () => {
  const createdAt = Date.UTC(2026, 0, 15, 12);
  const seen = (status: ConsentStatus, expiresAt: number | null, now: number): ConsentStatus =>
    statusAt({ status, createdAt, expiresAt }, now);

  it('expires a valid consent at its very millisecond, not before', () => {
    const end = createdAt + 90 * DAY;
    expect(seen('Valid', end, end - 1)).toBe('Valid');
    expect(seen('Valid', end, end)).toBe('Expired');
    expect(seen('Valid', end, end + 1)).toBe('Expired');
  });

  it('never expires a valid consent without an end', () => {
    expect(seen('Valid', null, createdAt + 100_000 * DAY)).toBe('Valid');
  });

  it('rejects a consent that nobody decided about, a day after it was made', () => {
    expect(UNDECIDED_MS).toBe(DAY);
    expect(seen('Received', null, createdAt + DAY - 1)).toBe('Received');
    expect(seen('Received', null, createdAt + DAY)).toBe('Rejected');
    expect(seen('Received', createdAt + 90 * DAY, createdAt + DAY)).toBe('Rejected');
  });

  it('expires an undecided consent whose own end comes first, and it stays expired', () => {
    const end = createdAt + DAY / 2;
    expect(seen('Received', end, end - 1)).toBe('Received');
    expect(seen('Received', end, end)).toBe('Expired');
    expect(seen('Received', end, createdAt + 10 * DAY)).toBe('Expired');
  });

  it('rejects an undecided consent whose own end comes in the same moment', () => {
    expect(seen('Received', createdAt + DAY, createdAt + DAY)).toBe('Rejected');
  });

  it('lets the decision period count for nothing once a consent is valid', () => {
    expect(seen('Valid', createdAt + 90 * DAY, createdAt + 2 * DAY)).toBe('Valid');
  });

  it.each(['Rejected', 'RevokedByPsu', 'Expired', 'TerminatedByTpp'] as const)(
    'never changes %s',
    (status) => {
      for (const now of [createdAt - DAY, createdAt, createdAt + DAY, createdAt + 1000 * DAY])
        expect(seen(status, createdAt + 90 * DAY, now)).toBe(status);
    },
  );

  it('makes only moves that the table allows it', () => {
    for (const status of consentStatuses) {
      for (const expiresAt of [null, createdAt + 1, createdAt + DAY, createdAt + 90 * DAY]) {
        for (const now of [createdAt, createdAt + DAY - 1, createdAt + DAY, createdAt + 91 * DAY]) {
          const after = seen(status, expiresAt, now);
          if (after !== status) expect(mayMove(status, after, 'time')).toBe(true);
        }
      }
    }
  });
});
