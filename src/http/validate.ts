/** JSON Schema as the one description of a body: checked with ajv, all faults together, each named by its path. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { DataValidateFunction } from 'ajv/dist/types/index.js';
import type { TSchema } from 'typebox';
import { isPlain } from '../lib/format/undisguised.js';
import { isUuid } from '../lib/id.js';
import { isDate, parseInstant } from '../lib/instant.js';
import { isBban, isCardNumber, isIban, isMsisdn } from '../model/account-reference.js';
import { type AmountFault, amountFault, isCurrency } from '../model/amount.js';
import { countryOfBic, isBic, isCountry } from '../model/creditor-agent.js';
import {
  type FieldCode,
  type FieldErrors,
  type FieldFault,
  fieldFault,
  isNoneOf,
  isRequired,
} from '../problem/field.js';

const amountFaults: Readonly<Record<AmountFault, FieldFault>> = {
  'not-finite': fieldFault('type', 'must be a finite number', { expected: ['number'] }),
  'not-positive': fieldFault('too-small', 'must be greater than 0', { above: 0 }),
  'too-precise': fieldFault('too-precise', 'must have at most 15 significant digits', { digits: 15 }),
  'too-many-decimals': fieldFault('too-precise', 'has more decimals than its currency allows'),
};

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  uuid: isUuid,
  iban: isIban,
  bban: isBban,
  msisdn: isMsisdn,
  'card-number': isCardNumber,
  currency: isCurrency,
  bic: isBic,
  country: isCountry,
  'plain-text': isPlain,
  date: isDate,
  'date-time': (text) => parseInstant(text) !== undefined,
};

const expected: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  iban: 'must be an IBAN with the right length and checksum',
  bban: 'must be a BBAN of 1 to 30 letters and digits',
  msisdn: 'must be a phone number in international form, such as +306912345678',
  'card-number': 'must be a card number of 8 to 19 digits',
  currency: 'must be an ISO 4217 currency code such as EUR',
  bic: 'must be a BIC of 8 or 11 characters, such as BOFAUS3N',
  country: 'must be an ISO 3166 country code of two capital letters, such as US',
  'plain-text':
    'must be one line of visible characters: no control, invisible or direction characters, and not only blanks',
  date: 'must be a date such as 2027-01-31',
  'date-time': 'must be a date and time such as 2027-01-31T09:30:00Z',
};

/** The schemas are our own, and a test holds them against the specification; doing so at every start would take long. */
const ours = { strict: true, allowUnionTypes: true, validateSchema: false, meta: false } as const;

const ajv = new Ajv({ ...ours, allErrors: true, formats });

/** Rules over several members, which JSON Schema alone cannot say: `rule: 'name'` on an object. */
const rules: Readonly<
  Record<string, (data: Record<string, unknown>) => { at: string; fault: FieldFault } | undefined>
> = {
  /** {currency, amount}: the decimals must fit the currency. */
  amount: ({ currency, amount }) => {
    if (typeof amount !== 'number') return undefined;
    const fault = amountFault(
      amount,
      typeof currency === 'string' && isCurrency(currency) ? currency : undefined,
    );
    return fault && { at: 'amount', fault: amountFaults[fault] };
  },
  /** {iban, bban, msisdn}: something must name the account. */
  reference: ({ iban, bban, msisdn }) =>
    [iban, bban, msisdn].some((each) => each !== null && each !== undefined)
      ? undefined
      : { at: '', fault: fieldFault('required', 'must have an iban, bban or msisdn') },
  /** {bic, name, country}: something must name the bank, in one country. */
  'creditor-agent': ({ bic, name, country }) => {
    if (!bic && !name) return { at: '', fault: fieldFault('required', 'must have a bic or a name') };
    const isOtherCountry =
      typeof bic === 'string' && isBic(bic) && typeof country === 'string' && countryOfBic(bic) !== country;
    return isOtherCountry
      ? {
          at: 'country',
          fault: fieldFault('conflict', 'must be the country of the bic, its fifth and sixth letters', {
            with: 'bic',
          }),
        }
      : undefined;
  },
  /** {creditAccount, creditorAgent}: a number that is no IBAN means nothing without its bank. */
  'international-payee': ({ creditAccount, creditorAgent }) => {
    if (typeof creditAccount !== 'object' || creditAccount === null || creditorAgent) return undefined;
    const { iban, bban, msisdn } = creditAccount as Record<string, unknown>;
    return !iban && (bban || msisdn)
      ? {
          at: 'creditorAgent',
          fault: fieldFault(
            'required',
            'is required if creditAccount has no iban: send the bic or name of the bank, and its country',
          ),
        }
      : undefined;
  },
  /** {account, cardNumber}: something must name the account. */
  'named-account': ({ account, cardNumber }) => {
    if (typeof account !== 'object' || account === null) return undefined;
    const { iban, bban, msisdn } = account as Record<string, unknown>;
    if ([iban, bban, msisdn, cardNumber].some((each) => each !== null && each !== undefined))
      return undefined;
    return {
      at: 'account',
      fault: fieldFault('required', 'must have an iban, bban or msisdn, unless there is a cardNumber'),
    };
  },
};

ajv.addKeyword({
  keyword: 'rule',
  type: 'object',
  schemaType: 'string',
  errors: 'full',
  compile: (name: string) => {
    const check: DataValidateFunction = (data: Record<string, unknown>) => {
      const found = rules[name]?.(data);
      check.errors = found ? [{ keyword: 'rule', params: found }] : [];
      return found === undefined;
    };
    return check;
  },
});

