/** Shapes that several areas share (interface: "Account reference", "Amount"). Wire names travel unchanged. */
import { Type } from 'typebox';

export const nullableText = (description: string, rules: object = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...rules, description });

export const oneOf = <Value extends string>(values: readonly Value[], description: string) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values], description });

/** In answers: a later release may have more of them. */
export const someOf = <Value extends string>(values: readonly Value[], description: string) =>
  Type.Unsafe<Value>({ ...oneOf(values, description), isExtensible: true });

export const LinkSchema = Type.Object(
  { href: Type.String() },
  { title: 'Link', additionalProperties: false },
);

const referenceMembers = {
  iban: Type.Optional(nullableText('IBAN of a payment account.', { format: 'iban' })),
  bban: Type.Optional(nullableText('BBAN, for accounts without IBAN.', { format: 'bban' })),
  msisdn: Type.Optional(nullableText('Alias: registered mobile phone number.', { format: 'msisdn' })),
  currency: Type.Optional(
    nullableText('ISO 4217 currency code; picks the sub-account of a multi-currency account.', {
      format: 'currency',
    }),
  ),
};

const strict = {
  title: 'AccountReference',
  additionalProperties: false,
  description: 'Identifies an account by IBAN, BBAN or registered phone number.',
} as const;

export const AccountReferenceSchema = Type.Object(referenceMembers, strict);

/** A reference that must really name an account. */
export const NamedAccountSchema = Type.Object(referenceMembers, { ...strict, rule: 'reference' });

export const AmountSchema = Type.Object(
  {
    currency: nullableText('ISO 4217 currency code; null means the currency of the account.', {
      format: 'currency',
    }),
    amount: Type.Number({
      description: 'Amount, greater than 0, with no more decimals than the currency has.',
    }),
  },
  { title: 'Amount', additionalProperties: false, rule: 'amount', description: 'An amount of money.' },
);

/** An amount whose currency must be said. */
export const ExactAmountSchema = Type.Object(
  {
    currency: Type.String({ format: 'currency', description: 'ISO 4217 currency code.' }),
    amount: Type.Number({
      description: 'Amount, greater than 0, with no more decimals than the currency has.',
    }),
  },
  { title: 'ExactAmount', additionalProperties: false, rule: 'amount', description: 'An amount of money.' },
);

export const shortText = (maxLength: number, description: string) => nullableText(description, { maxLength });

export const date = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date', description });
