/** The sandbox as a newcomer meets it: credentials to read, people on the login form, and an end of the way back that exists. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { addRequest, titleOf, Visitor } from '../../account-pages/approve-support.js';
import { Browser, discover, logIn, startAuthorization } from '../../oauth/provider-journey.js';
import { send } from '../../support/client.js';
import { account, FINANCE, ibanOf } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';
import { htmlFaults } from '../../web/html.js';

const asBrowser = {
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
};
const use = useService();
const page = (path: string, service: Service = use()) =>
  send(service.url, { path, headers: asBrowser, outsideContract: true });

/** As a reader pastes it. */
const commandOf = (html: string): string =>
  (/<pre><code>([\s\S]*?)<\/code><\/pre>/.exec(html)?.[1] ?? '')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
/** Without blocking: the service answers in this process. */
const run = async (command: string): Promise<unknown> =>
  JSON.parse((await promisify(execFile)('bash', ['-c', command])).stdout);

describe('ux 7: the demo credentials', () => {
  it('are a page for browsers, under 100 KB and without what the policy forbids', async () => {
    const { status, headers, text } = await page('/sandbox/credentials');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.vary).toBe('Accept');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(htmlFaults(text)).toEqual([]);
    expect(Buffer.byteLength(text)).toBeLessThan(100_000);
    for (const { username, password } of use().credentials.psus) {
      expect(text).toContain(`<code class="block">${username}</code>`);
      expect(text).toContain(`<code class="block">${password}</code>`);
    }
    for (const { subscriptionKey } of use().credentials.applications) expect(text).toContain(subscriptionKey);
    for (const { id } of use().credentials.consents.slice(0, 20)) expect(text).toContain(id);
  });

  it.each([undefined, '*/*', 'application/json', 'application/json, text/html;q=0.9'])(
    'stay JSON for Accept: %s',
    async (accept) => {
      const headers = accept === undefined ? {} : { Accept: accept };
      const answer = await send(use().url, { path: '/sandbox/credentials', headers });
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.headers.vary).toBe('Accept');
      expect(Object.keys(answer.json as object)).toEqual(['baseUrl', 'applications', 'psus', 'consents']);
      expect(Object.keys((answer.json as { psus: object[] }).psus[0] ?? {})).toEqual([
        'username',
        'password',
        'name',
        'canLogIn',
        'about',
        'accounts',
      ]);
    },
  );

  it('mission 8: say who cannot log in, and why', async () => {
    const { text } = await page('/sandbox/credentials');
    expect(text).toContain('cannot log in');
    expect(text).toContain('the bank has locked her login');
    const { json } = await send(use().url, { path: '/sandbox/credentials' });
    const { psus } = json as { psus: { username: string; canLogIn: boolean; about: string }[] };
    const locked = psus.filter(({ canLogIn }) => !canLogIn);
    expect(locked.map(({ username }) => username)).toEqual(['ioanna']);
    expect(locked[0]?.about).toContain('the bank has locked her login');
  });

  it('are named on every login form', async () => {
    const service = use();
    const { url } = await startAuthorization(service, await discover(service));
    const forms = [
      await page('/dashboard'),
      await page(`/authorise/${await addRequest(service)}`),
      (await new Browser(service.url).visit(url.href)).page,
    ];
    for (const { text } of forms)
      expect(text).toContain('<code>eleni</code>, κωδικός <code>eleni-demo</code>');
  });
});

