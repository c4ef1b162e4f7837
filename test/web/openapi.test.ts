/** The OpenAPI document: structurally valid 3.1, complete, true to the operations, and the same every time. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { openApiDocument, publicSchema } from '../../src/http/openapi.js';
import { errorStatuses } from '../../src/http/operation.js';
import { problems } from '../../src/problem/problem.js';
import { api, sandbox } from './support.js';

type Node = { readonly [name: string]: Node } & { readonly $ref?: string };

const document = openApiDocument(sandbox, {
  version: '1.2.3',
  serverUrl: 'https://bank.example',
}) as unknown as Node;
const production = openApiDocument(api, { version: '1.2.3' }) as unknown as Node;

const at = (node: unknown, ...path: readonly string[]): Node => {
  let found = node as Node | undefined;
  for (const name of path) found = found?.[name];
  if (found === undefined) throw new Error(`there is no ${path.join('/')}`);
  return found;
};

const resolve = (root: Node, node: Node): Node =>
  node.$ref === undefined ? node : at(root, ...node.$ref.split('/').slice(1));

/** Every object in the document. */
const walk = (value: unknown, visit: (node: Record<string, unknown>) => void): void => {
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

const described = (root: Node) =>
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
    'card-number',
    'currency',
    'bic',
    'country',
  ].map((name) => [name, true as const]),
);
const newAjv = () => new Ajv2020({ strict: true, allowUnionTypes: true, formats });
/** Component schemas stand alone: none refers to another. */
const validates = (schema: object) => newAjv().compile(schema);

