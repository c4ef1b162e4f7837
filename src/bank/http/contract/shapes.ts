/** Payments and one-time codes as they travel between Trapeza and a bank's core. */

import { type Static, Type } from 'typebox';
import { payeeCheckResults } from '../../../model/payment-terms.js';
import { METHOD_ID, methodKinds } from '../../account-holders.js';
import { BankId, Day, Moment, Money, nullable, oneOf, Reference, strict, text } from './basic-shapes.js';

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
    title: 'CreditorAgent',
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
    creditorName: Type.Optional(text(70, 'Name of the payee.')),
    psuId: Type.Optional({
      ...BankId,
      description:
        'Who is to approve it. Left out while a third party asks: then the answer must not depend on a person.',
    } as typeof BankId),
    payerAccountId: Type.Optional({
      ...BankId,
      description: 'The account that is to pay. Left out until it is known.',
    } as typeof BankId),
  },
  { ...strict, title: 'TransferWish' },
);

export const Quote = Type.Object(
  {
    pay: { ...Money, description: 'What an account in this currency pays for the amount.' } as typeof Money,
    rate: Type.String({
      pattern: '^(0|[1-9][0-9]{0,8})(\\.[0-9]{1,6})?$',
      description:
        'Units of the currency of `pay` for one unit of the currency of the amount; decimal text, because it is sent back with the payment unchanged.',
    }),
    charge: {
      ...Money,
      description: 'The charge as an account in the currency of the amount pays it.',
    } as typeof Money,
    payCharge: Type.Optional({
      ...Money,
      description:
        'The charge as an account in the currency of `pay` pays it. Needed in `quotes`; for `quote` it is the charge beside it.',
    } as typeof Money),
  },
  { ...strict, title: 'Quote', description: 'A price that a payment can have for 24 hours.' },
);

const PayeeCheck = Type.Object(
  {
    result: oneOf(payeeCheckResults),
    name: Type.Optional(text(140, 'The name of the account; with `close`, and only then.')),
  },
  {
    ...strict,
    title: 'PayeeCheck',
    description:
      'Whether the account of the payee has the name creditorName. Read only if the question has a psuId; keep the result for the minutes in which a person decides.',
  },
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
        { ...strict, title: 'TransferFault' },
      ),
      { maxItems: 10, description: 'Why the bank would not carry it out; empty where it would.' },
    ),
    charge: { ...Money, description: 'What it costs the payer; 0 where nothing.' } as typeof Money,
    quote: nullable(Quote),
    quotes: Type.Optional(
      Type.Array(Quote, {
        maxItems: 20,
        description: 'Further prices, each in another currency: an account in that currency can pay too.',
      }),
    ),
    limit: Type.Optional({
      ...Money,
      description:
        'The largest amount that this person can pay from this account now, in the currency of the amount.',
    } as typeof Money),
    payeeCheck: Type.Optional(PayeeCheck),
    executionDate: Type.Optional(Day),
    cutOff: Type.Optional({
      ...Moment,
      description: 'Sent until then, it is carried out on executionDate. RFC 3339 with offset.',
    } as typeof Moment),
    instant: Type.Optional(
      Type.Boolean({
        description:
          'The payee has the money within ten seconds of the submission, day and night. There is one charge: an instant transfer costs no more than another.',
      }),
    ),
  },
  { ...strict, title: 'Terms' },
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
    payeeCheck: Type.Optional(
      oneOf(payeeCheckResults, {
        description: 'What the payer was told about the name, if you have answered with a payeeCheck.',
      }),
    ),
    instant: Type.Optional(
      Type.Boolean({
        description:
          'Sent with `true` if the payer was told so, by the terms that you gave: the payee has the money within ten seconds, day and night, at the charge that was shown.',
      }),
    ),
    charge: Money,
    quote: nullable(Quote),
    endToEndId: nullable(text(35, 'End-to-end identification.')),
    remittanceInformation: nullable(text(140, 'Information for the payee.')),
    approvedAt: {
      ...Moment,
      description:
        'When the third party submitted the approved payment, in bank time; the account holder approved it earlier.',
    } as typeof Moment,
  },
  { ...strict, title: 'Payment', description: 'A payment exactly as its account holder approved it.' },
);
export type Payment = Static<typeof Payment>;

