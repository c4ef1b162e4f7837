/** What the OpenAPI document says of answers: the problems, their examples, the headers. */
import { describe, expect, test } from 'vitest';
import { errorStatuses } from '../../src/http/operation.js';
import { problems } from '../../src/problem/problem.js';
import { at, described, document, type Node, resolve, validates } from './openapi-document.js';

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
        expect((resolve(document, member as Node) as unknown as { type: string[] }).type).toContain('null');
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