describe('structure', () => {
  test('names the service, its licence and its address', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Trapeza', version: '1.2.3', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      servers: [{ url: 'https://bank.example' }],
    });
    expect(production).not.toHaveProperty('servers');
  });

  test('every reference leads somewhere', () => {
    const refs: string[] = [];
    walk(document, ({ $ref }) => {
      if (typeof $ref === 'string') refs.push($ref);
    });
    expect(refs.length).toBeGreaterThan(100);
    for (const ref of refs) expect(resolve(document, { $ref: ref } as Node)).toBeTypeOf('object');
  });

  test('component names use only the letters OpenAPI allows', () => {
    for (const section of Object.values(at(document, 'components'))) {
      for (const name of Object.keys(section)) expect(name).toMatch(/^[a-zA-Z0-9._-]+$/);
    }
  });

  test('operation ids are unique, and tags are declared', () => {
    const ids = described(document).map(({ value }) => value.operationId);
    expect(new Set(ids).size).toBe(sandbox.length);
    expect(new Set(ids)).toEqual(new Set(sandbox.map(({ id }) => id)));
    const tags = (at(document, 'tags') as unknown as { name: string }[]).map(({ name }) => name);
    expect(tags).toEqual([
      'Confirmation of Funds',
      'Open Data',
      'Account Information',
      'Payment Initiation',
      'Events',
      'Sandbox',
    ]);
    for (const { value } of described(document))
      expect(tags).toEqual(expect.arrayContaining([...value.tags]));
    expect(JSON.stringify(production)).not.toContain('"Sandbox"');
  });

  test('paths are templates, their names are declared, and parameters are unique', () => {
    for (const { path, value } of described(document)) {
      expect(path).not.toContain(':');
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = value.parameters.filter((each) => each.in === 'path');
      expect(declared.map(({ name }) => name)).toEqual(inPath);
      expect(declared.every(({ required }) => required)).toBe(true);
      const keys = value.parameters.map((each) => `${each.in} ${each.name.toLowerCase()}`);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  test('only methods of the operations are listed, never HEAD', () => {
    const methods = new Set(described(document).map(({ method }) => method));
    expect([...methods].every((method) => ['get', 'post', 'put', 'delete'].includes(method))).toBe(true);
  });

  test('the same operations give the same bytes', () => {
    const again = openApiDocument(sandbox, { version: '1.2.3', serverUrl: 'https://bank.example' });
    expect(JSON.stringify(again)).toBe(JSON.stringify(document));
  });
});

describe('schemas', () => {
  test('all of them compile as JSON Schema 2020-12 in strict mode', () => {
    const parameters = described(document).flatMap(({ value }) => value.parameters);
    const all = [
      ...Object.values(at(document, 'components', 'schemas')),
      ...parameters.map((each) => each.schema),
    ];
    // Most headers are those of every operation.
    const different = new Map(all.map((schema) => [JSON.stringify(schema), schema as object]));
    for (const schema of different.values()) validates(schema);
  });

  test('hold no keyword of our own', () => {
    for (const schema of Object.values(at(document, 'components', 'schemas'))) {
      walk(schema, (node) => expect(Object.keys(node)).not.toContain('rule'));
    }
    const inner = { type: 'object', properties: { rule: { type: 'string', rule: 'x', amountOf: 'y' } } };
    expect(publicSchema(inner)).toEqual({ type: 'object', properties: { rule: { type: 'string' } } });
  });

  test('examples satisfy their schemas', () => {
    let checked = 0;
    for (const { value } of described(document)) {
      const success = Object.entries(value.responses).find(([status]) => status.startsWith('2'))?.[1];
      const media = [
        ...Object.values(value.requestBody?.content ?? {}),
        ...Object.values(
          (success?.content ?? {}) as unknown as Record<string, { schema: Node; example?: unknown }>,
        ),
      ];
      for (const { schema, example } of media) {
        if (example === undefined) continue;
        const check = validates(resolve(document, schema));
        expect(check(example), JSON.stringify(check.errors)).toBe(true);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(4);
  });

  test('bodies may be sent under both media types', () => {
    for (const { value } of described(document)) {
      if (!value.requestBody) continue;
      expect(Object.keys(value.requestBody.content)).toEqual([
        'application/json-patch+json',
        'application/json',
      ]);
    }
  });
});

describe('credentials', () => {
  test('are security schemes and not parameters', () => {
    expect(at(document, 'components', 'securitySchemes')).toMatchObject({
      subscriptionKey: { type: 'apiKey', in: 'header', name: 'Ocp-Apim-Subscription-Key' },
      accessToken: { type: 'http', scheme: 'bearer' },
    });
    for (const { value } of described(document)) {
      const names = value.parameters.map(({ name }) => name);
      expect(names).not.toContain('Authorization');
      expect(names).not.toContain('Ocp-Apim-Subscription-Key');
    }
  });

  test('are demanded by every operation except those of the sandbox', () => {
    for (const { value } of described(document)) {
      const isOpen = value.tags.includes('Sandbox');
      expect(value.security).toHaveLength(isOpen ? 0 : 1);
    }
    const funds = described(document).find(({ value }) => value.operationId === 'confirmFunds');
    expect(funds?.value.security).toEqual([{ subscriptionKey: [], accessToken: ['piis'] }]);
  });
});

describe('answers', () => {
  test('every operation lists the twelve error statuses with the shared body', () => {
    for (const { value } of described(document)) {
      for (const status of errorStatuses) {
        const response = resolve(document, at(value.responses, String(status)));
        const content = at(response, 'content');
        expect(Object.keys(content)).toEqual(['application/problem+json', 'application/json']);
        const name = status === 400 ? 'ValidationProblem' : 'Problem';
        expect(at(content, 'application/json', 'schema')).toEqual({ $ref: `#/components/schemas/${name}` });
      }
    }
  });

  test('the error body has exactly the members of the interface', () => {
    const members = ['type', 'title', 'status', 'detail', 'instance', 'extensions'];
    const { Problem, ValidationProblem } = at(document, 'components', 'schemas');
    expect(Object.keys(at(Problem, 'properties'))).toEqual(members);
    expect(Object.keys(at(ValidationProblem, 'properties'))).toEqual([...members, 'errors']);
    for (const schema of [Problem, ValidationProblem]) {
      expect(schema).toMatchObject({ additionalProperties: false });
      for (const member of Object.values(at(schema, 'properties'))) {
        expect((member as unknown as { type: string[] }).type).toContain('null');
      }
    }
  });

  test('every problem of the catalogue has an example that satisfies the body', () => {
    const examples = at(document, 'components', 'examples');
    expect(Object.keys(examples)).toEqual(Object.keys(problems));
    const { Problem, ValidationProblem } = at(document, 'components', 'schemas');
    const [plain, withErrors] = [validates(Problem as object), validates(ValidationProblem as object)];
    for (const [slug, { status }] of Object.entries(problems)) {
      const value = at(examples, slug, 'value');
      expect(status === 400 ? withErrors(value) : plain(value), slug).toBe(true);
    }
  });

  test('headers are documented where they are sent', () => {
    const headersOf = (id: string, status: string): string[] => {
      const found = described(document).find(({ value }) => value.operationId === id);
      return Object.keys(at(resolve(document, at(found?.value.responses, status)), 'headers'));
    };
    expect(headersOf('confirmFunds', '200')).toEqual(['X-Request-ID']);
    expect(headersOf('confirmFunds', '401')).toEqual(['X-Request-ID', 'WWW-Authenticate']);
    expect(headersOf('confirmFunds', '405')).toEqual(['X-Request-ID', 'Allow']);
    expect(headersOf('confirmFunds', '429')).toEqual([
      'X-Request-ID',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
    ]);
    for (const status of ['408', '409', '500', '503'])
      expect(headersOf('confirmFunds', status)).toEqual(['X-Request-ID', 'Retry-After']);
    expect(headersOf('getAtms', '200')).toEqual(['X-Request-ID', 'ETag', 'Last-Modified']);
    expect(headersOf('getAtms', '304')).toEqual(['X-Request-ID', 'ETag', 'Last-Modified']);
  });
});
