/** One contract on change: the sentence, the pages and guides that quote or name it, and the schemas agree. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CHANGE_RULE } from '../../src/http/openapi-contract.js';
import { root } from '../lib/source.js';
import { openApi } from '../support/openapi.js';
import { operationIds } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import { at, described, type Node, walk } from './openapi-document.js';
import { api } from './support.js';

const document = openApi as Node;

/** The feed is our own. */
const specified = operationIds.filter((id) => id !== 'getEvents');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const { schemas } = at(document, 'components');

/** The schemas that a part of the document leads to, its own first. */
const reached = (part: unknown, found = new Map<string, unknown>()): Map<string, unknown> => {
  walk(part, ({ $ref }) => {
    const name = /^#\/components\/schemas\/(.+)$/.exec(String($ref))?.[1];
    if (name === undefined || found.has(name)) return;
    found.set(name, at(schemas, name));
    reached(at(schemas, name), found);
  });
  return found;
};

interface Shape {
  readonly where: string;
  readonly schema: Readonly<Record<string, unknown>>;
}
const objectsIn = (parts: Map<string, unknown>): Shape[] =>
  [...parts].flatMap(([where, part]) => {
    const shapes: Shape[] = [];
    walk(part, (schema) => {
      if (typeof schema.properties === 'object') shapes.push({ where, schema });
    });
    return shapes;
  });
const extensible = (parts: Map<string, unknown>): string[] =>
  [...parts].flatMap(([where, part]) => {
    const found: string[] = [];
    walk(part, (schema) => ('x-extensible-enum' in schema ? found.push(where) : undefined));
    return found;
  });

const successOf = ({ responses }: { readonly responses: Record<string, Node> }): unknown =>
  Object.entries(responses).filter(([status]) => status < '400');
const all = described(document).map(({ value }) => value);
const isSpecified = ({ operationId }: { readonly operationId: string }): boolean =>
  (specified as readonly string[]).includes(operationId);
const closed = reached([
  ...all.map(({ requestBody }) => requestBody),
  ...all.filter(isSpecified).map(successOf),
]);
const open = reached([
  ...all.filter((each) => !isSpecified(each)).map(successOf),
  at(document, 'webhooks'),
  { $ref: '#/components/schemas/RegistrationProblem' },
]);
const ofExtensions = reached({ $ref: '#/components/schemas/Extensions' });

describe('the schemas', () => {
  test('know the four operations of the interface document', () => {
    expect(
      api
        .filter((each) => each.isSpecified)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(specified.toSorted());
  });

  test('of requests and of the four operations are closed', () => {
    const shapes = objectsIn(closed);
    expect(shapes.length).toBeGreaterThan(20);
    const wrong = shapes.filter(({ schema }) => schema.additionalProperties !== false);
    // RFC 7591, 2: the server ignores metadata that it does not know.
    expect(new Set(wrong.map(({ where }) => where))).toEqual(
      new Set(['RegisterApplicationRequest', 'ChangeRegistrationRequest']),
    );
    expect(extensible(closed)).toEqual([]);
  });

  test('of every other answer, of events and of extensions are open', () => {
    const shapes = [...objectsIn(open), ...objectsIn(ofExtensions)];
    expect(shapes.length).toBeGreaterThan(40);
    const wrong = shapes.filter(({ schema }) => schema.additionalProperties === false);
    expect(wrong.map(({ where }) => where)).toEqual([]);
    expect([...closed.keys()].filter((name) => open.has(name))).toEqual([]);
    for (const name of ['Event', 'Balance', 'GetPaymentResponse', 'FieldFault'])
      expect(extensible(new Map([...open, ...ofExtensions]))).toContain(name);
  });

  test('of the error body are closed, beside its extensions', () => {
    for (const name of ['Problem', 'ValidationProblem'])
      expect(at(schemas, name)).toMatchObject({ additionalProperties: false });
  });

  test('of requests have no default, which would make an optional member required in generated types', () => {
    const found: string[] = [];
    for (const [where, part] of [...closed, ...open])
      walk(part, (schema) => ('default' in schema ? found.push(where) : undefined));
    expect(found).toEqual([]);
  });
});

describe('the sentence', () => {
  const service = useService();
  const textOf = async (path: string): Promise<string> =>
    (await service().call({ path, outsideContract: true, headers: { Accept: 'text/html' } })).text;
  const words = (html: string): string => html.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');

  test('is that of the document on compatibility, of OpenAPI and of the change page', async () => {
    expect(read('docs/compatibility.md')).toContain(CHANGE_RULE);
    expect(at(document, 'info').description).toContain(CHANGE_RULE);
    expect(JSON.parse(await textOf('/openapi.json')).info.description).toContain(CHANGE_RULE);
    expect(words(await textOf('/docs/changes'))).toContain(CHANGE_RULE.replaceAll('`', ''));
  });

  test('is where the guides on notifications lead to', async () => {
    expect(await textOf('/docs/changes')).toContain('id="policy"');
    for (const language of ['en', 'el'])
      expect(await textOf(`/docs/guides/notifications?lang=${language}`)).toMatch(
        /href="[^"]*\/docs\/changes#policy"/,
      );
  });
});
