/**
 * Writes src/interface.ts, the types and the table of operations, from the generated documents of the bank's interface.
 * `npm run docs` runs it; a test compares the file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {{ $ref?: string, type?: string | string[], enum?: unknown[], 'x-extensible-enum'?: unknown[], description?: string, required?: string[],
 *   items?: Schema, properties?: Record<string, Schema>, additionalProperties?: boolean | Schema }} Schema
 * @typedef {{ name: string, in: string, required?: boolean, description?: string, schema: Schema }} Parameter
 * @typedef {{ content?: Record<string, { schema: Schema }> }} Content
 * @typedef {{ operationId: string, summary: string, parameters?: Parameter[], requestBody?: Content & { required?: boolean },
 *   responses: Record<string, Content> }} Operation
 * @typedef {{ paths: Record<string, Record<string, Operation>>,
 *   components: { schemas: Record<string, Schema>, examples: Record<string, unknown> } }} Document
 */

/** Made by the client itself. */
const own = [
  ...['X-Request-ID', 'Digest', 'Signature', 'TPP-Signature-Certificate'],
  // Of schemes that it does not speak: a request has one signature, and a proof is made for one attempt.
  ...['Content-Digest', 'Signature-Input', 'DPoP'],
];

/** Headers that are mostly sent together. */
const groups = { PsuHeader: /^PSU-/, RedirectHeader: /^TPP-(?!Signature)/ };

/** @type {(values: readonly unknown[]) => string} */
const union = (values) => values.map((value) => JSON.stringify(value)).join(' | ');

/** @type {(schema: Schema) => string} */
const typeOf = (schema) => {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  const types = [schema.type ?? []].flat();
  const { 'x-extensible-enum': known } = schema;
  if (known) return `Extensible<${union(known)}>`;
  if (schema.enum) return union([...new Set([...schema.enum, ...(types.includes('null') ? [null] : [])])]);
  return types.map((type) => plainType(type, schema)).join(' | ') || 'unknown';
};

/** @type {(type: string, schema: Schema) => string} */
const plainType = (type, schema) => {
  if (type === 'integer') return 'number';
  if (type === 'array') return `ReadonlyArray<${typeOf(schema.items ?? {})}>`;
  if (type !== 'object') return type;
  if (!schema.properties && schema.additionalProperties === undefined) return 'object';
  if (schema.properties && Object.keys(schema.properties).length === 0)
    return 'Readonly<Record<string, never>>';
  if (schema.properties) return `{\n${membersOf(schema)}}`;
  const { additionalProperties: rest } = schema;
  return `Readonly<Record<string, ${typeof rest === 'object' ? typeOf(rest) : 'unknown'}>>`;
};

/** @type {(text: string | undefined) => string} */
const comment = (text) => (text ? `/** ${text.replaceAll('*/', '* /')} */ ` : '');

/** @type {(name: string, isRequired: boolean | undefined, type: string, words?: string) => string} */
const member = (name, isRequired, type, words) =>
  `${comment(words)}readonly ${/^\w+$/.test(name) ? name : `'${name}'`}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};\n`;

/** @type {(schema: Schema) => string} */
const membersOf = ({ properties = {}, required = [] }) =>
  Object.entries(properties)
    .map(([name, each]) => member(name, required.includes(name), typeOf(each), each.description))
    .join('');

/** @type {(all: string[], names: string[]) => string} */
const headerNames = (all, names) => {
  const grouped = Object.entries(groups).filter(([, has]) =>
    all.filter((name) => has.test(name)).every((name) => names.includes(name)),
  );
  const single = names.filter((name) => !grouped.some(([, has]) => has.test(name)));
  return [...single.map((name) => `'${name}'`), ...grouped.map(([group]) => group)].join(' | ');
};

/** @type {(place: string, parameters: Parameter[]) => string} */
const parametersMember = (place, parameters) => {
  if (parameters.length === 0) return '';
  const required = parameters.filter((each) => each.required).map(({ name }) => name);
  const properties = Object.fromEntries(
    parameters.map(({ name, schema, description }) => [
      name,
      { ...schema, ...(description === undefined ? {} : { description }) },
    ]),
  );
  return member(place, required.length > 0, `{\n${membersOf({ properties, required })}}`);
};

