/** What the console says of an id that it does not find: whether calls are kept at all, and where to look otherwise. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useService } from '../support/use-service.js';
import { enrolOperator } from './support.js';

describe.each([
  ['on', 'only the last 200', 'TRAPEZA_REQUEST_LOG'],
  ['off', 'TRAPEZA_REQUEST_LOG', 'only the last 200'],
])('with the request log %s', (log, words, others) => {
  const use = useService({ env: { TRAPEZA_REQUEST_LOG: log } });

  it('an unknown id has the remedy that helps', async () => {
    const visitor = await enrolOperator(use(), 'finder', 'service');
    const { status, body } = await visitor.get(`/operator?q=${randomUUID()}&lang=en`);
    expect(status).toBe(200);
    expect(body).toContain(words);
    expect(body).not.toContain(others);
  });
});
