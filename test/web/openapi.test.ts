/** The OpenAPI document: structurally valid 3.1, complete, true to the operations, and the same every time. */
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../src/http/openapi.js';
import { publicSchema } from '../../src/http/openapi-schema.js';
import {
  at,
  described,
  document,
  type Node,
  options,
  production,
  resolve,
  validates,
  walk,
} from './openapi-document.js';
import { api, sandbox } from './support.js';

describe('structure', () => {
  test('names the service, its licence and its address', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Trapeza', version: '1.2.3', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      servers: [{ url: 'https://bank.test' }],
    });
    expect(production).toMatchObject({ servers: [{ url: 'https://bank.example' }] });
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
    const again = openApiDocument(sandbox, options);
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

  test('what several operations use has a name, once', () => {
    const schemas = at(document, 'components', 'schemas');
    const shared = ['Account', 'AccountReference', 'Amount', 'Balance', 'ConsentStatus', 'CreatedConsent'];
    shared.push('Event', 'Exchange', 'Link', 'Money', 'Statement', 'Total', 'Transaction');
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(shared));
    const shapes = new Map<string, string>();
    walk(schemas, ({ description: _, ...node }) => {
      const shape = JSON.stringify(node);
      if (node.type !== 'object' || !node.properties || shape.length < 300) return;
      const first = shapes.get(shape);
      expect(first, `${shape.slice(0, 200)} is written twice`).toBeUndefined();
      shapes.set(shape, shape);
    });
    const sandboxOnly = /Sandbox-Scenario|"\/sandbox/;
    expect(JSON.stringify(production)).not.toMatch(sandboxOnly);
    expect(JSON.stringify(document)).toMatch(sandboxOnly);
  });

  test('the notification is described to those who receive it', () => {
    const { post } = at(document, 'webhooks', 'statusChange');
    expect(post?.parameters).toMatchObject(
      ['Event-ID', 'Content-Digest', 'Signature-Input', 'Signature'].map((name) => ({ name, in: 'header' })),
    );
    const media = at(post, 'requestBody', 'content', 'application/json');
    expect(media.schema).toEqual({ $ref: '#/components/schemas/Event' });
    expect(validates(resolve(document, at(media, 'schema')))(media.example)).toBe(true);
  });

  test('every answer and body has an example that satisfies its schema', () => {
    for (const { value } of described(document)) {
      const success = Object.entries(value.responses).find(([status]) => status.startsWith('2'))?.[1];
      const answer = success?.content?.['application/json'] as
        | { schema?: Node; example?: unknown }
        | undefined;
      const media = [
        ...Object.values(value.requestBody?.content ?? {}).filter(
          () => value.operationId !== 'submitPayment',
        ),
        ...(answer?.schema ? [answer] : []),
      ];
      for (const { schema, example } of media) {
        const check = validates(resolve(document, schema as Node));
        expect(check(example), `${value.operationId}: ${JSON.stringify(check.errors)}`).toBe(true);
      }
    }
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
      accessToken: {
        type: 'oauth2',
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://bank.test/oauth/authorize',
            tokenUrl: 'https://bank.test/oauth/token',
            scopes: { piis: expect.any(String), ais: expect.any(String), pis: expect.any(String) },
          },
        },
      },
    });
    const elsewhere = openApiDocument(api, { version: '1', issuer: 'https://login.bank.test' });
    expect(at(elsewhere, 'components', 'securitySchemes', 'accessToken')).toMatchObject({
      type: 'openIdConnect',
      openIdConnectUrl: 'https://login.bank.test/.well-known/openid-configuration',
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
