/** Balances, transactions and statements of a core over HTTP. What was not asked for is not let through. */
import { answerChecks, checkEcho, readEach, within } from '../guard/answers.js';
import { type AccountHistory, BadCursor, type BankTransaction, type Statement } from '../history.js';
import { type AnswerOf, type CoreCalls, isBankId } from './calls.js';
import type {
  Statement as WireStatement,
  Transaction as WireTransaction,
} from './contract/account-shapes.js';
import { minorIn, momentOf } from './conversions.js';

const transactionOf = (wire: WireTransaction): BankTransaction => {
  const { currency, exchange } = wire;
  return {
    id: wire.id,
    status: wire.status,
    bookingDate: wire.bookingDate,
    valueDate: wire.valueDate,
    at: momentOf(wire.at),
    bookedAt: wire.bookedAt == null ? null : within('/bookedAt', () => momentOf(wire.bookedAt ?? '')),
    currency,
    amountMinor: minorIn(wire, 'amount'),
    code: wire.code ?? null,
    proprietaryCode: wire.proprietaryCode ?? null,
    balanceMinor: wire.balance == null ? null : minorIn({ ...wire, balance: wire.balance }, 'balance'),
    details: {
      counterpartyName: wire.counterpartyName,
      counterpartyIban: wire.counterpartyIban,
      counterpartyBban: wire.counterpartyBban ?? null,
      counterpartyCurrency: wire.counterpartyCurrency ?? null,
      counterpartyAgent: wire.counterpartyAgent ?? null,
      remittanceInformation: wire.remittanceInformation,
      endToEndId: wire.endToEndId,
      paymentId: wire.paymentId ?? null,
      mandateId: wire.mandateId ?? null,
      creditorId: wire.creditorId ?? null,
      purposeCode: wire.purposeCode ?? null,
      creditorReference: wire.creditorReference ?? null,
      ultimateDebtor: wire.ultimateDebtor ?? null,
      ultimateCreditor: wire.ultimateCreditor ?? null,
      merchantCategoryCode: wire.merchantCategoryCode ?? null,
      exchange: exchange && {
        currency: exchange.currency,
        amountMinor: within('/exchange', () => minorIn(exchange, 'amount')),
        rate: exchange.rate,
      },
    },
  };
};

const statementOf = (wire: WireStatement): Statement => {
  const { id, number = null, currency, from, to, creditCount, debitCount } = wire;
  return {
    ...{ id, number, currency, from, to, creditCount, debitCount },
    openingMinor: minorIn(wire, 'opening'),
    closingMinor: minorIn(wire, 'closing'),
    creditsMinor: minorIn(wire, 'credits'),
    // On the wire what leaves the account is negative; the port tells the sum that left it.
    debitsMinor: 0 - minorIn(wire, 'debits'),
    createdAt: momentOf(wire.createdAt),
  };
};

/** The whole answer is looked at before any of it is used. */
const checked = <T>(value: T, check: (value: T) => void): T => {
  check(value);
  return value;
};

export const createHttpHistory = (calls: CoreCalls): AccountHistory => ({
  balances: (accountId, context) =>
    calls.ask('readBalances', { params: { accountId }, ...context }, (answer) => {
      checkEcho(answer, { accountId });
      const read = readEach('balances', answer.balances, ({ amount, at, ...balance }) => ({
        ...balance,
        amountMinor: minorIn({ ...balance, amount }, 'amount'),
        at: momentOf(at),
      }));
      return checked(read, (each) => answerChecks.balances(each, accountId, context));
    }),
  async transactions(query) {
    const { accountId, from, to, status, limit, after, context } = query;
    const question = { params: { accountId }, query: { from, to, status, limit, after }, ...context };
    const check = (answer: AnswerOf<'listTransactions'>) => {
      checkEcho(answer, { accountId });
      const page = { items: readEach('transactions', answer.transactions, transactionOf), next: answer.next };
      return checked(page, (each) => answerChecks.transactions(each, query));
    };
    if (after === null) return calls.ask('listTransactions', question, check);
    const page = await calls.askRefusable('listTransactions', question, check);
    if (!page) throw new BadCursor();
    return page;
  },
  async transaction(accountId, transactionId, context) {
    if (!isBankId(transactionId)) return undefined;
    const params = { accountId, transactionId };
    return calls.find('readTransaction', { params, ...context }, (answer) => {
      checkEcho(answer, { accountId });
      const found = within('/transaction', () => transactionOf(answer.transaction));
      return checked(found, (each) => answerChecks.transaction(each, accountId, transactionId, context));
    });
  },
  statements: (accountId, from, to, context) =>
    calls.ask('listStatements', { params: { accountId }, query: { from, to }, ...context }, (answer) => {
      checkEcho(answer, { accountId });
      const read = readEach('statements', answer.statements, statementOf);
      return checked(read, (each) => answerChecks.statements(each, accountId, from, to, context));
    }),
  async statement(accountId, statementId, context) {
    if (!isBankId(statementId)) return undefined;
    const params = { accountId, statementId };
    return calls.find('readStatement', { params, ...context }, (answer) => {
      checkEcho(answer, { accountId });
      const found = within('/statement', () => statementOf(answer.statement));
      return checked(found, (each) => answerChecks.statement(each, accountId, statementId, context));
    });
  },
  async statementDocument(accountId, statementId, context) {
    if (!isBankId(statementId)) return undefined;
    return calls.find('readStatementDocument', { params: { accountId, statementId }, ...context }, (bytes) =>
      checked(bytes, (each) => answerChecks.statementDocument(each)),
    );
  },
});
