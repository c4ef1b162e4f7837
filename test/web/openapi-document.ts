/** The OpenAPI documents that the tests look at, and how they find their way in them. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { eventWebhook } from '../../src/api/events/webhook.js';
import { openApiDocument } from '../../src/http/openapi.js';
import { api, sandbox } from './support.js';

export type Node = { readonly [name: string]: Node } & { readonly $ref?: string };

export const options = { version: '1.2.3', serverUrl: 'https://bank.test', webhooks: [eventWebhook] };
export const document = openApiDocument(sandbox, options) as unknown as Node;
export const production = openApiDocument(api, { version: '1.2.3' }) as unknown as Node;

export const at = (node: unknown, ...path: readonly string[]): Node => {
  let found = node as Node | undefined;
  for (const name of path) found = found?.[name];
  if (found === undefined) throw new Error(`there is no ${path.join('/')}`);
  return found;
};

export const resolve = (root: Node, node: Node): Node =>
  node.$ref === undefined ? node : at(root, ...node.$ref.split('/').slice(1));

/** Every object in the document. */
export const walk = (value: unknown, visit: (node: Record<string, unknown>) => void): void => {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as Record<string, unknown>);
  for (const each of Object.values(value)) walk(each, visit);
};

interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters: readonly {
    name: string;
    in: string;
    required: boolean;
    schema: object;
  }[];
  readonly requestBody?: { required: boolean; content: Record<string, { schema: Node; example?: unknown }> };
  readonly responses: Record<string, Node>;
}

export const described = (root: Node) =>
  Object.entries(at(root, 'paths')).flatMap(([path, item]) =>
    Object.entries(item).map(([method, value]) => ({ path, method, value: value as unknown as Described })),
  );

const formats = Object.fromEntries(
  [
    'uri',
    'uuid',
    'date-time',
    'date',
    'int32',
    'iban',
    'bban',
    'msisdn',
    'plain-text',
    'card-number',
    'currency',
    'bic',
    'country',
  ].map((name) => [name, true as const]),
);
const newAjv = () => new Ajv2020({ strict: true, allowUnionTypes: true, formats });
/** Component schemas refer to each other by their place in the document. */
export const validates = (schema: object) =>
  newAjv()
    .addVocabulary(['components', 'x-extensible-enum'])
    .compile({ ...schema, components: document.components });
