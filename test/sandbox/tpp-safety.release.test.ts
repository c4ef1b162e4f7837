/** What the demo third party must not do: believe a browser, tell secrets, keep what it is not sure of, or leave its own address. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { RETURN } from '../../packages/sandbox/src/applications.js';
import { MINUTE } from '../../src/lib/clock.js';
import { Browser } from '../oauth/provider-journey.js';
import { type Answer, send } from '../support/client.js';
import { engines } from '../support/engines.js';
import { ibanOf } from '../support/operations.js';
import { startService } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';
import { START, textOf, Walker } from './walk-support.js';

const funds = { iban: ibanOf('eleni', 101), card: 'Demo Card' };
const WALKTHROUGH = 'demo-walkthrough';

describe('a return from the bank', () => {
  const use = useService();

  /** The state that the third party has pushed. */
  const stateOf = (walker: Walker): string => /state=([\w.-]+)/.exec(walker.text)?.[1] ?? '';

  it('with a state that nobody has sent is explained, and nothing is exchanged', async () => {
    const walker = new Walker(use());
    await walker.begin('funds', 'two');
    await walker.press('push');
    const { page } = await walker.browser.visit(`${START}/callback?code=abc&state=${randomUUID()}.xyz`);
    expect(page.status).toBe(400);
    expect(textOf(page.text)).toContain('belongs to no flow of this browser');
    const walkId = stateOf(walker).split('.')[0];
    const other = await walker.browser.visit(`${START}/callback?code=abc&state=${walkId}.xyz`);
    expect(textOf(other.page.text)).toContain('has been used, or was not awaited');
    expect(await walker.look()).not.toContain('Exchange the code');
  });

  it('in another browser is a stranger, even with the right state', async () => {
    const walker = new Walker(use());
    await walker.begin('funds', 'two');
    await walker.press('push');
    const stranger = new Browser(use().url);
    await stranger.visit(`${START}/walks`, { flow: 'funds', way: 'two' });
    const { page } = await stranger.visit(`${START}/callback?code=abc&state=${stateOf(walker)}`);
    expect(page.status).toBe(400);
    expect((await stranger.request(walker.path)).status).toBe(404);
    expect((await stranger.request(`${walker.path}/push`, {})).status).toBe(404);
  });

  it('is acted upon once', async () => {
    const walker = new Walker(use());
    await walker.begin('funds', 'two');
    await walker.press('push');
    const state = stateOf(walker);
    await walker.press('bank');
    await walker.logIn();
    expect(walker.text).toContain('Create the consent');
    const { page } = await walker.browser.visit(`${START}/callback?code=again&state=${state}`);
    expect(page.status).toBe(400);
    expect(page.text).toContain(`href="${walker.path}"`);
  });

  it('about another consent is ignored', async () => {
    const walker = new Walker(use());
    await walker.begin('funds', 'two');
    await walker.press('push');
    await walker.press('bank');
    await walker.logIn();
    await walker.press('create', funds);
    const state = /TPP-State: ([\w.-]+)/.exec(walker.text)?.[1] ?? '';
    const { page } = await walker.browser.visit(`${START}/callback?consentId=${randomUUID()}&state=${state}`);
    expect(textOf(page.text)).toContain('about another consent');
    await walker.press('bank');
    await walker.decide('approve');
    expect(walker.text).toContain('Consent: Valid');
  });
});

