/** Accounts and their history as they travel between Trapeza and a bank's core. */
import { type Static, Type } from 'typebox';
import { balanceTypes, PROPRIETARY_CODE } from '../../history.js';
import { BankId, Currency, Day, Decimal, Moment, nullable, oneOf, strict, text } from './basic-shapes.js';

export const Account = Type.Object(
  {
    id: {
      ...BankId,
      description: 'The bank’s own, never changed. Third parties never see it.',
    } as typeof BankId,
    iban: nullable(text(34, 'IBAN without blanks.')),
    bban: nullable(text(30, 'Number within the country.')),
    msisdn: nullable(text(16, 'Registered phone number, such as +306900000101.')),
    currency: Currency,
    name: text(140, 'What the account holder calls it.'),
    product: text(70, 'What the bank calls it.'),
    type: Type.String({ pattern: '^[A-Z]{4}$', description: 'ISO 20022 cash account type, such as CACC.' }),
    ownerName: text(140, 'All holders, as a statement prints them.'),
    status: oneOf(['enabled', 'blocked', 'closed']),
    mayPay: Type.Optional(
      Type.Boolean({ description: 'Whether this person may pay from it. Left out: true.' }),
    ),
    signaturesNeeded: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 9,
        description:
          'How many must sign a payment from it, this person included. Left out: 1. The others sign in your own channels; answer PDNG until they have.',
      }),
    ),
    balance: Type.Optional(
      nullable({
        ...Decimal,
        description:
          'Booked balance less pending debits; null or left out if it is not to be shown (`balances`).',
      } as typeof Decimal),
    ),
  },
  { ...strict, title: 'Account', description: 'An account, or one currency of an account that has several.' },
);
export type Account = Static<typeof Account>;

export const Balance = Type.Object(
  {
    type: oneOf(balanceTypes),
    currency: Currency,
    amount: Decimal,
    includesCreditLine: Type.Boolean(),
    at: {
      ...Moment,
      description:
        'When this balance last changed, not when it was read: third parties see it as lastChangeDateTime.',
    } as typeof Moment,
  },
  { ...strict, title: 'Balance' },
);

const Agent = Type.Object(
  {
    bic: Type.Optional(nullable(text(11, 'ISO 9362.'))),
    name: Type.Optional(nullable(text(140, 'Its name.'))),
    country: Type.Optional(
      nullable(Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166 alpha-2.' })),
    ),
  },
  {
    ...strict,
    title: 'Agent',
    description: 'The bank of the other side, as far as you know it; of a payment as the payer gave it.',
  },
);

export const Transaction = Type.Object(
  {
    id: {
      ...BankId,
      description:
        'One for each entry over the whole bank: the two sides of a transfer have two. The same in every read and from pending to booked, never given to another entry. Third parties see it: put no account number or customer number into it.',
    } as typeof BankId,
    status: oneOf(['booked', 'pending']),
    bookingDate: nullable({
      ...Day,
      description:
        'The day it was booked on; null while pending. `from`, `to` and the order of the list are about it.',
    } as typeof Day),
    valueDate: {
      ...Day,
      description:
        'From when it counts for interest; while pending the day that is expected, which `from` and `to` are then about.',
    } as typeof Day,
    at: { ...Moment, description: 'When it was entered into the books of the bank.' } as typeof Moment,
    bookedAt: Type.Optional(
      nullable({
        ...Moment,
        description: 'When it was booked; null while pending. Null or left out if you keep the day alone.',
      } as typeof Moment),
    ),
    currency: Currency,
    amount: Decimal,
    code: Type.Optional(
      nullable(
        Type.String({
          pattern: '^[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$',
          description:
            'ISO 20022 bank transaction code: domain-family-subfamily. Null or left out if you have none.',
        }),
      ),
    ),
    proprietaryCode: Type.Optional(
      nullable(
        Type.String({
          pattern: PROPRIETARY_CODE,
          description:
            'Your own code for this kind of entry, beside `code` or instead of it. Third parties see it, and a statement prints it if there is no `code`: put no name and no number of anybody into it.',
        }),
      ),
    ),
    balance: Type.Optional(
      nullable({
        ...Decimal,
        description:
          'Booked balance after this entry; null while pending. Null or left out if you keep no running balance.',
      } as typeof Decimal),
    ),
    counterpartyName: nullable(text(140, 'Who paid or was paid.')),
    counterpartyIban: nullable(text(34, 'Their IBAN.')),
    counterpartyBban: Type.Optional(
      nullable(text(30, 'Their number, if it is no IBAN: as the payer gave it, of a payment.')),
    ),
    counterpartyCurrency: Type.Optional(nullable({ ...Currency, description: 'Of their account.' })),
    counterpartyAgent: Type.Optional(nullable(Agent)),
    remittanceInformation: nullable(text(140, 'What it was for.')),
    endToEndId: nullable(text(35, 'End-to-end identification.')),
    paymentId: Type.Optional(
      nullable(
        text(
          36,
          "The paymentId of Trapeza, on the payer's side of a payment and of its charges; never on the payee's.",
        ),
      ),
    ),
    mandateId: Type.Optional(nullable(text(35, 'Mandate of a direct debit.'))),
    creditorId: Type.Optional(nullable(text(35, 'Creditor identifier of a direct debit.'))),
    purposeCode: Type.Optional(
      nullable(
        Type.String({ pattern: '^[A-Z0-9]{1,4}$', description: 'ISO 20022 external purpose, such as SALA.' }),
      ),
    ),
    creditorReference: Type.Optional(
      nullable(text(35, 'The payee’s reference of what is paid: ISO 11649 (RF…) or a national one.')),
    ),
    ultimateDebtor: Type.Optional(nullable(text(140, 'For whom the payer pays, if that is another person.'))),
    ultimateCreditor: Type.Optional(
      nullable(text(140, 'For whom the payee is paid, if that is another person.')),
    ),
    merchantCategoryCode: Type.Optional(
      nullable(Type.String({ pattern: '^[0-9]{4}$', description: 'ISO 18245, of a payment by card.' })),
    ),
    exchange: nullable(
      Type.Object(
        {
          currency: Currency,
          amount: Decimal,
          rate: Type.Number({
            exclusiveMinimum: 0,
            description: 'A JSON number, because it is shown and nothing is computed with it.',
          }),
        },
        {
          ...strict,
          title: 'Exchange',
          description:
            'What was paid or received in another currency, with the sign of the amount; the rate is one unit of it in the currency of the account.',
        },
      ),
    ),
  },
  {
    ...strict,
    title: 'Transaction',
    description:
      'A booking, or one to come. Only booked ones have a booking date, and may have the balance after it.',
  },
);
export type Transaction = Static<typeof Transaction>;

const count = Type.Integer({ minimum: 0 });

export const Statement = Type.Object(
  {
    id: {
      ...BankId,
      description:
        'One for each statement of an account. Third parties see it: put no account number or customer number into it.',
    } as typeof BankId,
    number: Type.Optional(
      nullable(text(35, 'Your own number of it, such as 3/2026. Third parties see it and it is printed.')),
    ),
    currency: Currency,
    from: Day,
    to: Day,
    opening: Decimal,
    closing: Decimal,
    credits: Decimal,
    debits: Decimal,
    creditCount: count,
    debitCount: count,
    createdAt: Moment,
  },
  {
    ...strict,
    title: 'Statement',
    description:
      'A period that is over: a month, a quarter, any days up to 366; two may overlap. credits and debits are sums; debits is negative or 0.',
  },
);
export type Statement = Static<typeof Statement>;
