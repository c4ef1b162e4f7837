/** A bank's own module that breaks: nobody is told a guess, nobody is told that we are broken, and what is missing is said at once. */
import { describe, expect, it } from 'vitest';
import { startApp } from '../../../src/app/app.js';
import type { AccountHolders } from '../../../src/bank/account-holders.js';
import type { Bank } from '../../../src/bank/bank.js';
import { BankTimeout, BankUnavailable, readConfig } from '../../../src/index.js';
import { historyBank } from '../../api/ais/history-bank.js';
import { addAccess, pathOf, read } from '../../api/ais/support.js';
import { bankWith } from '../../bank/banks.js';
import { type Answer, slugOf } from '../../support/client.js';
import { FUNDS, fundsBody, ibanOf } from '../../support/operations.js';
import { type Service, testSecret } from '../../support/service.js';
import { useService } from '../../support/use-service.js';

const reading =
  (
    id:
      | 'getAccounts'
      | 'getBalances'
      | 'getTransactions'
      | 'getTransaction'
      | 'getStatements'
      | 'getStatement',
    headers: Readonly<Record<string, string>> = {},
  ) =>
  async (service: Service): Promise<Answer> => {
    const access = await addAccess(service);
    return read(service, access, pathOf(id, access.first), { headers });
  };

/** How a third party comes to each question. */
const questions: Readonly<
  Record<
    Exclude<keyof Bank, 'name' | 'payments' | 'ping' | 'wantsConsents' | 'consentChanged'>,
    (service: Service) => Promise<Answer>
  >
> = {
  hasFunds: (service) => service.call({ method: 'POST', path: FUNDS, body: fundsBody() }),
  accountsOf: reading('getAccounts'),
  balances: reading('getBalances'),
  transactions: reading('getTransactions'),
  transaction: reading('getTransaction'),
  statements: reading('getStatements'),
  statement: reading('getStatement'),
  statementDocument: reading('getStatement', { Accept: 'application/pdf' }),
  termsFor: (service) =>
    service.call({
      method: 'POST',
      path: '/pis/psd2/v1/transfers/domestic',
      body: {
        creditAccount: { iban: ibanOf('vasilis', 1101) },
        creditorName: 'Vasilis',
        instructedAmount: { currency: 'EUR', amount: 1 },
      },
    }),
};

const PERSON = 'Ελένη Παπαδοπούλου';
const refused = () =>
  Object.assign(new Error(`connect ECONNREFUSED for ${PERSON}`), { code: 'ECONNREFUSED' });
const late = () => Object.assign(new Error('the socket timed out'), { code: 'ETIMEDOUT' });

/** What a module does, and what the caller is told. */
const faults: readonly (readonly [string, () => unknown, number, string])[] = [
  ['rejects', () => Promise.reject(refused()), 503, 'dependency-unavailable'],
  [
    'throws at once',
    () => {
      throw refused();
    },
    503,
    'dependency-unavailable',
  ],
  ['throws a text', () => Promise.reject(PERSON), 503, 'dependency-unavailable'],
  ['says that it cannot', () => Promise.reject(new BankUnavailable()), 503, 'dependency-unavailable'],
  ['answers with something else', async () => 'yes', 503, 'dependency-unavailable'],
  ['meets a core that is late', () => Promise.reject(late()), 408, 'processing-timeout'],
  ['says that it is late', () => Promise.reject(new BankTimeout()), 408, 'processing-timeout'],
  ['never answers', () => new Promise(() => undefined), 408, 'processing-timeout'],
];

const names = Object.keys(questions) as (keyof typeof questions)[];

describe('code H2: a bank module that breaks is 503, one that is late 408', () => {
  let broken: readonly [keyof Bank, () => unknown] | undefined;
  const good = bankWith({ statement: historyBank().statement, statementDocument: async () => undefined });
  /** Good but for the one question that is broken now. */
  const bank = bankWith(
    Object.fromEntries(
      names.map((name) => [
        name,
        (...args: never[]) =>
          broken?.[0] === name ? broken[1]() : (good[name] as (...all: never[]) => unknown)(...args),
      ]),
    ),
  );
  const service = useService({ bank, env: { TRAPEZA_DEADLINE_MS: '500' } });

  it.each(faults)('code H2: one that %s, in every question', async (_what, fault, status, slug) => {
    for (const name of names) {
      broken = [name, fault];
      const answer = await questions[name](service());
      expect([name, answer.status, slugOf(answer)]).toEqual([name, status, slug]);
    }
    expect(service().logs.join('')).not.toContain(PERSON);
  });

  it.each([undefined, null, 'false', 0, {}])('code H2: %j is never told as a boolean', async (answer) => {
    broken = ['hasFunds', async () => answer];
    expect((await questions.hasFunds(service())).status).toBe(503);
  });

  it('code H2: the log has the place and the code of an error, and the words of one that was made for it', async () => {
    broken = ['hasFunds', () => Promise.reject(refused())];
    await questions.hasFunds(service());
    expect(service().logs.join('')).toMatch(/ECONNREFUSED.*bank-module\.test/);
    const said = new BankUnavailable('the mainframe is closed for the night');
    broken = ['hasFunds', () => Promise.reject(said)];
    await questions.hasFunds(service());
    expect(service().logs.join('')).toContain('the mainframe is closed for the night');
  });
});

const refusalOf = (ports: { bank: Bank; accountHolders?: AccountHolders }): Promise<string> =>
  startApp({
    config: readConfig({ DATABASE_URL: 'sqlite::memory:', TRAPEZA_SECRET: testSecret, PORT: '0' }),
    ...ports,
  }).then(
    async (app) => {
      await app.close();
      return 'it started';
    },
    (error: unknown) => String(error),
  );

describe('code H1: a port with holes', () => {
  it('code H1: every missing method is named at the start', async () => {
    const { termsFor, statement, ...rest } = bankWith({});
    const bank = { ...rest, payments: { kind: 'remote', execute: async () => undefined } };
    const accountHolders = { login: async () => ({ kind: 'refused' }) };
    const words = await refusalOf({ bank, accountHolders } as never);
    for (const name of ['bank.termsFor', 'bank.statement', 'bank.payments.find'])
      expect(words).toContain(`${name} is missing`);
    for (const name of ['challenge', 'verify']) expect(words).toContain(`accountHolders.${name} is missing`);
    expect(words).not.toContain('hasFunds');
    expect(words).not.toContain('accountHolders.login');
  });

  it('code H1: books of no known kind, and a bank that is nothing', async () => {
    const payments = { kind: 'somewhere' } as never;
    expect(await refusalOf({ bank: bankWith({ payments }) })).toContain(
      "must be 'in-transaction' or 'remote'",
    );
    expect(await refusalOf({ bank: null as never })).toContain('bank is missing');
  });
});