describe('the page of a walk', () => {
  const use = useService();

  it('shows no whole secret, and the store holds it sealed', async () => {
    const walker = new Walker(use());
    await walker.approveInTwo('funds', funds);
    const html = walker.page?.text ?? '';
    const own = use().credentials.applications.find(({ clientId }) => clientId === WALKTHROUGH);
    for (const secret of [own?.clientSecret, own?.subscriptionKey]) expect(html).not.toContain(secret);
    expect(html).not.toMatch(/eyJ[\w-]{20}/);
    expect(html).toContain('$SUBSCRIPTION_KEY');
    const rows = await withStore(use(), (db) => db.all<{ state: string }>('select state from demo_walks'));
    expect(rows.length).toBeGreaterThan(0);
    for (const { state } of rows) expect(state).toMatch(/^v2\.[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it('shows a refusal of the bank as what it is, and lets its reader mend it', async () => {
    const walker = new Walker(use());
    await walker.begin('funds', 'two');
    await walker.press('push');
    await walker.press('bank');
    await walker.logIn();
    await walker.press('create', { ...funds, iban: 'GR00 <b>not this</b>' });
    expect(walker.text).toContain('400 Bad Request');
    expect(walker.page?.text).toContain('href="/problems/validation-failed"');
    expect(walker.page?.text).not.toContain('<b>not this');
    await walker.press('create', funds);
    expect(walker.text).toContain('201 Created');
  });

  it('pushes a request again that the bank has forgotten, and renews a token that is over', async () => {
    const walker = new Walker(use());
    await walker.begin('funds', 'two');
    await walker.press('push');
    use().clock.advance(2 * MINUTE);
    await walker.press('bank');
    await walker.logIn();
    use().clock.advance(11 * MINUTE);
    await walker.press('create', funds);
    expect(walker.text).toContain('Renew the access token');
    expect(walker.text).toContain('201 Created');
  });
});

describe.each(engines)('a webhook with %s', (engine) => {
  const use = useService({ engine });

  const post = (body: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    send(use().url, {
      method: 'POST',
      path: `${START}/webhook`,
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
      outsideContract: true,
    });
  const eventAbout = (consentId: string): string =>
    JSON.stringify({ id: randomUUID(), type: 'consent', consentId, consentStatus: 'Expired' });
  const kept = () =>
    withStore(use(), (db) =>
      db.all<{ message: string; is_verified: number }>(
        'select message, is_verified from demo_webhooks order by is_verified, event_id',
      ),
    );

  /** Those of the bank itself may arrive at any moment. */
  const unproven = async (): Promise<number> =>
    (await kept()).filter((each) => each.is_verified === 0).length;

  it('without a signature is refused: marked where it speaks of a walk, else forgotten', async () => {
    const walker = new Walker(use());
    await walker.approveInTwo('funds', funds);
    const id = /consentId=([0-9a-f-]{36})/.exec(walker.text)?.[1] ?? '';
    const before = await unproven();
    expect((await post(eventAbout(randomUUID()))).status).toBe(401);
    expect(await unproven()).toBe(before);
    expect((await post(eventAbout(id))).status).toBe(401);
    expect(await walker.look()).toContain('Not verified');
    expect(walker.text).toContain('Consent: Valid');
  });

  it('that was changed, or is old, is refused', async () => {
    const walker = new Walker(use());
    await walker.approveInTwo('funds', funds);
    await use().app.runJobs();
    const found = (await kept()).find((each) => each.is_verified === 1);
    const { headers, body } = JSON.parse(found?.message ?? '{}') as {
      headers: { name: string; value: string }[];
      body: string;
    };
    const sent = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
    const bytes = JSON.stringify(JSON.parse(body));
    expect((await post(bytes, sent)).status).toBe(204);
    expect((await post(bytes.replace('Valid', 'Expired'), sent)).status).toBe(401);
    expect((await post(bytes, { ...sent, 'Event-ID': randomUUID() })).status).toBe(401);
    const { Signature: _left, ...unsigned } = sent;
    expect((await post(bytes, unsigned)).status).toBe(401);
    use().clock.advance(6 * MINUTE);
    expect((await post(bytes, sent)).status).toBe(401);
  });

  it('that is too large, or no event, is refused', async () => {
    const before = await unproven();
    for (const body of ['', 'nonsense', '[]', 'null', '{"id":1}', `"${'x'.repeat(16_384)}"`])
      expect((await post(body)).status, body.slice(0, 10)).toBe(400);
    expect(await unproven()).toBe(before);
  });
});

describe('the application of the walkthrough', () => {
  it('lives where the service is, also on another port and in a store that did not have it', async () => {
    const first = await startService();
    const applicationOf = (credentials: typeof first.credentials) =>
      credentials.applications.find(({ clientId }) => clientId === WALKTHROUGH);
    expect(applicationOf(first.credentials)?.redirectUri).toBe(`${first.url}${START}/callback`);
    const others = first.credentials.applications.filter(({ clientId }) => clientId !== WALKTHROUGH);
    expect(others.map(({ redirectUri }) => redirectUri)).toEqual(
      others.map(({ clientId }) => `${first.url}${RETURN}/${clientId}`),
    );
    await withStore(first, async (db) => {
      await db.run(
        'delete from subscription_keys where subscription_id in (select id from subscriptions where client_id = ?)',
        [WALKTHROUGH],
      );
      await db.run('delete from subscriptions where client_id = ?', [WALKTHROUGH]);
      await db.run('delete from applications where client_id = ?', [WALKTHROUGH]);
      await db.run('delete from tpps where registration = ?', ['PSDGR-BOG-DEMO0005']);
    });
    const second = await startService({ databaseUrl: first.databaseUrl });
    const walker = new Walker(second);
    await walker.approveInTwo('funds', funds);
    expect(walker.text).toContain('Permission granted');
    await second.close();
    await first.close();
  });
});
