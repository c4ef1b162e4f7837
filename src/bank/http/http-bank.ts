/** The core-banking port, answered by a core that implements the contract over HTTP. It knows or throws; it never guesses. */
import type { BankTime } from '../../lib/clock.js';
import { instantText } from '../../lib/instant.js';
import { type Bank, type BankAccount, MANY_ACCOUNTS } from '../bank.js';
import { answerChecks, checkEcho, readEach, WrongAnswer } from '../guard/answers.js';
import { type CoreCalls, isBankId, type Question } from './calls.js';
import type { Account } from './contract/account-shapes.js';
import { decimalOf, largestMinor, minorIn, momentOf } from './conversions.js';
import { CoreFault } from './fault.js';
import { createHttpHistory } from './http-history.js';
import { askTerms, createHttpPayments } from './http-payments.js';

const accountOf = (wire: Account): BankAccount => {
  const { balance = null, ...account } = wire;
  return {
    ...account,
    balanceMinor: balance === null ? null : minorIn({ balance, currency: wire.currency }, 'balance'),
  };
};

/** Page by page, until there are enough to choose from. */
const createAccounts =
  (calls: CoreCalls): Bank['accountsOf'] =>
  async (psuId, { accountId, iban, balances = false } = {}) => {
    if (!isBankId(psuId)) return [];
    const accounts: BankAccount[] = [];
    const filter = { accountId: accountId ?? null, iban: iban ?? null, balances: String(balances) };
    let after: string | null = null;
    do {
      const query: Question['query'] = { ...filter, limit: MANY_ACCOUNTS + 1, after };
      after = await calls.ask('findAccounts', { params: { psuId }, query }, (answer) => {
        checkEcho(answer, { psuId });
        accounts.push(...readEach('accounts', answer.accounts, accountOf));
        answerChecks.accountsOf(accounts);
        const { next = null } = answer;
        if (next !== null && (next === query.after || answer.accounts.length === 0))
          throw new WrongAnswer('garbage', '/next', 'leads nowhere');
        return next;
      });
    } while (after !== null && accounts.length <= MANY_ACCOUNTS);
    return accounts;
  };

const createFunds =
  (calls: CoreCalls): Bank['hasFunds'] =>
  ({ accountId, currency, amountMinor, context }) => {
    const largest = largestMinor(currency);
    const isBeyond = amountMinor > largest;
    const body = { currency, amount: decimalOf(isBeyond ? largest : amountMinor, currency) };
    return calls.ask('hasFunds', { params: { accountId }, body, ...context }, (answer) => {
      checkEcho(answer, { accountId });
      if (answer.currency !== currency)
        throw new WrongAnswer('wrong-currency', '/currency', 'not the one that was asked for');
      // No funds for the largest representable amount means none for more; the opposite is unknown.
      if (isBeyond && answer.fundsAvailable)
        throw new WrongAnswer('garbage', '/fundsAvailable', 'more than an account can have');
      return answer.fundsAvailable;
    });
  };

export const createHttpBank = (calls: CoreCalls, bankTime: () => Promise<BankTime>): Bank => ({
  ...createHttpHistory(calls),
  name: 'core over HTTP',
  hasFunds: createFunds(calls),
  accountsOf: createAccounts(calls),
  termsFor: (transfer) => askTerms(calls, transfer),
  payments: createHttpPayments(calls, bankTime),
  async ping() {
    await calls.ask('ping', {}, ({ status, until }) => {
      if (status === 'maintenance')
        throw new CoreFault('maintenance', until && `until ${instantText(momentOf(until))}`);
    });
  },
});