/** @type {(all: string[], parameters: Parameter[]) => string} */
const headersMember = (all, parameters) => {
  const required = parameters.filter((each) => each.required).map(({ name }) => `'${name}'`);
  const others = headerNames(
    all,
    parameters.filter((each) => !each.required).map(({ name }) => name),
  );
  const parts = [
    ...(required.length > 0 ? [`Pick<HeaderValues, ${required.join(' | ')}>`] : []),
    ...(others === '' ? [] : [`Optional<${others}>`]),
  ];
  return parts.length === 0 ? '' : member('headers', required.length > 0, parts.join(' & '));
};

/** @type {(all: string[], operation: Operation) => string} */
const operationType = (all, { operationId, summary, parameters = [], requestBody, responses }) => {
  const at = (/** @type {string} */ place) =>
    parameters.filter((each) => each.in === place && !own.includes(each.name));
  const answers = Object.entries(responses).filter(([status]) => status < '400');
  const json = answers.map(([, { content }]) => content?.['application/json']?.schema);
  const files = answers
    .flatMap(([, { content }]) => Object.keys(content ?? {}))
    .filter((type) => type !== 'application/json');
  const body = requestBody?.content?.['application/json']?.schema;
  const type = `{\n${[
    parametersMember('params', at('path')),
    parametersMember('query', at('query')),
    headersMember(all, at('header')),
    body ? member('body', requestBody?.required, typeOf(body)) : '',
    member('answer', true, [...new Set(json.map((each) => (each ? typeOf(each) : 'undefined')))].join(' | ')),
    files.length === 0 ? '' : member('file', true, union(files)),
  ].join('')}}`;
  return member(operationId, true, type, `${summary}.`);
};

/** What a client does about a problem, by the name that the problem carries. @type {(problems: string) => string} */
const remediesOf = (problems) =>
  [...problems.matchAll(/^\| `([a-z-]+)` \| (?:yes|no) \| (.+) \|$/gm)]
    .map(([, advice, text]) => `  '${advice}': ${JSON.stringify(text)},\n`)
    .join('');

/** @type {(text: string) => string} */
const indented = (text) => {
  let depth = 0;
  return text.replace(/^.+$/gm, (line) => {
    if (line.startsWith('}')) depth -= 1;
    const indent = '  '.repeat(depth);
    if (line.endsWith('{')) depth += 1;
    return indent + line.trimStart();
  });
};

/** @type {(document: Document, problems: string) => string} */
export const interfaceText = ({ paths, components }, problems) => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const headers = new Map(
    operations
      .flatMap(({ operation }) => operation.parameters ?? [])
      .filter((each) => each.in === 'header' && !own.includes(each.name))
      .map((each) => [each.name, each]),
  );
  const all = [...headers.keys()];
  return indented(`/** Generated from docs/openapi.json and docs/problems.md by \`npm run docs\`: change the operations instead. */

/** More values may be added: leave alone what you do not know. */
export type Extensible<Known extends string> = Known | (string & Record<never, never>);

/** The last part of the \`type\` of a problem. */
export type ProblemSlug = ${union(Object.keys(components.examples))};

${Object.entries(components.schemas)
  .map(([name, schema]) => `${comment(schema.description)}export type ${name} = ${typeOf(schema)};\n`)
  .join('\n')}
interface HeaderValues {
${[...headers.values()].map(({ name, schema, description }) => member(name, true, typeOf(schema), description)).join('')}}
${Object.entries(groups)
  .map(([name, has]) => `type ${name} = ${union(all.filter((each) => has.test(each)))};\n`)
  .join(
    '',
  )}type Optional<Name extends keyof HeaderValues> = { readonly [Key in Name]?: HeaderValues[Key] | undefined };

export interface Operations {
${operations.map(({ operation }) => operationType(all, operation)).join('')}}

export const operations = {
${operations.map(({ path, method, operation }) => `${operation.operationId}: ['${method}', '${path}'],\n`).join('')}} as const;

/** What to do about a problem, by its advice. */
export const remedies: Readonly<Record<Advice, string>> = {
${remediesOf(problems)}};
`);
};

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const read = (/** @type {string} */ path) => readFileSync(here(path), 'utf8');

export const interfaceFile = here('src/interface.ts');

export const generate = () =>
  interfaceText(JSON.parse(read('../../docs/openapi.json')), read('../../docs/problems.md'));

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(interfaceFile, generate());
