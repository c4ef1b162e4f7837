/** Each mistake that a core might make is told by the cases that are about it, and each case has a mistake that it tells. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases } from '../../../packages/core-kit/src/core-check/cases.js';
import { CoreClient } from '../../../packages/core-kit/src/core-check/client.js';
import { isGood, type Result, runCases } from '../../../packages/core-kit/src/core-check/run.js';
import { demoSubject } from '../../../packages/core-kit/src/core-check/subject.js';
import { cancellationDefects } from '../../../packages/core-kit/src/simulator/defects/cancellations.js';
import { consentDefects } from '../../../packages/core-kit/src/simulator/defects/consents.js';
import { generalDefects } from '../../../packages/core-kit/src/simulator/defects/general.js';
import { methodDefects } from '../../../packages/core-kit/src/simulator/defects/methods.js';
import { paymentDefects } from '../../../packages/core-kit/src/simulator/defects/payments.js';
import { personDefects } from '../../../packages/core-kit/src/simulator/defects/persons.js';
import { termDefects } from '../../../packages/core-kit/src/simulator/defects/terms.js';
import { type DefectName, defects } from '../../../packages/core-kit/src/simulator/defects.js';
import { type Behaviour, behaves, json, RawCore, type Seen } from '../../bank/http/raw-core.js';
import { useSimulators } from '../simulator/use-simulator.js';

const use = useSimulators('sqlite');

const tryCore = async (url: string, isWanted: (id: string) => boolean, token?: string) => {
  const core = new CoreClient({ url, timeoutMs: 20_000, token });
  const options = { core, subject: demoSubject(), allowsPayments: true, now: () => use().clock.now() };
  try {
    return await runCases(
      cases.filter(({ id }) => isWanted(id)),
      options,
    );
  } finally {
    await core.close();
  }
};

const tryOn = async (names: readonly DefectName[], isWanted: (id: string) => boolean) => {
  // All of them share one store, and each run leaves a person paused.
  await use().db.run('delete from recent_times');
  const { url, simulator } = await use().start({ defects: names });
  const results = await tryCore(url, isWanted);
  await simulator.close();
  return results;
};

const failedIn = (results: readonly Result[]): string[] =>
  results.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);

/** Which cases tell of it: these and no others. */
const tellingCases: Readonly<Record<DefectName, readonly string[]>> = {
  'stranger-has-accounts': ['accounts-of-stranger'],
  'greek-lost': ['accounts-text'],
  'accounts-end-early': ['accounts-pages'],
  'accounts-by-iban-alone': ['accounts-pages'],
  'blocked-has-funds': ['funds-blocked'],
  'closed-has-funds': ['funds-closed'],
  'pending-ignored': ['funds-one-more'],
  'exact-amount-refused': ['funds-available'],
  'unknown-account-false': ['funds-unknown-account', 'funds-of-another-person'],
  'person-ignored': [
    'funds-of-another-person',
    'balances-of-another-person',
    'transactions-of-another-person',
    'transaction-of-another-person',
    'statements-of-another-person',
    'statement-of-another-person',
    'document-of-another-person',
  ],
  'funds-not-echoed': ['funds-echo'],
  'malformed-is-500': ['funds-malformed', 'funds-together-malformed'],
  'replies-mixed-up': ['funds-together-same', 'funds-together-malformed'],
  'reply-missing': ['funds-together-complete', 'funds-together-malformed'],
  'one-fails-all': ['funds-together-same'],
  'float-noise': ['balances-once'],
  'foreign-balance': ['balances-currency'],
  'limit-ignored': ['transactions-limit'],
  'oldest-first': ['transactions-order', 'transactions-pages', 'transactions-between-pages'],
  'pages-overlap': ['transactions-pages', 'transactions-between-pages'],
  'last-day-excluded': ['transactions-days'],
  'any-cursor-accepted': ['cursor-invented', 'cursor-of-another-list'],
  'pending-has-balance': ['transactions-pending'],
  'pending-has-booking-date': ['transactions-pending', 'transaction-same'],
  'balance-before-booking': ['balances-newest', 'transactions-order'],
  'foreign-transaction-shown': ['transaction-of-another-account', 'transaction-of-another-person'],
  'foreign-statement-shown': ['statement-of-another-account', 'statement-of-another-person'],
  'statements-do-not-chain': ['statements-chain', 'statement-same'],
  'statement-of-half-a-month': ['statements-within'],
  'statement-of-two-years': ['statements-periods'],
  'oldest-statement-first': ['statements-periods'],
  'ids-shared': ['transaction-ids-not-shared'],
  'ids-reused': ['transaction-ids-not-reused'],
  'ids-name-account': ['transaction-ids-tell-nothing'],
  'statement-ids-name-account': ['statement-ids-tell-nothing'],
  'ids-changing': ['transactions-days', 'transaction-ids-stable'],
  'repetition-executed': ['payment-once', 'payment-once-at-once', 'payment-other-content'],
  'race-executed-twice': ['payment-once-at-once'],
  'late-payment-executed': ['payment-too-late'],
  'other-content-accepted': ['payment-other-content'],
  'executed-payment-absent': ['payment-found'],
  'refusal-forgotten': ['payment-refusal-remembered'],
  'no-funds-is-an-error': ['payment-no-funds'],
  'unknown-payment-pending': ['payment-too-late', 'payment-unknown'],
  'final-state-goes-back': ['payment-final'],
  'payment-id-of-body-ignored': ['payment-malformed'],
  'cancelled-but-sent': ['cancellation'],
  'second-cancellation-refused': ['cancellation-twice'],
  'booked-payment-cancelled': ['cancellation-too-late'],
  'unknown-payment-cancelled': ['cancellation-unknown', 'cancellation-overtakes'],
  'early-cancellation-kept': ['cancellation-overtakes'],
  'older-consent-kept': ['consent-overtaken'],
  'consent-twice-refused': ['consent-again'],
  'consent-of-path-ignored': ['consent-malformed'],
  'charge-not-held': ['terms-held'],
  'payee-name-with-no-match': ['terms-person'],
  'payee-check-wavers': ['terms-person-held'],
  'unknown-user-told': ['login-refusals-alike'],
  'destination-whole': ['code-destination-masked'],
  'app-right-at-once': ['app-pending'],
  'method-listed-twice': ['methods-listed', 'methods-kept'],
  'method-shows-number': ['methods-listed'],
  'method-ignored': ['methods-kept'],
  'any-method-accepted': ['methods-unknown'],
  'code-not-needed': ['app-pending', 'code-needed'],
  'code-works-twice': ['code-once'],
  'code-for-anything': ['code-for-this-only'],
  'code-of-anybody': ['code-of-this-person'],
  'code-guessed-for-ever': ['code-locked-person', 'code-not-guessed'],
  'codes-counted-per-challenge': ['code-locked-person'],
  'health-in-other-words': ['ping-ok'],
  'nothing-checked': [
    'funds-malformed',
    'funds-together-malformed',
    'transactions-malformed',
    'terms-malformed',
    'consent-malformed',
    'login-malformed',
  ],
  'question-holds-funds': ['funds-changes-nothing'],
  'accounts-not-echoed': ['accounts-echo'],
  'account-not-listed': ['accounts-listed', 'accounts-pages'],
  'account-listed-twice': ['accounts-once'],
  'account-of-another-listed': ['accounts-of-others', 'accounts-pages'],
  'balance-too-fine': ['accounts-amounts'],
  'balances-not-echoed': ['balances-echo'],
  'balance-told-twice': ['balances-once'],
  'available-is-booked': ['funds-available', 'balances-pending'],
  'booked-is-available': ['balances-pending', 'balances-newest'],
  'balance-of-the-future': ['balances-time'],
  'unknown-account-zero': ['balances-unknown-account', 'balances-of-another-person'],
  'next-after-the-end': ['transactions-end', 'transactions-none'],
  'nothing-is-404': ['transactions-none'],
  'original-currency': ['transactions-currency'],
  'transactions-not-echoed': ['transactions-echo'],
  'unknown-account-of-anybody': ['transactions-unknown-account', 'transactions-of-another-person'],
  'cursor-names-account': ['cursor-tells-nothing'],
  'cursor-is-offset': ['transactions-between-pages'],
  'single-transaction-differs': ['transaction-same'],
  'odd-id-is-400': ['transaction-unknown'],
  'running-month-listed': ['statements-periods'],
  'document-in-json': ['document-pdf'],
  'document-is-a-page': ['document-pdf'],
  'document-made-anew': ['document-same'],
  'foreign-document-shown': ['document-of-another-account', 'document-of-another-person'],
  'debits-positive': ['statements-add-up'],
  'debits-miscounted': ['statements-transactions'],
  'statements-not-echoed': ['statements-echo'],
  'unknown-statement-newest': ['statement-of-another-account', 'statement-unknown'],
  'charge-not-debited': ['payment-executed', 'payment-once', 'payment-once-at-once', 'payment-other-content'],
  'payment-not-echoed': ['payment-executed'],
  'good-transfer-refused': ['terms-good', 'terms-person'],
  'rate-inverted': ['terms-quote'],
  'login-of-another': ['login-right'],
  'one-challenge-per-person': ['code-sent'],
  'slip-spends-code': ['code-wrong'],
  'unknown-challenge-is-500': ['code-unknown'],
};

