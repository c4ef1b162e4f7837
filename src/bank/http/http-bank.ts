/** The core-banking port, answered by a core that implements the contract over HTTP. It knows or throws; it never guesses. */
import type { BankTime } from '../../lib/clock.js';
import type { Bank, BankAccount } from '../bank.js';
import { answerChecks } from '../guard/answers.js';
import { type CoreCalls, isBankId } from './calls.js';
import type { Account } from './contract/shapes.js';
import { decimalOf, largestMinor, minorOf } from './conversions.js';
import { CoreFault, garbage } from './fault.js';
import { checkEcho, createHttpHistory } from './http-history.js';
import { askTerms, createHttpPayments } from './http-payments.js';

const accountOf = ({ balance, ...account }: Account): BankAccount => ({
  ...account,
  balanceMinor: minorOf(balance, account.currency),
});

const createFunds =
  (calls: CoreCalls): Bank['hasFunds'] =>
  ({ accountId, currency, amountMinor, context }) => {
    const largest = largestMinor(currency);
    const isBeyond = amountMinor > largest;
    const body = { currency, amount: decimalOf(isBeyond ? largest : amountMinor, currency) };
    return calls.ask('hasFunds', { params: { accountId }, body, ...context }, (answer) => {
      checkEcho(answer.accountId === accountId);
      if (answer.currency !== currency) throw new CoreFault('wrong-currency');
      // No funds for the largest representable amount means none for more; the opposite is unknown.
      if (isBeyond && answer.fundsAvailable) throw garbage('more than an account can have');
      return answer.fundsAvailable;
    });
  };

export const createHttpBank = (calls: CoreCalls, bankTime: () => Promise<BankTime>): Bank => ({
  ...createHttpHistory(calls),
  name: 'core over HTTP',
  hasFunds: createFunds(calls),
  async accountsOf(psuId) {
    if (!isBankId(psuId)) return [];
    return calls.ask('findAccounts', { params: { psuId } }, (answer) => {
      checkEcho(answer.psuId === psuId);
      const accounts = answer.accounts.map(accountOf);
      answerChecks.accountsOf(accounts);
      return accounts;
    });
  },
  termsFor: (transfer) => askTerms(calls, transfer),
  payments: createHttpPayments(calls, bankTime),
  async ping() {
    await calls.ask('ping', {}, () => true);
  },
});
