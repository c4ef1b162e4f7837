/**
 * Our schemas as an OpenAPI document has them: without rules of our own, and with a component for each schema that has a title, so
 * that generated types have names.
 */

export type Json = Readonly<Record<string, unknown>>;

export const ref = (section: string, name: string): Json => ({ $ref: `#/components/${section}/${name}` });

/** Everything of JSON Schema that our schemas may use. Other keywords are rules of our own and stay inside. */
const plainKeywords: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'format', 'title', 'description', 'default', 'examples', 'deprecated', '$ref'],
  ...['minLength', 'maxLength', 'pattern', 'contentEncoding', 'contentMediaType', 'readOnly', 'writeOnly'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems'],
  ...['uniqueItems', 'minProperties', 'maxProperties', 'required', 'dependentRequired'],
]);
const schemaKeywords: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'contains',
]);
const listKeywords: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const mapKeywords: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas']);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A schema as outsiders may read it. */
export const publicSchema = (schema: unknown): unknown => {
  if (!isObject(schema)) return schema;
  const kept: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'enum' && schema.isExtensible === true) kept['x-extensible-enum'] = value;
    else if (plainKeywords.has(keyword)) kept[keyword] = value;
    else if (schemaKeywords.has(keyword)) kept[keyword] = publicSchema(value);
    else if (listKeywords.has(keyword) && Array.isArray(value)) kept[keyword] = value.map(publicSchema);
    else if (mapKeywords.has(keyword) && isObject(value))
      kept[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, publicSchema(each)]),
      );
  }
  return kept;
};

/** A schema with a title is a component of that name wherever it is used. A description of its own stays in its place. */
const withRefs = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withRefs);
  if (!isObject(value)) return value;
  const { title, description } = value;
  if (typeof title !== 'string') return members(value);
  return { ...ref('schemas', title), ...(description === undefined ? {} : { description }) };
};
const members = (schema: object): Json =>
  Object.fromEntries(Object.entries(schema).map(([name, each]) => [name, withRefs(each)]));

/** A schema as a component, with references to others. */
export const componentOf = (schema: unknown): Json => members(publicSchema(schema) as object);

/** The schemas with a title, wherever they are used. */
export const namedSchemas = (value: unknown): (readonly [string, Json])[] => {
  if (typeof value !== 'object' || value === null) return [];
  const { title } = value as { readonly title?: unknown };
  const inside = Object.values(value).flatMap(namedSchemas);
  return typeof title === 'string' ? [...inside, [title, componentOf(value)]] : inside;
};

/** Of a body that has no title. */
export const bodyName = (id: string, suffix: string): string =>
  `${id.charAt(0).toUpperCase()}${id.slice(1)}${suffix}`;
