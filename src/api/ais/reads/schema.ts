/** What reads of account data answer: Berlin Group names, amounts as numbers, nothing beyond what is listed. */
import { type TProperties, Type } from 'typebox';
import { balanceTypes } from '../../../bank/history.js';
import { LinkSchema, someOf } from '../../schema.js';

const closed = <T extends TProperties>(
  members: T,
  more: { title?: string; description?: string; shown?: string } = {},
) => Type.Object(members, { additionalProperties: false, ...more });

const text = (description: string) => Type.String({ description });
/** A day in the time zone of the bank, as the reference says of all days. */
const day = (description: string) => Type.String({ format: 'date', description });
const moment = (description: string) => Type.String({ format: 'date-time', description });
const iban = Type.Optional(text('IBAN of the account.'));

const Link = { ...LinkSchema, shown: 'link' };

const Money = closed(
  {
    currency: text('ISO 4217 currency code.'),
    amount: Type.Number({ description: 'What is received is positive, what is paid is negative.' }),
  },
  {
    title: 'Money',
    description: '`currency` and `amount`: what is received is positive, what is paid is negative.',
    shown: 'amount',
  },
);

const Balance = closed(
  {
    balanceType: someOf(balanceTypes, 'Which balance it is.'),
    balanceAmount: Money,
    creditLimitIncluded: Type.Boolean({
      description: 'Whether the agreed credit line is part of the amount.',
    }),
    lastChangeDateTime: moment('When the balance last changed.'),
    referenceDate: day('The day of that change.'),
  },
  { title: 'Balance' },
);

export const BalancesResponse = closed({ balances: Type.Array(Balance), _links: closed({ account: Link }) });

/** ISO 20022 would say the same of a closed account. */
export const accountStatuses = ['enabled', 'blocked', 'deleted'] as const;

const Account = closed(
  {
    resourceId: text(
      'How the account is named in addresses: the same for your application and this person in every consent, another one for others.',
    ),
    iban,
    bban: Type.Optional(text('BBAN, for accounts without IBAN.')),
    currency: text('ISO 4217 currency code.'),
    name: text('Name given by the bank or the account holder.'),
    product: text('What the bank calls this kind of account.'),
    cashAccountType: text('ISO 20022 cash account type: CACC current, SVGS savings.'),
    status: someOf(accountStatuses, 'deleted: the account is closed.'),
    ownerName: Type.Optional(text('All holders; with AccountsDetail only.')),
    balances: Type.Optional(
      Type.Array(
        { ...Balance, shown: 'balance' },
        { description: 'As in Get the balances of an account; with withBalance=true only.' },
      ),
    ),
    _links: closed({
      account: Link,
      balances: Type.Optional(Link),
      transactions: Type.Optional(Link),
      statements: Type.Optional(Link),
    }),
  },
  { title: 'Account' },
);

export const AccountsResponse = closed({ accounts: Type.Array(Account) });
export const AccountResponse = closed({
  account: { ...Account, shown: 'account', description: 'As in List accounts.' },
});

const AccountOfParty = closed(
  {
    iban: Type.Optional(text('The IBAN.')),
    bban: Type.Optional(text('The number of an account without IBAN, as the payer gave it.')),
    currency: Type.Optional(text('ISO 4217 currency code of that account, if the bank knows it.')),
  },
  { title: 'PartyAccount', description: '`iban` or `bban`; with TransactionsDetail only.', shown: 'account' },
);

const Agent = closed(
  {
    bic: Type.Optional(text('ISO 9362.')),
    name: Type.Optional(text('Name of the bank.')),
    country: Type.Optional(text('ISO 3166 alpha-2.')),
  },
  {
    title: 'PartyAgent',
    description: 'The bank of that account; with TransactionsDetail only.',
    shown: 'bank',
  },
);

const Exchange = closed(
  {
    sourceCurrency: text('The currency that was paid or received.'),
    targetCurrency: text('The currency of the account.'),
    unitCurrency: text('The currency of which one unit is rated.'),
    exchangeRate: Type.Number({ description: 'One unit of it in the currency of the account.' }),
    instructedAmount: Money,
  },
  { title: 'Exchange' },
);