/** The good core passes all cases; with a defect those are run that it could concern. */
const concernedBy = (defect: DefectName): RegExp => {
  if (Object.hasOwn(generalDefects, defect)) return /./;
  if (Object.hasOwn({ ...personDefects, ...methodDefects }, defect)) return /^(login|code|app|methods)/;
  if (Object.hasOwn(consentDefects, defect)) return /^consent/;
  if (Object.hasOwn(cancellationDefects, defect)) return /^(payment|cancellation)/;
  return Object.hasOwn({ ...paymentDefects, ...termDefects }, defect)
    ? /^(payment|terms|balances)/
    : /^(?!payment|cancellation|terms|login|code|app|methods)/;
};

describe('a core with a defect', () => {
  const passed = new Set<string>();
  beforeAll(async () => {
    for (const { id, verdict } of await tryOn([], () => true)) if (verdict === 'passed') passed.add(id);
  });

  it.each(Object.entries(tellingCases) as [DefectName, readonly string[]][])(
    '%s is told by %j, which a core without it passes',
    async (defect, telling) => {
      const results = await tryOn([defect], (id) => concernedBy(defect).test(id));
      expect(defects[defect].title).not.toBe('');
      expect(failedIn(results)).toEqual(telling);
      expect(isGood(results)).toBe(false);
      for (const { verdict, hint, expected, seen } of results)
        if (verdict === 'failed') expect([hint, expected, seen].every(Boolean)).toBe(true);
      expect(telling.filter((id) => !passed.has(id))).toEqual([]);
    },
  );
});

