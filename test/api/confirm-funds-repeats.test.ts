/** Operation 1: what an X-Request-ID that was used before means for a funds question. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ConfirmFundsParts, confirmFunds } from '../../src/api/piis/confirm-funds.js';
import type { Call } from '../../src/http/operation.js';
import { DAY, MINUTE } from '../../src/lib/clock.js';
import { StoreUnavailable } from '../../src/store/db.js';
import { bankWith } from '../bank/banks.js';
import { type Answer, slugOf, type Wanted } from '../support/client.js';
import { fundsRecords } from '../support/consents.js';
import { engines } from '../support/engines.js';
import {
  ATMS,
  account,
  BUDGET,
  FUNDS,
  freshToken,
  fundsBody,
  goodRequest,
  operationIds,
} from '../support/operations.js';
import { subscribe } from '../support/registry.js';
import type { Service } from '../support/service.js';
import { type Use, useService, withStore } from '../support/use-service.js';

interface Question {
  readonly body?: Wanted['body'];
  readonly headers?: Wanted['headers'];
  readonly as?: { psu?: string; application?: string };
  readonly path?: string;
}

const ask = (service: Service, requestId: string, question: Question = {}): Promise<Answer> =>
  service.call({
    method: 'POST',
    path: question.path ?? FUNDS,
    body: question.body ?? fundsBody(),
    ...(question.as ? { as: question.as } : {}),
    headers: { 'X-Request-ID': requestId, ...question.headers },
  });

const of = (amount: number): Question => ({
  body: fundsBody({ instructedAmount: { currency: 'EUR', amount } }),
});

const repeated = (service: Use): void => {
  it('with the same content is evaluated again, because the answer must be true now', async () => {
    const requestId = randomUUID();
    const setBooked = (minor: number): Promise<number> =>
      withStore(service(), (db) =>
        db.run('update demo_accounts set booked_minor = ? where id = ?', [minor, account('eleni', 101).id]),
      );
    expect((await ask(service(), requestId)).json).toEqual({ fundsAvailable: true });
    await setBooked(0);
    expect((await ask(service(), requestId)).json).toEqual({ fundsAvailable: false });
    await setBooked(account('eleni', 101).bookedMinor);
    expect((await ask(service(), requestId.toUpperCase())).json).toEqual({ fundsAvailable: true });
    const answers = (await fundsRecords(service(), requestId)).map(({ available }) => available);
    expect(answers).toEqual([1, 0, 1]);
  });

  it('may differ in headers without effect, and in the key of the subscription', async () => {
    const requestId = randomUUID();
    const { secondary } = await subscribe(service());
    const variants: Wanted['headers'][] = [
      {},
      { Accept: 'application/json' },
      { 'User-Agent': 'another', 'Content-Type': 'application/json' },
      { 'Ocp-Apim-Subscription-Key': secondary },
      { Authorization: `Bearer ${await freshToken(service())}` },
    ];
    for (const headers of variants)
      expect((await ask(service(), requestId, { headers: headers ?? {} })).status).toBe(200);
  });

  it('twenty times at once with the same content is answered twenty times', async () => {
    const requestId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(service(), requestId)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await fundsRecords(service(), requestId)).toHaveLength(20);
  });
};

const otherContents: readonly [string, Question][] = [
  ['another amount', of(25.51)],
  ['another payee', { body: fundsBody({ payee: 'x' }) }],
  ['the same members in other bytes', { body: `${JSON.stringify(fundsBody())} ` }],
  ['a Consent-ID', { headers: { 'Consent-ID': randomUUID() } }],
  ['another account holder', { as: { psu: 'nikos' } }],
];

const conflicting = (service: Use): void => {
  it.each(otherContents)('with %s', async (_what, question) => {
    const requestId = randomUUID();
    expect((await ask(service(), requestId)).status).toBe(200);
    for (const id of [requestId, requestId.toUpperCase()]) {
      const answer = await ask(service(), id, question);
      expect([answer.status, slugOf(answer)]).toEqual([409, 'request-id-conflict']);
    }
    expect((await ask(service(), requestId)).status).toBe(200);
    expect(await fundsRecords(service(), requestId)).toHaveLength(2);
  });

  it('of twenty different contents at once exactly one wins, and only that one is recorded', async () => {
    for (const _round of [1, 2, 3]) {
      const requestId = randomUUID();
      const amounts = Array.from({ length: 20 }, (_, index) => index + 1);
      const answers = await Promise.all(amounts.map((amount) => ask(service(), requestId, of(amount))));
      const winner = answers.findIndex(({ status }) => status === 200);
      const lost = answers.filter((answer) => slugOf(answer) === 'request-id-conflict');
      expect(lost).toHaveLength(19);
      const recorded = (await fundsRecords(service(), requestId)).map(({ amount }) => amount);
      expect(recorded).toEqual([String(amounts[winner])]);
    }
  });
};

const independent = (service: Use): void => {
  it('an id of another application is another id', async () => {
    const requestId = randomUUID();
    expect((await ask(service(), requestId)).status).toBe(200);
    expect((await ask(service(), requestId, { ...of(1), as: { application: BUDGET } })).status).toBe(200);
    expect((await ask(service(), requestId, { ...of(2), as: { application: BUDGET } })).status).toBe(409);
  });

  it.each([
    ['an unreadable body', { body: '{' }, 400],
    ['an invalid body', { body: {} }, 400],
    ['a missing token', { headers: { Authorization: undefined } }, 401],
    ['a missing consent', { body: fundsBody({ account: { iban: 'DE89370400440532013000' } }) }, 403],
    ['another currency', { body: fundsBody({ instructedAmount: { currency: 'USD', amount: 1 } }) }, 400],
    ['an unacceptable format', { headers: { Accept: 'text/html' } }, 406],
    ['a core that is down', { headers: { 'Sandbox-Scenario': 'core-down' } }, 503],
    ['a bug', { headers: { 'Sandbox-Scenario': 'internal-error' } }, 500],
  ] as const)('a request refused for %s does not use up its id', async (_what, question, status) => {
    const requestId = randomUUID();
    expect((await ask(service(), requestId, question)).status).toBe(status);
    expect((await ask(service(), requestId, of(7))).status).toBe(200);
    expect((await ask(service(), requestId, of(8))).status).toBe(409);
  });

  it('reads take any id any number of times, also one of a funds question', async () => {
    const requestId = randomUUID();
    expect((await ask(service(), requestId)).status).toBe(200);
    for (const id of operationIds.slice(1)) {
      const { method, path } = goodRequest(service(), id);
      for (const _time of [1, 2])
        expect((await service().call({ method, path, headers: { 'X-Request-ID': requestId } })).status).toBe(
          200,
        );
    }
    const other = await service().call({
      path: `${ATMS}?if_None_Match=x`,
      headers: { 'X-Request-ID': requestId },
    });
    expect(other.status).toBe(200);
    expect((await ask(service(), requestId)).status).toBe(200);
  });
};

const forgotten = (service: Use): void => {
  it('an id is free again after 24 hours, and not a minute earlier', async () => {
    const requestId = randomUUID();
    const later = async (question: Question): Promise<number> => {
      const headers = { Authorization: `Bearer ${await freshToken(service())}` };
      return (await ask(service(), requestId, { ...question, headers })).status;
    };
    expect(await later(of(1))).toBe(200);
    service().clock.advance(DAY - MINUTE);
    expect(await later(of(2))).toBe(409);
    service().clock.advance(MINUTE);
    expect(await later(of(2))).toBe(200);
    expect(await later(of(1))).toBe(409);
  });
};

describe.each(engines)('a repeated X-Request-ID on %s', (engine) => {
  const service = useService({ engine });
  describe('200 OK: a repetition', () => repeated(service));
  describe('409 Conflict: another content', () => conflicting(service));
  describe('what is independent', () => independent(service));
  describe('after a day', () => forgotten(useService({ engine })));
});

describe('a bank that answers after the deadline', () => {
  let answerFirst: ((isAvailable: boolean) => void) | undefined;
  const first = new Promise<boolean>((resolve) => {
    answerFirst = resolve;
  });
  let asked = 0;
  let accounts: Promise<void> | undefined;
  let answerAccounts: (() => void) | undefined;
  const bank = bankWith({
    hasFunds: () => {
      asked += 1;
      return asked === 1 ? first : Promise.resolve(true);
    },
    accountsOf: async (psuId) => {
      await accounts;
      return bankWith({}).accountsOf(psuId);
    },
  });
  const service = useService({ bank, env: { TRAPEZA_DEADLINE_MS: '700' } });

  it('an answer that came too late leaves no record', async () => {
    const requestId = randomUUID();
    expect((await ask(service(), requestId)).status).toBe(408);
    answerFirst?.(true);
    // Whatever the first one writes is written before this one is answered.
    await expect.poll(async () => (await ask(service(), randomUUID())).status).toBe(200);
    expect(await fundsRecords(service(), requestId)).toEqual([]);
  });

  it('a read that came too late is not counted', async () => {
    const { id } = service().consent('AccountAccess');
    const read = () =>
      service().call({
        path: '/ais/psd2/v1/accounts',
        headers: { 'Consent-ID': id, 'X-Request-ID': randomUUID() },
      });
    accounts = new Promise((resolve) => {
      answerAccounts = resolve;
    });
    expect((await read()).status).toBe(408);
    accounts = undefined;
    answerAccounts?.();
    await expect.poll(async () => (await read()).status).toBe(200);
    const counted = await withStore(service(), (db) =>
      db.all('select id from data_accesses where consent_id = ?', [id]),
    );
    expect(counted).toHaveLength(1);
  });
});

it('a store that failed with the record is told as it failed, and not asked about the id', async () => {
  const lost = new StoreUnavailable(new Error('connection lost'), true);
  const [iban, currency] = ['GR0599900010000000000000101', 'EUR'];
  const candidate = { status: 'Valid', createdAt: 0, expiresAt: null, accountId: 'a', iban, currency };
  const parts = {
    bankTime: () => 1,
    db: { batchedReads: { all: async () => [candidate] } },
    bank: { holds: async () => true, hasFunds: async () => true },
    records: { add: () => Promise.reject(lost), checkId: () => Promise.reject(new StoreUnavailable(lost)) },
  };
  const call = {
    caller: { clientId: 'c', psuId: 'p' },
    headers: {},
    body: { account: { iban }, instructedAmount: { currency, amount: 1 } },
    isLate: () => false,
  };
  const { handle } = confirmFunds(parts as unknown as ConfirmFundsParts);
  await expect(handle(call as unknown as Call<never>)).rejects.toBe(lost);
});
