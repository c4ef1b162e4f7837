/**
 * What travels between Trapeza and a bank's core, as closed JSON Schemas that are also the types. Amounts are decimal text, so
 * that no JSON library rounds them; days are those of the bank's zone; moments are RFC 3339.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { balanceTypes } from '../../history.js';

const strict = { additionalProperties: false } as const;
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
/** Named values: generated classes get an enumeration of text. */
export const oneOf = <const Value extends string>(values: readonly Value[], options: object = {}) =>
  Type.Unsafe<Value>({ type: 'string', enum: values, ...options });
const text = (maxLength: number, description: string) => Type.String({ maxLength, description });

/** The bank's own ids: any visible ASCII, so that they can stand in a path. */
export const BankId = Type.String({ minLength: 1, maxLength: 128, pattern: '^[!-~]+$' });
export const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' });
/** As many decimals as the currency has, at most; negative where money leaves the account. */
export const Decimal = Type.String({
  pattern: '^-?(0|[1-9][0-9]{0,14})(\\.[0-9]{1,4})?$',
  description: 'Decimal text such as "12.50", with no more decimals than the currency has.',
});
export const Day = Type.String({
  format: 'date',
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: "A day of the bank's zone.",
});
export const Moment = Type.String({ format: 'date-time', description: 'RFC 3339 with offset.' });

export const Money = Type.Object({ currency: Currency, amount: Decimal }, strict);

export const Reference = Type.Object(
  {
    iban: Type.Optional(nullable(text(34, 'IBAN without blanks.'))),
    bban: Type.Optional(nullable(text(30, 'Number within the country.'))),
    msisdn: Type.Optional(nullable(text(16, 'Registered phone number.'))),
    currency: Type.Optional(nullable(Currency)),
  },
  { ...strict, description: 'How a request names an account.' },
);

export const Account = Type.Object(
  {
    id: BankId,
    iban: nullable(text(34, 'IBAN without blanks.')),
    bban: nullable(text(30, 'Number within the country.')),
    msisdn: nullable(text(16, 'Registered phone number, such as +306900000101.')),
    currency: Currency,
    name: text(140, 'What the account holder calls it.'),
    product: text(70, 'What the bank calls it.'),
    type: Type.String({ pattern: '^[A-Z]{4}$', description: 'ISO 20022 cash account type, such as CACC.' }),
    ownerName: text(140, 'All holders, as a statement prints them.'),
    status: oneOf(['enabled', 'blocked', 'closed']),
    balance: { ...Decimal, description: 'Booked balance less pending debits.' } as typeof Decimal,
  },
  { ...strict, description: 'An account, or one currency of an account that has several.' },
);
export type Account = Static<typeof Account>;

export const Balance = Type.Object(
  {
    type: oneOf(balanceTypes),
    currency: Currency,
    amount: Decimal,
    includesCreditLine: Type.Boolean(),
    at: { ...Moment, description: 'When it last changed; RFC 3339 with offset.' } as typeof Moment,
  },
  strict,
);

export const Transaction = Type.Object(
  {
    id: {
      ...BankId,
      description:
        'One for each entry over the whole bank: the two sides of a transfer have two. The same in every read and from pending to booked, never given to another entry.',
    } as typeof BankId,
    status: oneOf(['booked', 'pending']),
    bookingDate: nullable(Day),
    valueDate: Day,
    at: Moment,
    currency: Currency,
    amount: Decimal,
    code: Type.String({
      pattern: '^[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$',
      description: 'ISO 20022 bank transaction code: domain-family-subfamily.',
    }),
    balance: nullable(Decimal),
    counterpartyName: nullable(text(140, 'Who paid or was paid.')),
    counterpartyIban: nullable(text(34, 'Their IBAN.')),
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
    merchantCategoryCode: Type.Optional(
      nullable(Type.String({ pattern: '^[0-9]{4}$', description: 'ISO 18245, of a payment by card.' })),
    ),
    exchange: nullable(
      Type.Object(
        { currency: Currency, amount: Decimal, rate: Type.Number({ exclusiveMinimum: 0 }) },
        {
          ...strict,
          description:
            'What was paid or received in another currency, with the sign of the amount; the rate is one unit of it in the currency of the account.',
        },
      ),
    ),
  },
  {
    ...strict,
    description: 'A booking, or one to come. Only booked ones have a booking date and a balance after it.',
  },
);
export type Transaction = Static<typeof Transaction>;

const count = Type.Integer({ minimum: 0 });