/** By what each becomes in our interface. */
export const statusesSeen = {
  RCVD: 'PDNG',
  PATC: 'PDNG',
  PART: 'PDNG',
  PDNG: 'PDNG',
  ACTC: 'ACTC',
  ACCP: 'ACTC',
  ACWC: 'ACTC',
  ACWP: 'ACSP',
  ACSP: 'ACSP',
  ACSC: 'ACSC',
  ACCC: 'ACSC',
  RJCT: 'RJCT',
  CANC: 'CANC',
} as const;
const paymentStatuses = Object.keys(statusesSeen) as (keyof typeof statusesSeen)[];

export const PaymentState = Type.Object(
  {
    paymentId: Type.String({ format: 'uuid' }),
    status: oneOf(paymentStatuses, {
      description:
        'ISO 20022. ACSC, ACCC, RJCT and CANC are final. Third parties get RCVD, PATC and PART as PDNG, ACCP and ACWC as ACTC, ACWP as ACSP, ACCC as ACSC.',
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
        {
          ...strict,
          title: 'StatusReason',
          description:
            'Always with RJCT. With CANC and while it is not final it may say why; never with ACSC.',
        },
      ),
    ),
    lookAgainAt: nullable({
      ...Moment,
      description:
        'When it is worth asking again; only while the status is not final. Null: soon at first (after a second), then more rarely.',
    } as typeof Moment),
  },
  { ...strict, title: 'PaymentState' },
);
export type PaymentState = Static<typeof PaymentState>;

/** What a one-time code stands for: the bank must refuse it for anything else. */
export const ScaContext = Type.Object(
  {
    shownHash: Type.String({ minLength: 1, maxLength: 128 }),
    payment: nullable(
      Type.Object(
        {
          amount: text(
            100,
            'Decimal text and currency, such as "12.50 EUR"; with the rate if it can be paid in another currency: "10.00 USD (1 USD = 0.9215 EUR)".',
          ),
          payee: text(140, 'Name of the payee.'),
          account: text(64, 'Account of the payee in full, without blanks.'),
        },
        { ...strict, title: 'ShownPayment', description: 'To be shown beside the code (RTS Art. 5).' },
      ),
    ),
  },
  { ...strict, title: 'ScaContext' },
);

/** The way that the person has chosen, for a core that lists ways. */
export const methodId = Type.String({ pattern: METHOD_ID, description: 'One that listMethods has listed.' });

export const ListedMethod = Type.Object(
  {
    methodId,
    method: oneOf(methodKinds),
    name: Type.Optional(text(60, 'As the person reads it, in the language of Accept-Language.')),
    sentTo: Type.Optional(text(60, 'Masked, as in sendCode.')),
  },
  { ...strict, title: 'ListedMethod' },
);

export const SentChallenge = Type.Object(
  {
    psuId: BankId,
    challengeId: BankId,
    method: Type.Optional(oneOf(methodKinds)),
    request: Type.Optional(
      Type.String({
        maxLength: 16_384,
        description: 'Only for browser: the JSON text that the browser is given.',
      }),
    ),
    location: Type.Optional(
      Type.String({
        maxLength: 4096,
        description: 'Only for redirect: the https address to which the browser goes.',
      }),
    ),
    sentTo: Type.Optional(
      Type.String({ minLength: 1, maxLength: 60, description: 'Masked: *** *** 4711, or a device.' }),
    ),
    expiresAt: Type.Optional(Moment),
    demoCode: Type.Union([Type.String({ minLength: 1, maxLength: 16 }), Type.Null()]),
  },
  strict,
);
