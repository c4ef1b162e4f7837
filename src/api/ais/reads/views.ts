/** From the bank's words to the wire's, member by member: what a permission does not open is never copied. Pure. */
import type { BankAccount } from '../../../bank/bank.js';
import type { Balance, BankTransaction, Statement } from '../../../bank/history.js';
import { type AccountAccess, allows } from '../../../consent/access.js';
import { dateAt } from '../../../lib/day.js';
import { instantText } from '../../../lib/instant.js';
import { fromMinor } from '../../../model/amount.js';

type Access = Pick<AccountAccess, 'details'>;
interface Link {
  readonly href: string;
}

const money = (minor: number, currency: string) => ({ currency, amount: fromMinor(minor, currency) });

/** Members that are there, without those that are not. */
const present = <T extends Readonly<Record<string, unknown>>>(members: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  ) as Partial<T>;

export const balanceView = (balance: Balance, timeZone: string) => ({
  balanceType: balance.type,
  balanceAmount: money(balance.amountMinor, balance.currency),
  creditLimitIncluded: balance.includesCreditLine,
  lastChangeDateTime: instantText(balance.at),
  referenceDate: dateAt(balance.at, timeZone),
});

export interface AccountViewed {
  readonly access: Access;
  readonly resourceId: string;
  readonly held: BankAccount;
  readonly balances: readonly object[] | undefined;
  readonly link: (...segments: readonly string[]) => Link;
}

export const accountView = ({ access, resourceId, held, balances, link }: AccountViewed) => {
  const seesTransactions = allows(access, 'TransactionsBasic') || allows(access, 'TransactionsDetail');
  return {
    resourceId,
    ...present({ iban: held.iban, bban: held.bban }),
    currency: held.currency,
    name: held.name,
    product: held.product,
    cashAccountType: held.type,
    status: held.status === 'closed' ? 'deleted' : held.status,
    ...(allows(access, 'AccountsDetail') ? { ownerName: held.ownerName } : {}),
    ...(balances ? { balances } : {}),
    _links: {
      account: link(),
      ...(allows(access, 'Balances') ? { balances: link('balances') } : {}),
      ...(seesTransactions ? { transactions: link('transactions') } : {}),
      ...(allows(access, 'Statements') ? { statements: link('statements') } : {}),
    },
  };
};

/** Null if nothing of it is known. */
const known = <T extends Readonly<Record<string, unknown>>>(members: T): Partial<T> | null => {
  const all = present(members);
  return Object.keys(all).length > 0 ? all : null;
};

/** The other side of an entry: by IBAN, else by the number that the payer knows. */
const partyView = ({ details, amountMinor }: BankTransaction) => {
  const { counterpartyName: name, counterpartyIban: iban, counterpartyBban: bban } = details;
  const number = known(iban ? { iban } : { bban });
  const account = number && present({ ...number, currency: details.counterpartyCurrency });
  const agent =
    details.counterpartyAgent &&
    known({
      bic: details.counterpartyAgent.bic,
      name: details.counterpartyAgent.name,
      country: details.counterpartyAgent.country,
    });
  return amountMinor < 0
    ? { creditorName: name, creditorAccount: account, creditorAgent: agent }
    : { debtorName: name, debtorAccount: account, debtorAgent: agent };
};

const detailsView = (transaction: BankTransaction) => {
  const { details, amountMinor, currency } = transaction;
  const { exchange } = details;
  return present({
    ...partyView(transaction),
    ultimateDebtor: details.ultimateDebtor,
    ultimateCreditor: details.ultimateCreditor,
    remittanceInformationUnstructured: details.remittanceInformation,
    creditorReference: details.creditorReference,
    purposeCode: details.purposeCode,
    endToEndId: details.endToEndId,
    mandateId: details.mandateId,
    creditorId: details.creditorId,
    merchantCategoryCode: details.merchantCategoryCode,
    currencyExchange: exchange && [
      {
        sourceCurrency: exchange.currency,
        targetCurrency: currency,
        unitCurrency: exchange.currency,
        exchangeRate: exchange.rate,
        // Cores have sent it without a sign.
        instructedAmount: money(Math.sign(amountMinor) * Math.abs(exchange.amountMinor), exchange.currency),
      },
    ],
  });
};

export const transactionView = (access: Access, transaction: BankTransaction) => {
  const { currency, balanceMinor } = transaction;
  const seesBalance = balanceMinor != null && allows(access, 'Balances');
  return {
    transactionId: transaction.id,
    ...present({
      paymentId: transaction.details.paymentId,
      bookingDate: transaction.bookingDate,
      bookingDateTime: transaction.bookedAt == null ? null : instantText(transaction.bookedAt),
    }),
    valueDate: transaction.valueDate,
    transactionAmount: money(transaction.amountMinor, currency),
    ...present({
      bankTransactionCode: transaction.code,
      proprietaryBankTransactionCode: transaction.proprietaryCode,
    }),
    // Otherwise a list of transactions would tell the balance that the account holder has not opened.
    ...(seesBalance
      ? {
          balanceAfterTransaction: {
            balanceType: 'interimBooked',
            balanceAmount: money(balanceMinor, currency),
          },
        }
      : {}),
    ...(allows(access, 'TransactionsDetail') ? detailsView(transaction) : {}),
  };
};

export const statementView = (statement: Statement, links: Readonly<Record<'self' | 'account', Link>>) => {
  const { currency } = statement;
  return {
    statementId: statement.id,
    ...(statement.number ? { statementNumber: statement.number } : {}),
    dateFrom: statement.from,
    dateTo: statement.to,
    currency,
    openingBalance: money(statement.openingMinor, currency),
    closingBalance: money(statement.closingMinor, currency),
    totalCredits: { count: statement.creditCount, amount: money(statement.creditsMinor, currency) },
    totalDebits: { count: statement.debitCount, amount: money(statement.debitsMinor, currency) },
    createdDateTime: instantText(statement.createdAt),
    _links: links,
  };
};