describe('ux 3: the way back of a demo application', () => {
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await use().call({
      method: 'POST',
      path,
      body,
      as: { psu: 'eleni', application: FINANCE },
    });
    expect(answer.status, answer.text).toBe(201);
    return (answer.json as { consentId: string }).consentId;
  };
  /** Decides on the pages, and follows the way back. */
  const comeBack = async (id: string, fields: Record<string, string>) => {
    const visitor = new Visitor(use());
    const shown = await visitor.open(id);
    const { headers } = await visitor.decide(id, shown, fields);
    expect(String(headers.location).startsWith(`${use().url}/sandbox/return/${FINANCE}?`)).toBe(true);
    return page(String(headers.location).slice(use().url.length));
  };
  const iban = ibanOf('eleni', 102);

  it('ends on a page that says what comes next, and the command works when it is pasted', async () => {
    const id = await create('/piis/psd2/v1/consents', { account: { iban } });
    const end = await comeBack(id, { term: 'open', account: account('eleni', 102).id });
    expect([end.status, titleOf(end)]).toEqual([200, 'Back at Finance App: approved']);
    expect(htmlFaults(end.text)).toEqual([]);
    expect(end.text).toContain(id);
    expect(await run(commandOf(end.text))).toEqual({ fundsAvailable: true });
  });

  it('works for accounts and payments as well', async () => {
    const access = await create('/ais/psd2/v1/consents', {
      permissions: ['AccountsBasic'],
      accounts: [{ iban }],
    });
    const accounts = await comeBack(access, { account: account('eleni', 102).id });
    expect(await run(commandOf(accounts.text))).toMatchObject({ accounts: [{ iban }] });
    const payment = await create('/pis/psd2/v1/transfers/domestic', {
      debitAccount: { iban },
      creditAccount: { iban: ibanOf('vasilis', 1101) },
      creditorName: 'Βασίλης Αλεξίου',
      instructedAmount: { currency: 'EUR', amount: 1.5 },
    });
    const paid = await comeBack(payment, { account: account('eleni', 102).id });
    expect(await run(commandOf(paid.text))).toMatchObject({ transactionStatus: expect.any(String) });
  });

  it('says that a request was refused', async () => {
    const id = await create('/piis/psd2/v1/consents', { account: { iban } });
    const end = await comeBack(id, { decision: 'refuse' });
    expect(titleOf(end)).toBe('Back at Finance App: refused');
    expect(await run(commandOf(end.text))).toEqual({ status: 'Rejected' });
  });

  it('shows an authorization code with the command that redeems it', async () => {
    const service = use();
    const browser = new Browser(service.url);
    const { url, verifier } = await startAuthorization(service, await discover(service));
    const callback = await logIn(service, browser, (await browser.visit(url.href)).page);
    const end = await page(`${callback.pathname}${callback.search}`);
    expect(titleOf(end)).toBe('Back at Finance App: logged in');
    expect(await run(`VERIFIER=${verifier}\n${commandOf(end.text)}`)).toMatchObject({ token_type: 'Bearer' });
  });

  it.each([
    `code=${encodeURIComponent("x'; touch /tmp/owned; '")}`,
    `code=${encodeURIComponent('$(id)')}`,
    `consentId=${encodeURIComponent('<script>alert(1)</script>')}&state=${encodeURIComponent('"><img src=x onerror=alert(1)>')}`,
    `error=${encodeURIComponent('<script>')}&error_description=${encodeURIComponent('</code><script>')}`,
    'consentId=__proto__&result=%00',
  ])('shows whatever is in the address as text, and in no command: %s', async (query) => {
    const { status, text } = await page(`/sandbox/return/${FINANCE}?${query}`);
    // A NUL is on no page.
    expect(status).toBe(query.includes('%00') ? 400 : 200);
    expect(htmlFaults(text)).toEqual([]);
    expect(text).not.toMatch(/<script>|<img src=x/);
    expect(commandOf(text)).toBe('');
  });

  it('exists for the demo applications alone, and leads nowhere else', async () => {
    for (const name of ['nobody', 'demo-walkthrough', '__proto__', '%2e%2e'])
      expect((await page(`/sandbox/return/${name}?consentId=1`)).status).toBe(404);
    const { headers } = await page(`/sandbox/return/${FINANCE}?redirect_uri=https://evil.example`);
    expect(headers.location).toBeUndefined();
  });

  it('moves with the service, and keeps every address that was registered besides', async () => {
    const first = await startService();
    const registered = async (service: Service): Promise<string[]> => {
      const row = await withStore(service, (db) =>
        db.one<{ redirect_uris: string }>('select redirect_uris from applications where client_id = ?', [
          FINANCE,
        ]),
      );
      return JSON.parse(row?.redirect_uris ?? '[]') as string[];
    };
    const example = `https://${FINANCE}.example/callback`;
    expect(await registered(first)).toEqual([`${first.url}/sandbox/return/${FINANCE}`, example]);
    const more = ['https://own.example/back', example];
    await withStore(first, (db) =>
      db.run('update applications set redirect_uris = ? where client_id = ?', [
        JSON.stringify(more),
        FINANCE,
      ]),
    );
    const env = { BASE_URL: 'http://sandbox.bank.example:8080' };
    const second = await startService({ databaseUrl: first.databaseUrl, env });
    expect(await registered(second)).toEqual([`${env.BASE_URL}/sandbox/return/${FINANCE}`, ...more]);
    expect(second.credentials.applications[0]?.redirectUri).toBe(`${env.BASE_URL}/sandbox/return/${FINANCE}`);
    await second.close();
    await first.close();
  });
});

describe('ux 21: a request that cannot be approved', () => {
  it.each([
    { kind: 'ConfirmationOfFunds', psu: 'eleni', accounts: [account('nikos', 201)] },
    { kind: 'PaymentInitiation', psu: 'maria', accounts: [account('maria', 301)] },
    { kind: 'AccountAccess', psu: 'ioanna', accounts: [account('ioanna', 1001)] },
  ] as const)('says so, and asks for nothing else: $kind', async ({ psu, ...wanted }) => {
    const service = use();
    const more = wanted.kind === 'AccountAccess' ? { details: { permissions: ['AccountsBasic'] } } : {};
    // Whose login is locked cannot look; the bank may lift that.
    await withStore(service, (db) => db.run('update demo_psus set blocked_until = null'));
    const id = await addRequest(service, { psu, ...wanted, ...more });
    const visitor = new Visitor(service);
    const { text } = await visitor.open(id, psu);
    expect(text).toContain('Μπορείτε μόνο να το απορρίψετε');
    expect(text).not.toMatch(
      /μετά εγκρίνετε|διαλέξτε|Διαλέξτε|class="plain crossed"|value="approve"|Έγκριση πληρωμής/,
    );
  });
});