export const Statement = Type.Object(
  {
    id: BankId,
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
    description: 'One calendar month that is over. credits and debits are sums; debits is negative or 0.',
  },
);
export type Statement = Static<typeof Statement>;

const product = oneOf(['domestic', 'international']);
const bearer = oneOf(['sha', 'our', 'ben'], {
  description: 'Who bears the charges: shared, payer, payee.',
});

const CreditorAgent = Type.Object(
  {
    bic: Type.Optional(text(11, 'BIC without blanks.')),
    name: Type.Optional(text(140, 'Name of the bank.')),
    country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166 alpha-2.' }),
  },
  {
    ...strict,
    description:
      'The bank of the payee, by its BIC, its name or both. There for every international transfer whose creditAccount has no iban.',
  },
);

export const TransferWish = Type.Object(
  {
    product,
    bearer,
    creditAccount: Reference,
    creditorAgent: Type.Optional(CreditorAgent),
    amount: Money,
  },
  strict,
);

export const Quote = Type.Object(
  {
    pay: { ...Money, description: 'What an account in this currency pays for the amount.' } as typeof Money,
    rate: Type.String({
      pattern: '^(0|[1-9][0-9]{0,8})(\\.[0-9]{1,6})?$',
      description: 'Units of the currency of `pay` for one unit of the currency of the amount.',
    }),
    charge: {
      ...Money,
      description: 'The charge as an account in the currency of the amount pays it.',
    } as typeof Money,
  },
  { ...strict, description: 'A price that is held for 24 hours.' },
);

export const Terms = Type.Object(
  {
    faults: Type.Array(
      Type.Object(
        {
          member: oneOf([
            'creditAccount',
            'creditAccount.iban',
            'creditAccount.bban',
            'creditAccount.msisdn',
            'creditorAgent',
            'creditorAgent.bic',
            'creditorAgent.country',
            'instructedAmount.currency',
            'instructedAmount.amount',
            'chargeBearer',
          ]),
          message: Type.String({ minLength: 1, maxLength: 200 }),
        },
        strict,
      ),
      { maxItems: 10, description: 'Why the bank would not carry it out; empty where it would.' },
    ),
    charge: { ...Money, description: 'What it costs the payer; 0 where nothing.' } as typeof Money,
    quote: nullable(Quote),
  },
  strict,
);

export const Payment = Type.Object(
  {
    paymentId: Type.String({ format: 'uuid', description: 'The same as in the path.' }),
    payerAccountId: BankId,
    product,
    bearer,
    amount: Money,
    creditAccount: Reference,
    creditorAgent: Type.Optional(CreditorAgent),
    creditorName: text(70, 'Name of the payee.'),
    charge: Money,
    quote: nullable(Quote),
    endToEndId: nullable(text(35, 'End-to-end identification.')),
    remittanceInformation: nullable(text(140, 'Information for the payee.')),
    approvedAt: { ...Moment, description: 'When it was submitted, in bank time.' } as typeof Moment,
  },
  { ...strict, description: 'A payment exactly as its account holder approved it.' },
);
export type Payment = Static<typeof Payment>;

export const PaymentState = Type.Object(
  {
    paymentId: Type.String({ format: 'uuid' }),
    status: oneOf(['PDNG', 'ACTC', 'ACSP', 'ACSC', 'RJCT', 'CANC'], {
      description: 'ISO 20022. ACSC, RJCT and CANC are final.',
    }),
    reason: nullable(
      Type.Object(
        {
          code: Type.String({
            pattern: '^[A-Z0-9]{4}$',
            description: 'ISO 20022 status reason, such as AM04.',
          }),
          text: Type.String({ minLength: 1, maxLength: 200 }),
        },
        { ...strict, description: 'With RJCT, and only then.' },
      ),
    ),
    lookAgainAt: nullable({
      ...Moment,
      description: 'When it is worth asking again; only while the status is not final.',
    } as typeof Moment),
  },
  strict,
);
export type PaymentState = Static<typeof PaymentState>;

/** What a one-time code stands for: the bank must refuse it for anything else. */
export const ScaContext = Type.Object(
  {
    shownHash: Type.String({ minLength: 1, maxLength: 128 }),
    payment: nullable(
      Type.Object(
        { amount: text(40, 'As shown.'), payee: text(140, 'As shown.'), account: text(64, 'As shown.') },
        { ...strict, description: 'To be shown beside the code (RTS Art. 5).' },
      ),
    ),
  },
  strict,
);
