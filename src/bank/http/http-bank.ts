/** The core-banking port, answered by a core that implements the contract over HTTP. It knows or throws; it never guesses. */
import { instantText } from '../../lib/instant.js';
import { type Bank, type BankAccount, MANY_ACCOUNTS } from '../bank.js';
import { answerChecks, checkEcho, readEach, WrongAnswer } from '../guard/answers.js';
import { namesSome } from '../guard/held-accounts.js';
import { type AnswerOf, type CoreCalls, isBankId } from './calls.js';
import type { Account } from './contract/account-shapes.js';
import { decimalOf, largestMinor, minorIn, momentOf } from './conversions.js';
import { CoreFault } from './fault.js';
import { createHttpHistory } from './http-history.js';
import { askTerms, createHttpPayments } from './http-payments.js';
import type { Question } from './question.js';

const accountOf = (wire: Account): BankAccount => {
  const { balance = null, ...account } = wire;
  return {
    ...account,
    balanceMinor: balance === null ? null : minorIn({ balance, currency: wire.currency }, 'balance'),
  };
};

/** Of one list: the pages that are read to find an account, if the core makes pages and does not follow the filter. */
const MOST_PAGES = 10;
const LARGEST_PAGE = 1000;

/**
 * Page by page, until there are enough to choose from or the one that is wanted has been found. What is as the document says
 * without a parameter has none, and a core that refuses the others is asked for everything: its document may be older.
 */
const createAccounts =
  (calls: CoreCalls): Bank['accountsOf'] =>
  async (psuId, { balances = false, language, ...filter } = {}) => {
    if (!isBankId(psuId)) return [];
    const accounts: BankAccount[] = [];
    const isNamed = namesSome(filter);
    const isEnough = (): boolean =>
      isNamed ? accounts.some(({ id }) => id === filter.accountId) : accounts.length > MANY_ACCOUNTS;
    let pages = 0;
    const read = (before: string | null) => (answer: AnswerOf<'findAccounts'>) => {
      checkEcho(answer, { psuId });
      accounts.push(...readEach('accounts', answer.accounts, accountOf));
      answerChecks.accountsOf(accounts);
      pages += 1;
      const { next = null } = answer;
      if (next !== null && (next === before || answer.accounts.length === 0))
        throw new WrongAnswer('garbage', '/next', 'leads nowhere');
      // Whether the person holds the account is unknown, and a guess would deny an account to its holder.
      if (next !== null && isNamed && pages === MOST_PAGES && !isEnough())
        throw new WrongAnswer('garbage', '/next', 'too many pages: the filter is not followed');
      return next;
    };
    const about = { params: { psuId }, language };
    const wanted: Question['query'] = { ...filter, balances: balances ? null : 'false' };
    const first = await calls.askRefusable('findAccounts', { ...about, query: wanted }, read(null));
    const query = first === undefined ? {} : wanted;
    let after = first === undefined ? await calls.ask('findAccounts', about, read(null)) : first;
    const limit = isNamed ? LARGEST_PAGE : MANY_ACCOUNTS + 1;
    while (after !== null && !isEnough())
      after = await calls.ask('findAccounts', { ...about, query: { ...query, limit, after } }, read(after));
    return accounts;
  };

const createFunds =
  (calls: CoreCalls): Bank['hasFunds'] =>
  ({ accountId, currency, amountMinor, context, onBankData }) => {
    const largest = largestMinor(currency);
    const isBeyond = amountMinor > largest;
    const body = { currency, amount: decimalOf(isBeyond ? largest : amountMinor, currency) };
    return calls.ask('hasFunds', { params: { accountId }, body, onBankData, ...context }, (answer) => {
      checkEcho(answer, { accountId });
      if (answer.currency !== currency)
        throw new WrongAnswer('wrong-currency', '/currency', 'not the one that was asked for');
      // No funds for the largest representable amount means none for more; the opposite is unknown.
      if (isBeyond && answer.fundsAvailable)
        throw new WrongAnswer('garbage', '/fundsAvailable', 'more than an account can have');
      return answer.fundsAvailable;
    });
  };

const tellConsent =
  (calls: CoreCalls): NonNullable<Bank['consentChanged']> =>
  ({ consentId, revision, at, clientId, validUntil, ...state }) => {
    const body = {
      ...{ consentId, revision, ...state, applicationId: clientId, changedAt: instantText(at) },
      validUntil: validUntil === null ? null : instantText(validUntil),
    };
    return calls.ask('putConsent', { params: { consentId }, body }, (answer) => {
      checkEcho(answer, { consentId });
      if (answer.revision < revision)
        throw new WrongAnswer('garbage', '/revision', 'lower than the one that was sent');
      return { revision: answer.revision, status: answer.status };
    });
  };

export const createHttpBank = (calls: CoreCalls): Bank => ({
  ...createHttpHistory(calls),
  name: 'core over HTTP',
  hasFunds: createFunds(calls),
  accountsOf: createAccounts(calls),
  termsFor: (transfer) => askTerms(calls, transfer),
  payments: createHttpPayments(calls),
  wantsConsents: () => calls.ask('ping', {}, ({ status, consents }) => status === 'ok' && consents === true),
  consentChanged: tellConsent(calls),
  async ping() {
    await calls.ask('ping', {}, ({ status, until }) => {
      if (status === 'maintenance')
        throw new CoreFault('maintenance', until && `until ${instantText(momentOf(until))}`);
    });
  },
});
