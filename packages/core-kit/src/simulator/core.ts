/** The answers to every operation of the contract, from a demo bank in the simulator's own store. */

import { createDemoBank, demoAccount, demoAccountHolders } from '@trapeza/sandbox/demo-bank';
import {
  BadCursor,
  type Bank,
  CONSENT_DATA,
  CONSENT_ID,
  coreOperations,
  isBankId,
  PSU_ID,
  type ScaContext,
} from 'trapeza/bank';
import { type AccountId, type Clock, type Db, instantText, isUuid, type PsuId } from 'trapeza/base';
import { consentDataFor } from './consent-data.js';
import { putConsent } from './consents.js';
import { type Answer, type Asked, type Core, Refusal } from './contract.js';
import { cancelPayment, executePayment, readPayment } from './payments.js';
import { pdfOf } from './pdf.js';
import { accountOf, balanceOf, minorIn, statementOf, termsToWire, transactionOf } from './wire.js';

const CURRENCY = `
  select a.currency from demo_accounts a join demo_holders h on h.account_id = a.id where a.id = ? and h.psu_id = ?`;
const PERSON = 'select id from demo_psus where id = ?';

/** Of this account it has documents of its own; those of the others Trapeza prints. */
const DOCUMENTED = demoAccount(101).id;

export interface CoreParts {
  readonly db: Db;
  /** Real time, for logins and codes; bank time comes with each request. */
  readonly clock: Clock;
  readonly timeZone: string;
}

type Reads = Pick<
  Core,
  'findAccounts' | 'hasFunds' | 'hasFundsOfMany' | 'readBalances' | 'listTransactions' | 'readTransaction'
> &
  StatementReads;

type StatementReads = Pick<Core, 'listStatements' | 'readStatement' | 'readStatementDocument'>;

const statementReadsOf = (
  bankAt: (at: number) => Bank,
  currencyOf: (accountId: AccountId, psuId: PsuId) => Promise<string>,
): StatementReads => {
  const statementFor = async ({ params: { accountId, statementId }, psuId, at }: Asked<'readStatement'>) => {
    await currencyOf(accountId, psuId);
    const found = await bankAt(at).statement(accountId, statementId, { psuId });
    if (!found) throw new Refusal(404, 'the account has no such statement');
    return found;
  };
  return {
    async listStatements({ params: { accountId }, psuId, query, at }) {
      await currencyOf(accountId, psuId);
      const statements = await bankAt(at).statements(accountId, query.from, query.to, { psuId });
      return { accountId, statements: statements.map(statementOf) };
    },
    readStatement: async (asked) => ({
      accountId: asked.params.accountId,
      statement: statementOf(await statementFor(asked)),
    }),
    async readStatementDocument(asked) {
      if (asked.params.accountId !== DOCUMENTED) throw new Refusal(404, 'the account has no documents');
      return pdfOf(await statementFor(asked));
    },
  };
};

type Batch = Asked<'hasFundsOfMany'>['body']['questions'];
type Reply = Answer<'hasFundsOfMany'>['replies'][number];

/** As a question alone: with what went wrong as a status of its own. */
const replyTo = async (
  core: Pick<Core, 'hasFunds'>,
  { id, accountId, headers, ...body }: Batch[number],
  at: number,
): Promise<Reply> => {
  const header = (name: string): string | undefined =>
    Object.entries(headers).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
  const psuId = header(PSU_ID) ?? '';
  try {
    if (!isBankId(psuId)) throw new Refusal(400, `the header ${PSU_ID} must be 1 to 128 visible characters`);
    const answer = await core.hasFunds({ params: { accountId }, query: {}, body, psuId, at });
    const consentData = consentDataFor(header(CONSENT_ID), header(CONSENT_DATA));
    return { id, status: 200, answer, ...(consentData === undefined ? {} : { consentData }) };
  } catch (error) {
    if (error instanceof Refusal) return { id, status: error.status };
    throw error;
  }
};