const segments = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'));

/** A name of the caller's goes into the answer only if it is short and plain; it is the caller's own text, but text can be anything. */
export const shownName = (name: string): string =>
  /^[\w.-]{1,64}$/.test(name) ? name : '(unprintable name)';

/** Keywords of JSON Schema that compare with a limit, and what the limit is called. */
const limits: Readonly<Record<string, readonly [FieldCode, 'min' | 'max' | 'above']>> = {
  minLength: ['too-short', 'min'],
  maxLength: ['too-long', 'max'],
  minItems: ['too-few', 'min'],
  maxItems: ['too-many', 'max'],
  minProperties: ['too-few', 'min'],
  maxProperties: ['too-many', 'max'],
  minimum: ['too-small', 'min'],
  exclusiveMinimum: ['too-small', 'above'],
  maximum: ['too-large', 'max'],
};

const faultOf = ({ keyword, params, message = 'is not valid' }: ErrorObject): FieldFault => {
  const { format, type, allowedValues, allowedValue, limit } = params as Record<string, unknown>;
  const [code, name] = limits[keyword] ?? [];
  if (code && name) return fieldFault(code, message, { [name]: Number(limit) });
  switch (keyword) {
    case 'required':
      return isRequired;
    case 'additionalProperties':
      return fieldFault('unknown', 'is not a member of this object');
    case 'format':
      return fieldFault('format', expected[String(format)] ?? 'has the wrong format', {
        format: String(format),
      });
    case 'enum':
      return isNoneOf((allowedValues as unknown[]).map(String));
    case 'const':
      return fieldFault('not-allowed', message, { allowed: [String(allowedValue)] });
    case 'uniqueItems':
      return fieldFault('repeated', message);
    case 'type': {
      const types = [type].flat().map(String);
      return fieldFault('type', `must be ${types.join(' or ')}`, { expected: types });
    }
    default:
      return fieldFault('format', message);
  }
};

const describe = (error: ErrorObject): { at: string; fault: FieldFault } => {
  const path = segments(error.instancePath);
  const at = (...more: string[]): string => [...path, ...more].map(shownName).join('.') || 'body';
  const { missingProperty, additionalProperty, ...params } = error.params as Record<string, unknown>;
  if (error.keyword === 'rule') {
    const found = params as { at: string; fault: FieldFault };
    return { at: found.at === '' ? at() : at(found.at), fault: found.fault };
  }
  const member = missingProperty ?? additionalProperty;
  return { at: member === undefined ? at() : at(String(member)), fault: faultOf(error) };
};

export type Validator = (value: unknown) => FieldErrors | undefined;

const MAX_FAULTS = 50;

/** Compiled once per schema, at its first use: a start would wait for hundreds that are not asked. */
const compiledBy = (compiler: Ajv, schema: TSchema): (() => ValidateFunction) => {
  let compiled: ValidateFunction | undefined;
  return () => {
    compiled ??= compiler.compile(schema);
    return compiled;
  };
};

export const validator = (schema: TSchema): Validator => {
  const compiled = compiledBy(ajv, schema);
  return (value) => {
    const check = compiled();
    if (check(value)) return undefined;
    const found = new Map<string, FieldFault[]>();
    for (const error of (check.errors ?? []).slice(0, MAX_FAULTS)) {
      const { at, fault } = describe(error);
      found.set(at, [...(found.get(at) ?? []), fault]);
    }
    return Object.fromEntries(found);
  };
};

const plainAjv = new Ajv({ ...ours, formats });

/** Where a value breaks which rule: a JSON pointer and a few fixed words, never the value. */
export interface Breach {
  readonly member: string;
  readonly rule: string;
}

const wordsOf: Readonly<Record<string, string>> = {
  required: 'missing',
  additionalProperties: 'has a member that is not described',
  const: 'none of the allowed values',
  enum: 'none of the allowed values',
  pattern: 'wrong pattern',
  minLength: 'too short',
  maxLength: 'too long',
  minItems: 'too few',
  maxItems: 'too many',
  minimum: 'too small',
  exclusiveMinimum: 'too small',
  maximum: 'too large',
};
const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'list',
  integer: 'whole number',
  boolean: 'true or false',
};

const breachOf = ({ instancePath, keyword, params }: ErrorObject): Breach => {
  const { missingProperty, type, format } = params as Readonly<Record<string, string>>;
  // A name that the sender chose could be data.
  const known = instancePath.replace(/[^/]+/g, (name) =>
    /^([A-Za-z]{1,40}|\d{1,9})$/.test(name) ? name : '*',
  );
  const member = missingProperty === undefined ? known : `${known}/${missingProperty}`;
  if (keyword === 'type') return { member, rule: `${typeNames[type ?? ''] ?? type} expected` };
  return { member, rule: keyword === 'format' ? `not a ${format}` : (wordsOf[keyword] ?? keyword) };
};

/** The first breach of a schema, for answers that we receive. Costs nothing beyond the check itself. */
export const breachFinder = (schema: TSchema): ((value: unknown) => Breach | undefined) => {
  const compiled = compiledBy(plainAjv, schema);
  return (value) => {
    const check = compiled();
    if (check(value)) return undefined;
    const [first] = check.errors ?? [];
    return first ? breachOf(first) : { member: '', rule: 'wrong' };
  };
};
