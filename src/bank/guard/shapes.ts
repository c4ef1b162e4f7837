/** The answers of the ports as JSON Schemas: a bank's module is JavaScript, and nothing else looks at what it returns. */
import { type TSchema, Type } from 'typebox';
import { breachFinder } from '../../http/validate.js';
import { payeeCheckResults } from '../../model/payment-terms.js';
import { METHOD_ID, MOST_METHODS, methodKinds } from '../account-holders.js';
import { balanceTypes, PROPRIETARY_CODE } from '../history.js';

/** Null or left out: to a module they are the same. */
const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const oneOf = (values: readonly string[]) => Type.Union(values.map((value) => Type.Literal(value)));
const text = Type.String();
const id = Type.String({ minLength: 1 });
const day = Type.String({ format: 'date' });
const minor = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
const moment = Type.Number();
const count = Type.Integer({ minimum: 0 });

const account = Type.Object({
  id,
  ...{ iban: maybe(text), bban: maybe(text), msisdn: maybe(text), currency: text },
  ...{ name: text, product: text, type: text, ownerName: text },
  status: oneOf(['enabled', 'blocked', 'closed']),
  balanceMinor: maybe(minor),
  mayPay: maybe(Type.Boolean()),
  signaturesNeeded: maybe(Type.Integer({ minimum: 1, maximum: 9 })),
});
const balance = Type.Object({
  type: oneOf(balanceTypes),
  ...{ currency: text, amountMinor: minor, includesCreditLine: Type.Boolean(), at: moment },
});
const transaction = Type.Object({
  id,
  status: oneOf(['booked', 'pending']),
  ...{ bookingDate: maybe(day), valueDate: day, at: moment, bookedAt: maybe(moment) },
  ...{ currency: text, amountMinor: minor, code: maybe(text), balanceMinor: maybe(minor) },
  proprietaryCode: maybe(Type.String({ pattern: PROPRIETARY_CODE })),
  details: Type.Object({
    ...{ counterpartyName: maybe(text), counterpartyIban: maybe(text) },
    ...{ remittanceInformation: maybe(text), endToEndId: maybe(text), paymentId: maybe(text) },
    ...{ mandateId: maybe(text), creditorId: maybe(text), merchantCategoryCode: maybe(text) },
    ...{ counterpartyBban: maybe(text), counterpartyCurrency: maybe(text), creditorReference: maybe(text) },
    ...{ purposeCode: maybe(text), ultimateDebtor: maybe(text), ultimateCreditor: maybe(text) },
    counterpartyAgent: maybe(Type.Object({ bic: maybe(text), name: maybe(text), country: maybe(text) })),
    exchange: maybe(Type.Object({ currency: text, amountMinor: minor, rate: Type.Number() })),
  }),
});
const statement = Type.Object({
  number: maybe(Type.String({ maxLength: 35 })),
  ...{ id, currency: text, from: day, to: day, createdAt: moment, creditCount: count, debitCount: count },
  ...{ openingMinor: minor, closingMinor: minor, creditsMinor: minor, debitsMinor: minor },
});
const price = {
  charge: Type.Object({ currency: text, amountMinor: minor }),
  quote: maybe(
    Type.Object({
      ...{ currency: text, amountMinor: minor, payCurrency: text, payMinor: minor },
      ...{ rateMicros: minor, chargeMinor: minor },
    }),
  ),
};
const terms = Type.Object({
  faults: Type.Record(text, Type.Array(text)),
  ...price,
  otherPrices: maybe(Type.Array(Type.Object(price))),
  limitMinor: maybe(minor),
  payeeCheck: maybe(Type.Object({ result: oneOf(payeeCheckResults), name: maybe(text) })),
  ...{ executionDate: maybe(day), cutOff: maybe(moment), instant: maybe(Type.Boolean()) },
});
const reason = Type.Object({ code: text, text });
const progress = Type.Union([
  Type.Object({ status: Type.Literal('ACSC') }),
  Type.Object({ status: Type.Literal('CANC'), reason: maybe(reason) }),
  Type.Object({ status: Type.Literal('RJCT'), reason }),
  Type.Object({
    status: oneOf(['RCVD', 'PDNG', 'ACTC', 'ACSP']),
    lookAgainAt: moment,
    reason: maybe(reason),
  }),
]);
const anything = Type.Unknown();

export type Shape = ReturnType<typeof breachFinder>;
const of = breachFinder;
const orNothing = (schema: TSchema): Shape => {
  const breachIn = of(schema);
  return (answer) => (answer == null ? undefined : breachIn(answer));
};

export const bankShapes = {
  hasFunds: of(Type.Boolean()),
  accountsOf: of(Type.Array(account)),
  termsFor: of(terms),
  balances: of(Type.Array(balance)),
  transactions: of(Type.Object({ items: Type.Array(transaction), next: maybe(text) })),
  transaction: orNothing(transaction),
  statements: of(Type.Array(statement)),
  statement: orNothing(statement),
  ping: of(anything),
};
const method = Type.Object({
  id: Type.String({ pattern: METHOD_ID }),
  kind: oneOf(methodKinds),
  name: maybe(Type.String({ minLength: 1, maxLength: 60 })),
  sentTo: maybe(text),
});
/** For what a bank need not have. */
export const optionalShapes = {
  statementDocument: (answer: unknown) =>
    answer == null || answer instanceof Uint8Array ? undefined : { member: '', rule: 'bytes expected' },
  wantsConsents: of(Type.Boolean()),
  consentChanged: of(anything),
};
export const optionalHolderShapes = {
  methods: of(Type.Array(method, { minItems: 1, maxItems: MOST_METHODS })),
};
export const holderShapes = {
  login: of(
    Type.Union([
      Type.Object({ kind: Type.Literal('recognised'), psuId: id, name: text }),
      Type.Object({ kind: Type.Literal('refused') }),
    ]),
  ),
  challenge: of(
    Type.Object({
      ...{ id, method: maybe(oneOf(methodKinds)), sentTo: maybe(text) },
      ...{ request: maybe(text), location: maybe(text) },
    }),
  ),
  verify: of(oneOf(['right', 'wrong', 'spent', 'pending', 'refused'])),
};
export const bookShapes = { book: of(progress), progress: of(progress), cancel: of(progress) };
export const remoteShapes = {
  execute: of(progress),
  find: orNothing(progress),
  cancel: orNothing(Type.Union([Type.Literal('not-offered'), progress])),
};