const readsOf = (db: Db, bankAt: (at: number) => Bank): Reads => {
  /** Of an account that the person does not hold nothing is known: not even that it has no funds. */
  const currencyOf = async (accountId: AccountId, psuId: PsuId): Promise<string> => {
    const row = await db.batchedReads.one<{ currency: string }>(CURRENCY, [accountId, psuId]);
    if (!row) throw new Refusal(404, 'the person holds no such account');
    return row.currency;
  };
  return {
    async findAccounts({ params: { psuId }, query: { accountId, balances, limit, after, ...numbers }, at }) {
      const held = await bankAt(at).accountsOf(psuId);
      const wanted = held.filter(
        (each) =>
          (accountId ?? each.id) === each.id &&
          (['iban', 'bban', 'msisdn'] as const).every((name) => (numbers[name] ?? each[name]) === each[name]),
      );
      const start = after === undefined ? 0 : wanted.findIndex(({ id }) => id === after) + 1;
      if (after !== undefined && start === 0) throw new Refusal(400, 'after is not a cursor of this list');
      const page = wanted.slice(start, limit === undefined ? undefined : start + limit);
      return {
        psuId,
        accounts: page.map((each) =>
          accountOf(balances === 'false' ? { ...each, balanceMinor: null } : each),
        ),
        next: start + page.length < wanted.length ? (page.at(-1)?.id ?? null) : null,
      };
    },
    async hasFunds({ params: { accountId }, psuId, body, at }) {
      const amountMinor = minorIn(body, 1n);
      const { currency } = body;
      if ((await currencyOf(accountId, psuId)) !== currency)
        throw new Refusal(400, 'the account does not have this currency');
      const fundsAvailable = await bankAt(at).hasFunds({
        accountId,
        currency,
        amountMinor,
        context: { psuId },
      });
      return { accountId, currency, fundsAvailable };
    },
    async hasFundsOfMany({ body, at }) {
      return { replies: await Promise.all(body.questions.map((each) => replyTo(this, each, at))) };
    },
    async readBalances({ params: { accountId }, psuId, at }) {
      await currencyOf(accountId, psuId);
      return { accountId, balances: (await bankAt(at).balances(accountId, { psuId })).map(balanceOf) };
    },
    async listTransactions({ params: { accountId }, psuId, query, at }) {
      await currencyOf(accountId, psuId);
      const page = await bankAt(at)
        .transactions({ accountId, ...query, after: query.after ?? null, context: { psuId } })
        .catch((error: unknown) => {
          throw error instanceof BadCursor ? new Refusal(400, 'after is not a cursor of this list') : error;
        });
      return { accountId, transactions: page.items.map(transactionOf), next: page.next };
    },
    async readTransaction({ params: { accountId, transactionId }, psuId, at }) {
      await currencyOf(accountId, psuId);
      const found = await bankAt(at).transaction(accountId, transactionId, { psuId });
      if (!found) throw new Refusal(404, 'the account has no such transaction');
      return { accountId, transaction: transactionOf(found) };
    },
    ...statementReadsOf(bankAt, currencyOf),
  };
};

type Person = Pick<Core, 'login' | 'listMethods' | 'sendCode' | 'tryCode'>;

const personOf = ({ db, clock }: CoreParts): Person => {
  const identity = demoAccountHolders(db, clock);
  const contextOf = (body: { shownHash: string; payment: ScaContext['payment'] | null }): ScaContext => ({
    shownHash: body.shownHash,
    ...(body.payment ? { payment: body.payment } : {}),
  });
  const known = async (psuId: PsuId): Promise<void> => {
    if (!(await db.one(PERSON, [psuId]))) throw new Refusal(404, 'there is no such account holder');
  };
  return {
    async login({ body }) {
      const outcome = await identity.login(body.username, body.password);
      if (outcome.kind === 'refused') return { recognised: false, psuId: null, name: null };
      return { recognised: true, psuId: outcome.psuId, name: outcome.name };
    },
    async listMethods({ params: { psuId }, body }) {
      await known(psuId);
      const methods = (await identity.methods?.(psuId, contextOf(body))) ?? [];
      return {
        psuId,
        methods: methods.map(({ id, kind, name, sentTo }) => ({
          methodId: id,
          method: kind,
          ...(name ? { name } : {}),
          ...(sentTo ? { sentTo } : {}),
        })),
      };
    },
    async sendCode({ params: { psuId }, body }) {
      await known(psuId);
      const { methodId } = body;
      const methods = (await identity.methods?.(psuId, contextOf(body))) ?? [];
      if (methodId !== undefined && !methods.some(({ id }) => id === methodId))
        throw new Refusal(400, 'the person has no such method');
      const challenge = await identity.challenge(psuId, contextOf(body), methodId);
      const { id, method, sentTo, demoCode, expiresAt, request, location } = challenge;
      return {
        psuId,
        challengeId: id,
        ...(method ? { method } : {}),
        ...(sentTo ? { sentTo } : {}),
        ...(request ? { request } : {}),
        ...(location ? { location } : {}),
        demoCode: demoCode ?? null,
        ...(expiresAt === undefined ? {} : { expiresAt: instantText(expiresAt) }),
      };
    },
    async tryCode({ params: { psuId, challengeId }, body }) {
      const { code, answer } = body;
      const outcome = await identity.verify(psuId, challengeId, contextOf(body), code ?? answer);
      return { psuId, challengeId, outcome };
    },
  };
};

export const createCore = (parts: CoreParts): Core => {
  const { db, timeZone } = parts;
  const bankAt = (at: number): Bank => createDemoBank(db, { bankTime: async () => at, timeZone });
  return {
    ...readsOf(db, bankAt),
    ...personOf(parts),
    async ping({ at }) {
      await bankAt(at).ping();
      return { status: 'ok', test: true, consents: true, operations: Object.keys(coreOperations) };
    },
    async quoteTransfer({ body: { amount, ...wish }, at }) {
      const amountMinor = Number(minorIn(amount, 1n));
      const transfer = { ...wish, currency: amount.currency, amountMinor };
      return termsToWire(await bankAt(at).termsFor(transfer), amount.currency);
    },
    async executePayment(asked) {
      if (!isUuid(asked.params.paymentId)) throw new Refusal(400, 'paymentId must be a UUID');
      if (asked.isLate) throw new Refusal(412, 'too late: nothing was carried out');
      return executePayment(db, bankAt(asked.at), asked);
    },
    readPayment: (asked) => readPayment(db, bankAt(asked.at), asked),
    cancelPayment: (asked) => cancelPayment(db, bankAt(asked.at), asked),
    putConsent: (asked) => putConsent(db, asked),
  };
};
