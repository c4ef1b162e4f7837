/**
 * What every schema of the contract is made of. Schemas are closed and are also the types. Amounts are decimal text, so that no
 * JSON library rounds them; days are those of the bank's zone; moments are RFC 3339. A schema with a title is a component of the
 * document.
 */
import { type TSchema, Type } from 'typebox';

export const strict = { additionalProperties: false } as const;
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
/** Named values: generated classes get an enumeration of text. */
export const oneOf = <const Value extends string>(values: readonly Value[], options: object = {}) =>
  Type.Unsafe<Value>({ type: 'string', enum: values, ...options });
export const text = (maxLength: number, description: string) => Type.String({ maxLength, description });

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

export const Money = Type.Object({ currency: Currency, amount: Decimal }, { ...strict, title: 'Money' });

export const Reference = Type.Object(
  {
    iban: Type.Optional(nullable(text(34, 'IBAN without blanks.'))),
    bban: Type.Optional(nullable(text(30, 'Number within the country.'))),
    msisdn: Type.Optional(nullable(text(16, 'Registered phone number.'))),
    currency: Type.Optional(nullable(Currency)),
  },
  { ...strict, title: 'Reference', description: 'How a request names an account.' },
);

export const Problem = Type.Object(
  { error: Type.Optional(Type.String()) },
  { title: 'Problem', description: 'For your own logs: Trapeza looks at the status alone.' },
);
