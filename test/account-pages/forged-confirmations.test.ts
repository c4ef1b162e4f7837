/**
 * Confirmations that are forged, replayed or meant for something else, each with the answer that refuses it: `wrong` counts as a
 * guess, `spent` says that this confirmation confirms nothing (any more).
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { demoAccountHolders } from '../../packages/sandbox/src/bank/demo-identity.js';
import { answerOnPhone } from '../../packages/sandbox/src/bank/demo-phone.js';
import type { AccountHolders, Challenge, CodeOutcome, ScaContext } from '../../src/bank/account-holders.js';
import { MINUTE } from '../../src/lib/clock.js';
import type { Db } from '../../src/store/db.js';
import { engines } from '../support/engines.js';
import { psuId } from '../support/operations.js';
import { useService, withStore } from '../support/use-service.js';
import { forgetCodes } from './approve-support.js';

const payment = { amount: '12.50 EUR', payee: 'Βασίλης Αλεξίου', account: 'DE89370400440532013000' };
const shown: ScaContext = { shownHash: 'a'.repeat(64), payment };
const withPayment = (more: Partial<typeof payment>): ScaContext => ({
  ...shown,
  payment: { ...payment, ...more },
});

const others: Readonly<Record<string, ScaContext>> = {
  'another amount': withPayment({ amount: '1250.00 EUR' }),
  'another currency': withPayment({ amount: '12.50 USD' }),
  'another payee': withPayment({ payee: 'Mallory' }),
  'another account of the payee': withPayment({ account: 'GR1601101250000000012300695' }),
  'another consent': { ...shown, shownHash: 'b'.repeat(64) },
  'no payment': { shownHash: shown.shownHash },
};

interface Trial {
  readonly holders: AccountHolders;
  readonly db: Db;
  readonly psu: string;
  readonly challenge: Challenge;
  readonly answer: string | undefined;
  readonly advance: (ms: number) => void;
  readonly now: () => number;
}

type Attempt = (trial: Trial) => Promise<CodeOutcome>;

const verify =
  (more: {
    context?: ScaContext;
    psu?: string;
    id?: string;
    answer?: (right: string) => string | undefined;
  }): Attempt =>
  ({ holders, psu, challenge, answer }) =>
    holders.verify(
      more.psu ?? psu,
      more.id ?? challenge.id,
      more.context ?? shown,
      more.answer ? more.answer(answer ?? '') : answer,
    );
const right = verify({});

const late: Attempt = (trial) => {
  trial.advance(5 * MINUTE);
  return right(trial);
};
const forOthers = (outcome: CodeOutcome): [string, Attempt, CodeOutcome][] =>
  Object.entries(others).map(([what, context]) => [what, verify({ context }), outcome]);

const ofCodes: readonly [string, Attempt, CodeOutcome][] = [
  ...forOthers('wrong'),
  ['a guess', verify({ answer: (code) => (code === '000000' ? '000001' : '000000') }), 'wrong'],
  ['nothing typed', verify({ answer: () => '' }), 'wrong'],
  ['an answer of a browser', verify({ answer: () => '{"type":"public-key"}' }), 'wrong'],
  ['a question without a code', verify({ answer: () => undefined }), 'spent'],
  ['another person', verify({ psu: psuId('nikos') }), 'spent'],
  ['a challenge that was never made', verify({ id: randomUUID() }), 'spent'],
  ['a code that is too old', late, 'spent'],
  [
    'a code that was used',
    async (trial) => ((await right(trial)) === 'right' ? right(trial) : 'pending'),
    'spent',
  ],
  [
    'the code of the challenge before',
    async (trial) => {
      const { id } = await trial.holders.challenge(trial.psu, shown);
      return verify({ id })(trial);
    },
    'wrong',
  ],
  [
    'the right code after five guesses',
    async (trial) => {
      for (let times = 0; times < 5; times += 1) await verify({ answer: () => 'guess' })(trial);
      return right(trial);
    },
    'spent',
  ],
];

const answered =
  (attempt: Attempt, decision: 'right' | 'refused' = 'right'): Attempt =>
  async (trial) => {
    await answerOnPhone(trial.db, trial.challenge.id, decision, trial.now());
    return attempt(trial);
  };

const ofTheApp: readonly [string, Attempt, CodeOutcome][] = [
  ...forOthers('spent').map(([what, attempt, outcome]): [string, Attempt, CodeOutcome] => [
    what,
    answered(attempt),
    outcome,
  ]),
  ['a confirmation that nobody gave', right, 'pending'],
  ['a refusal', answered(right, 'refused'), 'refused'],
  ['a refusal that is confirmed afterwards', answered(answered(right), 'refused'), 'refused'],
  ['another person', answered(verify({ psu: psuId('eleni') })), 'spent'],
  ['a typed code', answered(verify({ answer: () => '123456' })), 'spent'],
  ['a challenge that was never made', answered(verify({ id: randomUUID() })), 'spent'],
  ['a confirmation that is too old', answered(late), 'spent'],
  [
    'a confirmation that came too late',
    async (trial) => {
      trial.advance(5 * MINUTE);
      return answered(right)(trial);
    },
    'spent',
  ],
];

describe.each(engines)('a forged confirmation on %s', (engine) => {
  const service = useService({ engine });
  const tried = async (username: string, attempt: Attempt): Promise<CodeOutcome> => {
    await forgetCodes(service());
    return withStore(service(), async (db) => {
      const { clock } = service();
      const holders = demoAccountHolders(db, clock);
      const psu = psuId(username);
      const challenge = await holders.challenge(psu, shown);
      const advance = (ms: number): void => void clock.advance(ms);
      const now = () => clock.now();
      return attempt({ holders, db, psu, challenge, answer: challenge.demoCode, advance, now });
    });
  };
  it.each(ofCodes)('by code is refused: %s', async (_what, attempt, outcome) => {
    expect(await tried('eleni', attempt)).toBe(outcome);
  });
  it.each(ofTheApp)('in the app is refused: %s', async (_what, attempt, outcome) => {
    expect(await tried('katerina', attempt)).toBe(outcome);
  });
  it('differs from what the person has confirmed', async () => {
    expect([await tried('eleni', right), await tried('katerina', answered(right))]).toEqual([
      'right',
      'right',
    ]);
  });
});