const Transaction = closed(
  {
    transactionId: text(
      'One for each entry over the whole bank: the two sides of a transfer have two. It stays the same in every read and from pending to booked.',
    ),
    paymentId: Type.Optional(
      text('The payment of this interface that was booked, or whose charges were; to the payer alone.'),
    ),
    bookingDate: Type.Optional(day('Absent while pending.')),
    bookingDateTime: Type.Optional(moment('When it was booked, if the bank keeps the moment.')),
    valueDate: day('From when it counts for interest.'),
    transactionAmount: Money,
    bankTransactionCode: Type.Optional(
      text('ISO 20022: domain, family and subfamily, such as PMNT-CCRD-POSD; absent if the bank has none.'),
    ),
    proprietaryBankTransactionCode: Type.Optional(text('The code of the bank itself, if it has one.')),
    balanceAfterTransaction: Type.Optional(
      closed(
        { balanceType: someOf(['interimBooked'], 'Which balance it is.'), balanceAmount: Money },
        { description: 'Of a booking, if the bank keeps it; with the permission Balances only.' },
      ),
    ),
    creditorName: Type.Optional(text('Who was paid; with TransactionsDetail only.')),
    creditorAccount: Type.Optional(AccountOfParty),
    creditorAgent: Type.Optional(Agent),
    debtorName: Type.Optional(text('Who has paid; with TransactionsDetail only.')),
    debtorAccount: Type.Optional(AccountOfParty),
    debtorAgent: Type.Optional(Agent),
    ultimateDebtor: Type.Optional(text('For whom the debtor pays; with TransactionsDetail only.')),
    ultimateCreditor: Type.Optional(text('For whom the creditor is paid; with TransactionsDetail only.')),
    remittanceInformationUnstructured: Type.Optional(text('The message; with TransactionsDetail only.')),
    creditorReference: Type.Optional(
      text('The payee’s own reference, such as RF18539007547034 (ISO 11649); with TransactionsDetail only.'),
    ),
    purposeCode: Type.Optional(
      text('ISO 20022 external purpose, such as SALA; with TransactionsDetail only.'),
    ),
    endToEndId: Type.Optional(text('Reference of the payer; with TransactionsDetail only.')),
    mandateId: Type.Optional(text('Mandate of a direct debit; with TransactionsDetail only.')),
    creditorId: Type.Optional(text('Creditor identifier of a direct debit; with TransactionsDetail only.')),
    merchantCategoryCode: Type.Optional(
      text('ISO 18245 code of a payment by card; with TransactionsDetail only.'),
    ),
    currencyExchange: Type.Optional(Type.Array(Exchange, { description: 'With TransactionsDetail only.' })),
  },
  { title: 'Transaction' },
);

/** One transaction is described by its own read. */
const Listed = { ...Transaction, shown: 'transaction' };

export const TransactionsResponse = closed({
  transactions: closed({
    booked: Type.Optional(Type.Array(Listed, { description: 'As in Get a transaction; newest first.' })),
    pending: Type.Optional(Type.Array(Listed, { description: 'On the first pages, up to 500 on each.' })),
  }),
  _links: closed({ account: Link, next: Type.Optional(Link) }),
});

export const TransactionResponse = closed({ transactionsDetails: Transaction });

const Total = closed(
  { count: Type.Integer(), amount: Money },
  {
    title: 'Total',
    description: '`count` and `amount`, without sign.',
    shown: 'total',
  },
);

const statement = {
  statementId: text('Id of the statement.'),
  statementNumber: Type.Optional(text('The number that the bank gave it, such as 3/2026.')),
  dateFrom: day('First day.'),
  dateTo: day('Last day.'),
  currency: text('ISO 4217 currency code.'),
  openingBalance: Money,
  closingBalance: Money,
  totalCredits: Total,
  totalDebits: Total,
  createdDateTime: moment('When the statement was made.'),
  _links: closed({ self: Link, account: Link }),
};

export const StatementsResponse = closed({
  statements: Type.Array(closed(statement, { title: 'Statement' }), { description: 'Newest first.' }),
});
export const StatementResponse = closed({
  statement: closed(
    {
      ...statement,
      transactions: Type.Array(Listed, { description: 'As in Get a transaction; newest first.' }),
    },
    { title: 'StatementWithTransactions' },
  ),
});