/** What is wrong outside of the answers themselves: how each looks to the case that tells it. */
const outside: Readonly<Record<string, Behaviour>> = {
  'ping-json': (seen, response) =>
    response.setHeader('Content-Type', 'text/plain') && behavesOtherwise(seen, response),
  'no-such-operation': (_seen, response) => json(response, {}),
  'token-demanded': behaves,
  'consent-changes-nothing': (seen, response) =>
    balances(seen, response, seen.headers['consent-id'] ? '0.00' : '1.00'),
  'consent-reported': ({ path }, response) =>
    json(
      response,
      path.endsWith('/health') ? { status: 'ok', consents: true } : { consentId: 'x', revision: 3 },
    ),
  'consent-data-accepted': (seen, response) =>
    seen.headers['bank-consent-data'] ? response.writeHead(400).end() : balances(seen, response, '1.00'),
};

const behavesOtherwise = (_seen: Seen, response: ServerResponse): void => {
  response.end('{"status":"ok"}');
};

const balances = ({ path }: Seen, response: ServerResponse, amount: string): void => {
  const [, , , accountId] = path.split('/');
  const rest = { currency: 'EUR', amount, includesCreditLine: false, at: '2026-01-01T00:00:00Z' };
  const answer = { accountId, balances: [{ type: 'interimAvailable', ...rest }] };
  json(response, answer, { 'Bank-Consent-Data': 'a-note' });
};

describe('every case', () => {
  const core = new RawCore();
  beforeAll(() => core.up());
  afterAll(() => core.down());

  it('is failed by a defect, or by something outside of the answers', () => {
    const told = new Set([...Object.values(tellingCases).flat(), ...Object.keys(outside)]);
    expect(cases.map(({ id }) => id).filter((id) => !told.has(id))).toEqual([]);
    expect(Object.keys(defects).length).toBeGreaterThanOrEqual(50);
  });

  it.each(Object.keys(outside))('%s fails where it should', async (id) => {
    core.behave = outside[id] ?? behaves;
    const results = await tryCore(core.url, (each) => each === id, 'a-token');
    expect(failedIn(results)).toEqual([id]);
  });
});
