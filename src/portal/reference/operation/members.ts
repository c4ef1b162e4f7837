/** A JSON Schema as the tree of its members, in words: what a reader needs to build or read a body. */
import type { Field } from '../../../http/operation.js';

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly isExtensible?: boolean;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** Described in another place of the page, or in a sentence: shown by this name instead of member by member. */
  readonly shown?: string;
}

export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly rules: readonly string[];
  /** The allowed values, if they are a list. */
  readonly values: readonly string[];
  readonly pattern: string | undefined;
  /** Those of the object that it is, or of each element of the array. */
  readonly members: readonly Member[];
}

const MAX_DEPTH = 8;

const formats: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  uri: 'URI',
  date: 'date',
  'date-time': 'date and time, RFC 3339',
  iban: 'IBAN',
  bban: 'BBAN',
  msisdn: 'international phone number',
  'card-number': '8 to 19 digits',
  currency: 'ISO 4217 code',
};

const typesOf = ({ type, shown }: JsonSchema): readonly string[] =>
  shown !== undefined ? [shown] : type === undefined ? [] : typeof type === 'string' ? [type] : type;

/** `array of string or null` */
const typeText = (schema: object): string => {
  const { items, enum: values } = schema as JsonSchema;
  const parts = typesOf(schema as JsonSchema).map((type) =>
    type === 'array' && items ? `array of ${typesOf(items).join(' or ') || 'any'}` : type,
  );
  return parts.join(' or ') || (values ? 'value' : 'any');
};

const count = (number: number, one: string, many: string): string =>
  [number, number === 1 ? one : many].join(' ').trimEnd();

/** `1 to 32 characters`, `at most 70 characters`, `at least 1 item` */
const bounds = (
  least: number | undefined,
  most: number | undefined,
  one: string,
  many = `${one}s`,
): string[] => {
  if (most === undefined) return least === undefined ? [] : [`at least ${count(least, one, many)}`];
  if (least === undefined) return [`at most ${count(most, one, many)}`];
  return [`${least === most ? 'exactly' : `${least} to`} ${count(most, one, many)}`];
};

export const rulesOf = (schema: object): string[] => {
  const rules = schema as JsonSchema;
  const { format } = rules;
  return [
    ...(format === undefined ? [] : [formats[format] ?? format]),
    ...bounds(rules.minLength, rules.maxLength, 'character'),
    ...bounds(rules.minimum, rules.maximum, '', ''),
    ...bounds(rules.minItems, rules.maxItems, 'item'),
    ...bounds(rules.minProperties, rules.maxProperties, 'of the members', 'of the members'),
    ...(rules.isExtensible ? ['more values may be added'] : []),
    ...(rules.default === undefined ? [] : [`${String(rules.default)} if absent`]),
  ];
};

const valuesOf = (schema: object): string[] => {
  const { enum: own, const: only, items } = schema as JsonSchema;
  const values = own ?? (only === undefined ? undefined : [only]) ?? items?.enum ?? [];
  return values.map(String);
};

const memberOf = (name: string, schema: JsonSchema, isRequired: boolean, depth: number): Member => ({
  name,
  type: typeText(schema),
  isRequired,
  description: schema.description,
  rules: rulesOf(schema),
  values: valuesOf(schema),
  pattern: schema.pattern,
  members: inside(schema, depth),
});

const inside = (schema: JsonSchema, depth: number): readonly Member[] => {
  if (depth > MAX_DEPTH || schema.shown !== undefined) return [];
  if (schema.items) return inside(schema.items, depth + 1);
  return Object.entries(schema.properties ?? {}).map(([name, each]) =>
    memberOf(name, each, schema.required?.includes(name) ?? false, depth + 1),
  );
};

export const membersOf = (schema: object): readonly Member[] => inside(schema as JsonSchema, 0);

/** A header or parameter, described as a member is. */
export const memberOfField = ({ name, schema, required = false, description }: Field): Member => ({
  ...memberOf(name, schema, required, 0),
  description,
  pattern: undefined,
});

/** What is to be said of the body as a whole, if anything. */
export const wholeText = (schema: object): string => {
  const { description = '', items } = schema as JsonSchema;
  const rules = rulesOf(schema);
  return [
    description,
    items ? 'An array; each element has these members.' : '',
    rules.length > 0 ? `Rule: ${rules.join('; ')}.` : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
};
