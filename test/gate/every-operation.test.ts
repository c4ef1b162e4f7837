/**
 * What every operation answers before its own rules are asked, one fault at a time: no check is left out of any of them. The statuses of
 * the operations' own rules are in the tests of each.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/http/operation.js';
import { slugOf, type Wanted } from '../support/client.js';
import { ATMS } from '../support/operations.js';
import { subscribe, suspend } from '../support/registry.js';
import { useService } from '../support/use-service.js';

const keys = { blocked: '', spent: '' };
const service = useService({}, async (made) => {
  const [blocked, spent] = [await subscribe(made), await subscribe(made, { quotaPerDay: 1 })];
  await suspend(made, 'key', blocked.keyId);
  keys.blocked = blocked.key;
  keys.spent = spent.key;
  await made.call({ path: ATMS, headers: { 'Ocp-Apim-Subscription-Key': spent.key } });
});

/** About something that does not exist. */
const asked = ({ method, path, body, bodyExample, headers }: Operation): Wanted => ({
  method,
  path: path.replace(/:\w+/g, () => randomUUID()),
  ...(body ? { body: bodyExample ?? {} } : {}),
  headers: headers.some(({ name }) => name === 'Consent-ID') ? { 'Consent-ID': randomUUID() } : {},
});

type Fault = (good: Wanted) => Partial<Wanted>;
const header =
  (name: string, value: () => string | undefined): Fault =>
  () => ({ headers: { [name]: value() } });

const faults: readonly [string, Fault][] = [
  ['400 invalid-query', ({ path }) => ({ path: `${path}?unknown=1` })],
  ['401 subscription-key-missing', header('Ocp-Apim-Subscription-Key', () => undefined)],
  ['401 subscription-key-invalid', header('Ocp-Apim-Subscription-Key', () => 'nobody')],
  ['401 token-missing', header('Authorization', () => undefined)],
  ['401 token-invalid', header('Authorization', () => 'Bearer x')],
  ['403 access-blocked', header('Ocp-Apim-Subscription-Key', () => keys.blocked)],
  ['404 route-not-found', ({ path }) => ({ path: `${path}/x/y/z`, outsideContract: true })],
  ['405 method-not-allowed', () => ({ method: 'PATCH' })],
  ['406 not-acceptable', header('Accept', () => 'text/plain')],
  ['415 unsupported-media-type', () => ({ body: 'x', headers: { 'Content-Type': 'text/plain' } })],
  ['429 quota-exceeded', header('Ocp-Apim-Subscription-Key', () => keys.spent)],
  ['503 overloaded', header('Sandbox-Scenario', () => 'overloaded')],
];

describe('every operation', () => {
  it.each(faults)('answers %s', async (expected, fault) => {
    const operations = service().app.operations.filter(({ area }) => typeof area === 'string');
    expect(operations.length).toBeGreaterThan(25);
    const wrong: string[] = [];
    for (const operation of operations) {
      const good = asked(operation);
      const spoilt = fault(good);
      const headers = { ...good.headers, ...spoilt.headers };
      const answer = await service().call({ ...good, ...spoilt, headers });
      const found = `${answer.status} ${slugOf(answer)}`;
      if (found !== expected) wrong.push(`${operation.id}: ${found}`);
    }
    expect(wrong).toEqual([]);
  });

  it('that names something in its path answers 404 for what nobody has', async () => {
    const byId = service().app.operations.filter(
      ({ area, path }) => typeof area === 'string' && /:(consentId|paymentConsentId)/.test(path),
    );
    expect(byId.length).toBeGreaterThan(8);
    for (const operation of byId) {
      const answer = await service().call(asked(operation));
      expect([operation.id, answer.status, slugOf(answer)]).toEqual([
        operation.id,
        404,
        'resource-not-found',
      ]);
    }
  });
});
