/** The portal of one third party: what it shows and changes, and that nothing of another one can be seen or changed. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { answers, openReceiver } from '../events/receiver.js';
import { type Answer, send } from '../support/client.js';
import { formTokenIn } from '../support/form.js';
import { FUNDS, fundsBody } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import { portalOptions, VISITOR, type Visitor, visitorIn } from './support.js';

const ATMS = '/psd2/v1/opendata/atm';

const service = useService(portalOptions);
const visitorOf = (tpp: string): Promise<Visitor> => visitorIn(service(), tpp);
let tppId = '';
let clientId = '';

const blockOf = (answer: Answer, name: string): string => {
  const found = new RegExp(`<figcaption>${name}</figcaption><pre><code>([^<]*)</code>`).exec(answer.text);
  expect(found, `${name} on the page`).not.toBeNull();
  return (found?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
};

const callWith = async (key: string, token: string | undefined): Promise<Answer> =>
  send(service().url, {
    path: ATMS,
    headers: {
      'Ocp-Apim-Subscription-Key': key,
      'X-Request-ID': randomUUID(),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
  });

const own = (step = ''): string => `/portal/applications/${clientId}${step}`;
let developer: Visitor;
let keys: { primary: string; secondary: string };
let secret = '';

beforeAll(async () => {
  const { admin } = service().app;
  tppId = await admin.createTpp({ name: 'Own', registration: 'PSDGR-BOG-OWN1', roles: ['PSP_IC'] });
  ({ clientId } = await admin.createApplication({ tppId, name: 'First', redirectUris: [] }));
  developer = await visitorOf(tppId);
});

describe('a newcomer', () => {
  it('gets the keys of the application that is there, once, and a command that is answered with 200', async () => {
    expect((await developer.get('/portal')).text).toContain('Get the keys');
    const made = await developer.post(own('/keys'));
    expect(made.status).toBe(200);
    expect(made.headers['cache-control']).toBe('no-store');
    expect(made.headers['content-encoding']).toBeUndefined();
    keys = { primary: blockOf(made, 'Primary key'), secondary: blockOf(made, 'Secondary key') };
    secret = blockOf(made, 'Client secret');
    const command = blockOf(made, 'curl');
    expect(command).toContain(keys.primary);
    expect(command).toContain(`"application":"${clientId}"`);
    const token = await service().token({ application: clientId });
    for (const key of Object.values(keys)) expect((await callWith(key, token)).status).toBe(200);
    const again = await developer.post(own('/keys'));
    expect(again.status).toBe(303);
    expect((await developer.get(own())).text).not.toContain(keys.primary);
  });

  it('registers another application with a page to come back to, and ends it', async () => {
    const bad = await developer.post('/portal/applications', {
      name: 'Second',
      redirect: 'http://bank.example',
    });
    expect(bad.status).toBe(400);
    expect(bad.text).toContain('http is for 127.0.0.1');
    expect(bad.text).toContain('value="http://bank.example"');
    expect(bad.text).toContain('value="Second"');
    const made = await developer.post('/portal/applications', { name: 'Second' });
    const key = blockOf(made, 'Primary key');
    const second = blockOf(made, 'Client id');
    expect((await developer.get(`/portal/applications/${second}`)).text).toContain('/sandbox/return/');
    const token = await service().token({ application: second });
    expect((await callWith(key, token)).status).toBe(200);
    const unsure = await developer.post(`/portal/applications/${second}/end`);
    expect(unsure.text).toContain('Confirm that the application is to end.');
    await developer.post(`/portal/applications/${second}/end`, { confirm: 'yes' });
    expect((await developer.get(`/portal/applications/${second}`)).status).toBe(404);
    service().clock.advance(6000);
    expect((await callWith(key, token)).status).toBe(401);
    await expect(service().app.admin.resumeApplication(second)).rejects.toThrow('there is no application');
  });
});

describe('an application', () => {
  it('is renamed, and has redirect addresses that are checked', async () => {
    expect((await developer.post(own('/rename'), { name: ' ' })).text).toContain('Enter a name.');
    expect((await developer.post(own('/rename'), { name: 'Renamed' })).headers.location).toContain(
      'done=renamed',
    );
    const uri = 'http://127.0.0.1:3000/callback';
    expect((await developer.post(own('/redirects'), { redirect: uri })).status).toBe(303);
    expect((await developer.post(own('/redirects'), { redirect: uri })).text).toContain('is there already');
    const page = await developer.get(own());
    expect(page.text).toContain('Renamed');
    expect(page.text).toContain(uri);
    await developer.post(own('/redirects/remove'), { uri });
    expect((await developer.get(own())).text).not.toContain(`<code>${uri}`);
  });

  it('has a key rolled while the other one goes on working, and a new secret', async () => {
    const [found] = await service().app.admin.keys(tppId);
    const roll = { subscription: found?.subscriptionId ?? '', slot: 'primary' };
    const rolled = await developer.post(own('/keys/roll'), roll);
    const fresh = blockOf(rolled, 'Primary key');
    expect(rolled.text).not.toContain(keys.secondary);
    service().clock.advance(6000);
    const token = await service().token({ application: clientId });
    const statuses = await Promise.all(
      [keys.primary, keys.secondary, fresh].map(async (key) => (await callWith(key, token)).status),
    );
    expect(statuses).toEqual([401, 200, 200]);
    keys = { ...keys, primary: fresh };
    const other = blockOf(await developer.post(own('/secret')), 'Client secret');
    expect(other).not.toBe(secret);
  });

  it('has certificates with their expiry, of the sandbox for the asking', async () => {
    const made = await developer.post('/portal/certificates', { use: 'seal' });
    expect(blockOf(made, 'Private key \\(PEM\\)')).toContain('PRIVATE KEY');
    const list = await developer.get('/portal/certificates');
    expect(list.text).toContain('QSealC (signatures)');
    expect(list.text).not.toContain('PRIVATE KEY');
  });
});

describe('notifications', () => {
  it('have an address that is checked and tried, and are sent again', async () => {
    const receiver = await openReceiver();
    try {
      const bad = await developer.post(own('/webhook'), { webhook: 'http://198.51.100.7/x' });
      expect(bad.text).toContain('must be an https address');
      expect((await developer.post(own('/webhook/test'))).text).toContain('Save an address first.');
      await developer.post(own('/webhook'), { webhook: receiver.url });
      const tried = await developer.post(own('/webhook/test'));
      expect(tried.text).toContain('The receiver answered: status 2');
      expect(receiver.received).toHaveLength(1);
      const consent = await service().call({
        method: 'POST',
        path: '/piis/psd2/v1/consents',
        headers: {
          'Ocp-Apim-Subscription-Key': keys.primary,
          Authorization: `Bearer ${await service().token({ application: clientId })}`,
        },
        body: { account: fundsBody().account },
      });
      const { consentId } = consent.json as { consentId: string };
      const decide = { method: 'POST', path: `/sandbox/consents/${consentId}/decision` };
      await send(service().url, { ...decide, body: { decision: 'reject' } });
      await receiver.until(({ length }) => length === 2);
      const list = await developer.get(own('/webhook'));
      expect(list.text).toContain(consentId);
      const event = /name="event" value="([^"]+)"/.exec(list.text)?.[1] ?? '';
      const foreign = await (await visitorOf(await otherTpp())).post(own('/webhook/redeliver'), { event });
      expect(foreign.status).toBe(404);
      expect((await developer.post(own('/webhook/redeliver'), { event })).status).toBe(303);
      await receiver.until(({ length }) => length === 3);
    } finally {
      await receiver.close();
    }
  });
});

describe('a test event to an address that is not public', () => {
  it('tells in both languages that it was not reached, and neither why nor how far it came', async () => {
    const receiver = await openReceiver();
    const gone = await openReceiver();
    const goneUrl = gone.url;
    await gone.close();
    const page = async (url: string, language: string): Promise<string> => {
      expect((await developer.post(own('/webhook'), { webhook: url })).status).toBe(303);
      const { text } = await developer.post(own(`/webhook/test?lang=${language}`));
      // What was sent, and where to.
      return text.replace(/<pre>[\s\S]*?<\/pre>/g, '').replaceAll(url, '');
    };
    const words = { en: 'It did not arrive: not reached', el: 'Δεν έφτασε: η διεύθυνση δεν ήταν προσβάσιμη' };
    try {
      for (const [language, word] of Object.entries(words)) {
        const pages = [await page(goneUrl, language), await page(`${service().url}/health`, language)];
        for (const status of [302, 404, 500]) {
          receiver.respond = answers(status);
          pages.push(await page(receiver.url, language));
        }
        receiver.respond = (response) => response.destroy();
        pages.push(await page(receiver.url, language));
        expect(pages[0]).toContain(word);
        expect(new Set(pages).size).toBe(1);
      }
      // All but those to a closed port and to the service itself.
      expect(receiver.received).toHaveLength(8);
    } finally {
      await receiver.close();
    }
  });
});

describe('the request log', () => {
  it('has the calls of a known key with problem and remedy, and none of an unknown one', async () => {
    const token = await service().token({ application: clientId });
    await callWith(keys.primary, undefined);
    await callWith('not-a-key', token);
    const funds = await send(service().url, {
      method: 'POST',
      path: FUNDS,
      headers: {
        'Ocp-Apim-Subscription-Key': keys.primary,
        Authorization: `Bearer ${token}`,
        'X-Request-ID': randomUUID(),
        'PSU-IP-Address': '192.0.2.77',
      },
      body: fundsBody(),
    });
    expect(funds.status).toBe(403);
    await send(service().url, {
      path: '/piis/psd2/v1/nothing',
      headers: { 'Ocp-Apim-Subscription-Key': keys.primary },
    });
    await expect
      .poll(async () => (await developer.get(own('/log'))).text)
      .toMatch(/no such operation[\s\S]*confirmFunds[\s\S]*token-missing/);
    const page = await developer.get(own(`/log?status=4&operation=confirmFunds&live=1`));
    expect(page.headers.refresh).toBe('3');
    expect(page.text).toContain('/problems/consent-not-valid');
    expect(page.text).toContain('What to do');
    expect(page.text).not.toContain('token-missing');
    for (const hidden of [keys.primary, token, '192.0.2.77', 'GR16'])
      expect(page.text.replaceAll(/<a [^>]*>/g, '')).not.toContain(hidden);
    const id = String(funds.headers['x-request-id']);
    expect((await developer.get(own(`/log?id=${id}`))).text.match(/portal-call/g)).toHaveLength(2);
    const usage = await developer.get(own('/usage'));
    expect(usage.text).toContain('<rect class="portal-bar refused"');
  });
});

let other: string | undefined;
const otherTpp = async (): Promise<string> => {
  other ??= await service().app.admin.createTpp({
    name: 'Other',
    registration: 'PSDGR-BOG-OWN2',
    roles: ['PSP_AI'],
  });
  return other;
};

describe('nobody else', () => {
  it('sees or changes anything: the ids of others look absent', async () => {
    const stranger = await visitorOf(await otherTpp());
    expect((await stranger.get('/portal')).text).not.toContain(clientId);
    const unknown = await stranger.get(`/portal/applications/${randomUUID()}`);
    expect(unknown.status).toBe(404);
    for (const step of ['', '/log', '/usage', '/webhook', '/rename'])
      expect((await stranger.get(own(step))).text).toBe(unknown.text);
    const before = (await developer.get(own())).text;
    const forms = [
      'rename',
      'redirects',
      'redirects/remove',
      'keys',
      'keys/roll',
      'secret',
      'end',
      'webhook',
    ];
    for (const step of [...forms, 'webhook/test'])
      expect((await stranger.post(own(`/${step}`), { confirm: 'yes', name: 'x' })).status, step).toBe(404);
    expect((await developer.get(own())).text).toBe(before);
    expect((await stranger.get('/portal/certificates')).text).toContain('No certificate is registered');
  });

  it('posts a form without its token, and a visitor without a login is sent to it', async () => {
    expect((await developer.post(own('/secret'), {}, 'wrong')).status).toBe(403);
    const strangerToken = formTokenIn((await (await visitorOf(await otherTpp())).get('/portal')).text);
    expect((await developer.post(own('/secret'), {}, strangerToken)).status).toBe(403);
    for (const method of ['GET', 'POST']) {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const answer = await send(service().url, {
        method,
        path: own(method === 'GET' ? '' : '/end'),
        headers,
        outsideContract: true,
      });
      expect(answer.headers.location).toBe('/elsewhere/login');
    }
    const left = await developer.post('/portal/leave');
    expect(left.headers.location).toBe('/elsewhere/login');
    expect([left.headers['set-cookie']].flat().join()).toContain(`${VISITOR}=;`);
  });
});
