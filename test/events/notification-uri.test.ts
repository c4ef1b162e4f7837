/** TPP-Notification-URI: only an address on a host that the application has registered, and only a safe one. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { kinds } from '../consent/kinds.js';
import { slugOf } from '../support/client.js';
import { BUDGET } from '../support/operations.js';
import { useService, withStore } from '../support/use-service.js';
import { forbiddenHosts } from './delivery/guard-corpus.js';
import { askConsent, registerWebhook } from './support.js';

const NAME = 'TPP-Notification-URI';

describe('a notification address', () => {
  const service = useService({}, (started) => registerWebhook(started, 'http://127.0.0.1:9/hook'));
  const ask = (value: string) => askConsent(service(), { notificationUri: value });

  it.each([
    'https://demo-finance-app.example/notify',
    'https://demo-finance-app.example:443/notify?consent=1',
    'HTTPS://DEMO-FINANCE-APP.EXAMPLE/notify',
    'http://127.0.0.1:9/other/path',
  ])('%s is on a registered host', async (value) => {
    const answer = await ask(value);
    expect(answer.status).toBe(201);
    const { consentId } = answer.json as { consentId: string };
    const row = await withStore(service(), (db) =>
      db.one<{ uri: string }>('select notification_uri as uri from consents where id = ?', [consentId]),
    );
    expect(row?.uri).toBe(new URL(value).href);
  });

  it.each([
    'https://demo-budget-app.example/notify',
    'https://demo-finance-app.example:8443/notify',
    'https://demo-finance-app.example.evil.example/',
    'https://evil.example/demo-finance-app.example',
    'https://sub.demo-finance-app.example/',
    'https://demo-finance-app.example./notify',
    'http://demo-finance-app.example/notify',
    'http://127.0.0.1:10/hook',
    'http://localhost:9/hook',
    'https://user@demo-finance-app.example/',
    'https://demo-finance-app.example/#fragment',
    `https://demo-finance-app.example/${'x'.repeat(2048)}`,
    '/notify',
    'demo-finance-app.example',
    'javascript:alert(1)',
    'file:///etc/passwd',
  ])('%s is refused', async (value) => {
    const answer = await ask(value);
    expect([answer.status, slugOf(answer)]).toEqual([400, 'invalid-header']);
    const { errors } = answer.json as { errors: object };
    expect(Object.keys(errors)).toEqual([`header.${NAME}`]);
  });

  it('of a host that is not public is refused, in every spelling', async () => {
    for (const host of forbiddenHosts.filter((each) => /^[\x20-\x7e]+$/.test(each)))
      expect([host, slugOf(await ask(`https://${host}/`))]).toEqual([host, 'invalid-header']);
  });

  it('is taken by every operation that creates a consent', async () => {
    for (const { create, body } of kinds) {
      const post = (value: string, requestId: string = randomUUID()) =>
        service().call({
          method: 'POST',
          path: create,
          body,
          headers: { [NAME]: value, 'X-Request-ID': requestId },
        });
      expect(slugOf(await post('https://evil.example/'))).toBe('invalid-header');
      const requestId = randomUUID();
      expect((await post('https://demo-finance-app.example/a', requestId)).status).toBe(201);
      expect((await post('https://demo-finance-app.example/a', requestId)).status).toBe(201);
      // Another address is another request.
      expect(slugOf(await post('https://demo-finance-app.example/b', requestId))).toBe('request-id-conflict');
    }
  });

  it('of another application is not one of ours', async () => {
    const answer = await askConsent(service(), {
      application: BUDGET,
      notificationUri: 'http://127.0.0.1:9/hook',
    });
    expect([answer.status, slugOf(answer)]).toEqual([400, 'invalid-header']);
  });
});
