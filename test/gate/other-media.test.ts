/** An operation that can answer with another media type than JSON: Accept decides, and JSON wins where it does not care. */
import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { checkAccept } from '../../src/gate/message.js';
import type { Exchange } from '../../src/http/exchange.js';
import type { Problem } from '../../src/problem/problem.js';

const chosen = (accept: string | undefined, otherMedia: readonly string[]): string => {
  const request = { headers: { accept } } as IncomingMessage;
  const exchange = { request, headers: request.headers, operation: { otherMedia } } as unknown as Exchange;
  try {
    checkAccept(exchange);
  } catch (error) {
    return (error as Problem).slug;
  }
  return exchange.mediaType ?? 'json';
};
const takesJson = (accept: string): boolean => {
  const request = { headers: { accept } };
  const exchange = {
    request,
    headers: request.headers,
    operation: { otherMedia: ['application/pdf'] },
    takesJson: true,
  };
  checkAccept(exchange as unknown as Exchange);
  return exchange.takesJson;
};

it.each([
  [undefined, 'json'],
  ['*/*', 'json'],
  ['application/json', 'json'],
  ['application/*', 'json'],
  ['application/pdf', 'application/pdf'],
  ['application/pdf, application/json;q=0.5', 'application/pdf'],
  ['application/pdf;q=0.5, application/json', 'json'],
  ['text/html, application/pdf;q=0.1', 'application/pdf'],
  ['text/html', 'not-acceptable'],
])('Accept: %s is answered with %s', (accept, expected) => {
  expect(chosen(accept, ['application/pdf'])).toBe(expected);
});

it.each([
  ['application/pdf', false],
  ['application/pdf, application/json;q=0', false],
  ['application/pdf, application/json;q=0.5', true],
  ['application/pdf, */*;q=0.1', true],
  ['application/json', true],
])('Accept: %s takes JSON too: %s', (accept, expected) => {
  expect(takesJson(accept)).toBe(expected);
});

it('is not acceptable where the operation does not have it', () => {
  expect(chosen('application/pdf', [])).toBe('not-acceptable');
});
