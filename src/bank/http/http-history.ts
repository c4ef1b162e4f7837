/** Balances, transactions and statements of a core over HTTP. What was not asked for is not let through. */
import { decimalsOf } from '../../model/currency.js';
import { type AccountHistory, BadCursor, type BankTransaction, type Statement } from '../history.js';
import { type AnswerOf, type CoreCalls, isBankId } from './calls.js';
import type { Statement as WireStatement, Transaction as WireTransaction } from './contract/shapes.js';
import { minorOf, momentOf } from './conversions.js';
import { CoreFault, garbage } from './fault.js';

/** An answer to another question than ours. */
export const checkEcho = (isOurs: boolean): void => {
  if (!isOurs) throw new CoreFault('wrong-echo');
};

/** Everything on one account is in its currency. */
const checkCurrency = (items: readonly { readonly currency: string }[]): void => {
  const [first] = items;
  if (first && decimalsOf(first.currency) === undefined) throw new CoreFault('wrong-currency');
  if (items.some(({ currency }) => currency !== first?.currency)) throw new CoreFault('wrong-currency');
};

export const checkUnique = (values: readonly string[]): void => {
  if (new Set(values).size !== values.length) throw garbage('the same twice');
};

const transactionOf = (wire: WireTransaction): BankTransaction => {
  const { currency, exchange } = wire;
  const isBooked = wire.status === 'booked';
  if (isBooked === (wire.bookingDate === null) || isBooked === (wire.balance === null))
    throw garbage('booking date and balance belong to what is booked');
  return {
    id: wire.id,
    status: wire.status,
    bookingDate: wire.bookingDate,
    valueDate: wire.valueDate,
    at: momentOf(wire.at),
    currency,
    amountMinor: minorOf(wire.amount, currency),
    code: wire.code,
    balanceMinor: wire.balance === null ? null : minorOf(wire.balance, currency),
    details: {
      counterpartyName: wire.counterpartyName,
      counterpartyIban: wire.counterpartyIban,
      remittanceInformation: wire.remittanceInformation,
      endToEndId: wire.endToEndId,
      exchange: exchange && {
        currency: exchange.currency,
        amountMinor: minorOf(exchange.amount, exchange.currency),
        rate: exchange.rate,
      },
    },
  };
};

const statementOf = (wire: WireStatement): Statement => {
  const { id, currency, from, to, creditCount, debitCount } = wire;
  if (from > to) throw garbage('a month that ends before it begins');
  return {
    ...{ id, currency, from, to, creditCount, debitCount },
    openingMinor: minorOf(wire.opening, currency),
    closingMinor: minorOf(wire.closing, currency),
    creditsMinor: minorOf(wire.credits, currency),
    // On the wire what leaves the account is negative; the port tells the sum that left it.
    debitsMinor: 0 - minorOf(wire.debits, currency),
    createdAt: momentOf(wire.createdAt),
  };
};

type Query = Parameters<AccountHistory['transactions']>[0];

/** Days and status are what the consent opens: a core that answers more would open more. */
const pageOf = (query: Query, answer: AnswerOf<'listTransactions'>) => {
  const { accountId, from, to, status, limit, after } = query;
  checkEcho(answer.accountId === accountId);
  checkCurrency(answer.transactions);
  const items = answer.transactions.map(transactionOf);
  const isAsked = (item: BankTransaction): boolean => {
    const day = item.bookingDate ?? item.valueDate;
    return item.status === status && day >= from && day <= to;
  };
  checkEcho(items.length <= limit && items.every(isAsked));
  checkUnique(items.map(({ id }) => id));
  const { next } = answer;
  // Whoever follows such a cursor never arrives.
  if (next !== null && (next === after || items.length === 0)) throw garbage('a page that leads nowhere');
  return { items, next };
};

export const createHttpHistory = (calls: CoreCalls): AccountHistory => ({
  balances: (accountId, asker) =>
    calls.ask('readBalances', { params: { accountId }, ...asker }, ({ accountId: echoed, balances }) => {
      checkEcho(echoed === accountId);
      checkCurrency(balances);
      checkUnique(balances.map(({ type }) => type));
      return balances.map(({ type, currency, amount, includesCreditLine, at }) => ({
        ...{ type, currency, includesCreditLine },
        amountMinor: minorOf(amount, currency),
        at: momentOf(at),
      }));
    }),
  async transactions(query) {
    const { accountId, from, to, status, limit, after, asker } = query;
    const question = { params: { accountId }, query: { from, to, status, limit, after }, ...asker };
    const check = (answer: AnswerOf<'listTransactions'>) => pageOf(query, answer);
    if (after === null) return calls.ask('listTransactions', question, check);
    const page = await calls.askRefusable('listTransactions', question, check);
    if (!page) throw new BadCursor();
    return page;
  },
  async transaction(accountId, transactionId, asker) {
    if (!isBankId(transactionId)) return undefined;
    const params = { accountId, transactionId };
    return calls.find('readTransaction', { params, ...asker }, (answer) => {
      checkEcho(answer.accountId === accountId && answer.transaction.id === transactionId);
      return transactionOf(answer.transaction);
    });
  },
  statements: (accountId, from, to, asker) =>
    calls.ask('listStatements', { params: { accountId }, query: { from, to }, ...asker }, (answer) => {
      checkEcho(answer.accountId === accountId);
      checkCurrency(answer.statements);
      checkUnique(answer.statements.map(({ id }) => id));
      checkEcho(answer.statements.every((each) => each.from >= from && each.to <= to));
      return answer.statements.map(statementOf);
    }),
  async statement(accountId, statementId, asker) {
    if (!isBankId(statementId)) return undefined;
    const params = { accountId, statementId };
    return calls.find('readStatement', { params, ...asker }, (answer) => {
      checkEcho(answer.accountId === accountId && answer.statement.id === statementId);
      return statementOf(answer.statement);
    });
  },
});
