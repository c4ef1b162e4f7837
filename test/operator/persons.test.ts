/** Who of the bank finds and sees an account holder: each page of the console by each role, and the rows that it leaves in the audit log. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoOperator } from '../../packages/sandbox/src/demo-operator.js';
import { type OperatorRole, operatorRoles } from '../../src/acts/role.js';
import { atmsOf } from '../../src/atms/publication.js';
import { type ConsolePath, maySee, pages } from '../../src/console/pages.js';
import { SECOND } from '../../src/lib/clock.js';
import { derivedKey, isOutdated } from '../../src/lib/passphrase.js';
import { totpCode } from '../../src/lib/totp.js';
import { type Service, startService } from '../support/service.js';
import { withStore } from '../support/use-service.js';
import { enrolOperator, insertPayment, UNRESOLVE } from './support.js';
import { Visitor } from './visitor.js';

describe('persons in the console', () => {
  let service: Service;
  let tppId = '';
  let consentId = '';
  let personId = '';
  let paymentId = '';
  let clientId = '';
  let draftId = '';
  const visitors = new Map<OperatorRole, Visitor>();
  const admin = () => service.app.admin;
  const newest = async () => (await admin().audit({}, 1))[0];
  const as = (role: OperatorRole): Visitor => {
    const visitor = visitors.get(role);
    if (!visitor) throw new Error(`no ${role}`);
    return visitor;
  };
  const enrol = (name: string, role: OperatorRole) => enrolOperator(service, name, role);
  const unresolve = () => withStore(service, (db) => db.run(UNRESOLVE, [paymentId]));

  beforeAll(async () => {
    service = await startService();
    for (const role of operatorRoles) visitors.set(role, await enrol(`${role}er`, role));
    [tppId = ''] = (await admin().tpps()).map(({ id }) => id);
    [clientId = ''] = (await admin().applications(tppId)).map((each) => each.clientId);
    consentId = service.consent('AccountAccess').id;
    personId = (await admin().consent(consentId))?.psuId ?? '';
    const atms = atmsOf((await admin().publishedAtms()) ?? { body: '[]' });
    draftId = await admin().draftAtms(JSON.stringify(atms.slice(1)), undefined, 'operator:x');
    paymentId = await insertPayment(service);
  });
  afterAll(() => service.close());

  /** Rows since then: who did what about whom. */
  const seen = async (since: number): Promise<string[]> => {
    const rows = await admin().audit({}, 50);
    return rows
      .filter(({ position }) => position > since)
      .map(({ actor, act, subject }) => `${actor} ${act} ${subject}`);
  };
  const ids: Readonly<Record<string, () => string>> = {
    '/parties/:id': () => tppId,
    '/consents/:id': () => consentId,
    '/people/:id': () => personId,
    '/events/:id': () => clientId,
    '/atms/:id': () => draftId,
  };
  const addressOf = (path: ConsolePath): string => {
    const found = path === '' ? `?q=${personId}` : '';
    return `/operator${path.replace(':id', encodeURIComponent(ids[path]?.() ?? ''))}${found}`;
  };
  const reads = (Object.keys(pages) as ConsolePath[]).flatMap((path) =>
    operatorRoles.map((role) => [path, role] as const),
  );
  /** Longer than a reason counts, at work all the time. */
  const workOn = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) {
      service.clock.advance(11 * 60 * SECOND);
      for (const visitor of visitors.values()) expect((await visitor.get('/operator')).status).toBe(200);
    }
  };

  it.each(reads)('%s is shown to %s or refused, and no person without a row', async (path, role) => {
    await unresolve();
    const isOfPerson = ['/people/:id', '/consents/:id'].includes(path);
    if (isOfPerson) await workOn();
    const since = (await newest())?.position ?? 0;
    const { status, body } = await as(role).get(addressOf(path));
    expect(status).toBe(maySee(role, path) ? 200 : 403);
    const text = body.replaceAll(/ (action|value)="[^"]*"|<a class="language[^>]*>/g, '');
    const isAsked = body.includes('id="opening-reason"');
    expect(isAsked).toBe(status === 200 && isOfPerson);
    const showsPerson = [personId, consentId, paymentId].some((id) => text.includes(id));
    const who = `operator:${role}er`;
    if (showsPerson && !isAsked && path !== '/audit')
      expect((await seen(since)).every((row) => row.startsWith(who))).toBe(true);
    if (showsPerson && !isAsked && path !== '/audit') expect(await seen(since)).not.toEqual([]);
    if (!isAsked) return;
    expect(await seen(since)).toEqual([]);
    expect((await as(role).press(`${addressOf(path)}/open`, { reason: 'case 17' })).status).toBe(303);
    expect((await as(role).get(addressOf(path))).body).toContain(consentId);
    const rows = [`${who} person.open person:${personId}`];
    if (path === '/consents/:id') rows.unshift(`${who} consent.open consent:${consentId}`);
    expect(await seen(since)).toEqual(rows);
    // Once for a person and a session.
    await as(role).get(addressOf(path));
    expect((await as(role).get(addressOf('/people/:id'))).body).not.toContain('opening-reason');
    expect(await seen(since)).toEqual(rows);
    expect((await admin().audit({ act: 'person.open' }, 1))[0]).toMatchObject({ reason: 'case 17' });
  });

  it('asks for the reason again in another session', async () => {
    const again = await enrol('customerser', 'customers');
    visitors.set('customers', again);
    expect((await again.get(addressOf('/people/:id'))).body).toContain('opening-reason');
    // The form of an act that is refused shows nothing either.
    const { body } = await again.press(`${addressOf('/consents/:id')}/end`, { reason: '' });
    expect(body).toContain('opening-reason');
    expect(body).not.toContain(personId);
  });

  it('finds by third party, registration, application, consent, payment, person and X-Request-ID', async () => {
    const requestId = randomUUID();
    const headers = { 'X-Request-ID': requestId };
    await service.call({ path: '/psd2/v1/opendata/atm', headers });
    await expect.poll(() => admin().search(requestId)).toMatchObject([{ kind: 'call' }]);
    const [tpp] = await admin().tpps(tppId);
    const person = (await admin().consent(consentId))?.psuId ?? '';
    const wanted = [
      tpp?.name.slice(0, 4),
      tpp?.registration,
      clientId,
      consentId,
      paymentId,
      person,
      requestId,
    ];
    for (const text of wanted) {
      const { status, body } = await as('admin').get(`/operator?q=${encodeURIComponent(text ?? '')}`);
      expect(status).toBe(200);
      expect(body).toMatch(/href="\/operator\/(parties|consents|people)\/[^"]/);
    }
    for (const text of ["' or 1=1 --", '%', '<b>', 'x'.repeat(5000)])
      expect((await as('admin').get(`/operator?q=${encodeURIComponent(text)}`)).status).toBeLessThan(500);
  });

  it('keeps accounts of versions with other roles', async () => {
    await withStore(service, (db) => db.run("update operators set role = 'read' where name = 'serviceer'"));
    await withStore(service, (db) => db.run("update operators set role = 'care' where name = 'customerser'"));
    expect((await as('service').get(addressOf('/people/:id'))).status).toBe(403);
    expect((await as('customers').get(addressOf('/payments'))).status).toBe(200);
    expect((await admin().operators()).map(({ role }) => role)).not.toContain('read');
  });

  it('makes a hash with parameters of before anew at the next right login', async () => {
    const hashOf = () =>
      withStore(
        service,
        async (db) =>
          (
            await db.one<{ hash: string }>(
              "select passphrase_hash as hash from operators where name = 'demo'",
            )
          )?.hash ?? '',
      );
    const before = `salt.${await derivedKey(demoOperator.passphrase, 'salt', { N: 16_384, r: 8, p: 1 })}`;
    await withStore(service, (db) =>
      db.run("update operators set passphrase_hash = ? where name = 'demo'", [before]),
    );
    const { name, passphrase, totp } = demoOperator;
    const logIn = (form: object) => new Visitor(service.app.consoleUrl).logIn({ name, passphrase, ...form });
    expect((await logIn({ code: '000000' })).status).toBe(400);
    expect(await hashOf()).toBe(before);
    expect((await logIn({ code: totpCode(totp, service.clock.now()) })).status).toBe(303);
    expect(isOutdated(await hashOf())).toBe(false);
  });

  it('leaves the page and the operator in the request log', async () => {
    await as('admin').get(addressOf('/people/:id'));
    const isThere = () =>
      service.logs.some((line) => line.includes('"page":"/operator/people/:id","operator":"adminer"'));
    await expect.poll(isThere).toBe(true);
    expect(service.logs.join('')).not.toContain(`people/${personId}`);
  });
});
