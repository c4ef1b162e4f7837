/** The operator console: who comes in, what each role may do, and that every button leaves its row in the audit log. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verbOf } from '../../src/acts/act.js';
import { isAmong, type OperatorRole, operatorRoles } from '../../src/acts/role.js';
import { derivedActs } from '../../src/admin/derived.js';
import type { Atm } from '../../src/atms/atm.js';
import { atmsOf } from '../../src/atms/publication.js';
import { verifyAudit } from '../../src/audit/verify.js';
import { DAY, SECOND } from '../../src/lib/clock.js';
import { dateAt } from '../../src/lib/day.js';
import { totpCode } from '../../src/lib/totp.js';
import { acts, type ConsoleAct, mayDo } from '../../src/operator/roles.js';
import { quartersUntil } from '../../src/statistics/quarters.js';
import { testVault } from '../support/audit.js';
import { engines } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';
import { withStore } from '../support/use-service.js';
import { enrolOperator, insertPayment, UNRESOLVE } from './support.js';
import { Visitor } from './visitor.js';

const ALIVE = `insert into statistics_spans (kind, node, first_at, last_at) values ('beat', 'test', ?, ?)`;
/** Who may press what: acts that are values, and those that are not yet. */
const mayPress = new Map<string, (role: OperatorRole) => boolean>([
  ...derivedActs.flatMap(([, act]) =>
    act.page
      ? [[`${act.page.things}/${verbOf(act)}`, (role: OperatorRole) => isAmong(act.roles, role)] as const]
      : [],
  ),
  ...(Object.keys(acts) as ConsoleAct[]).map(
    (name) => [name, (role: OperatorRole) => mayDo(role, name)] as const,
  ),
]);
const may = (role: OperatorRole, name: string): boolean => mayPress.get(name)?.(role) ?? false;

const CHANNELS = 'date,channel,uptimePercent\n2030-01-01,Web banking,99.97\n';
const texts = { textEl: 'Βλάβη', textEn: 'Down' };
/** As a field for a moment sends it, in UTC: a few hours do not matter. */
const local = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

describe.each(engines)('the operator console on %s', (engine) => {
  let service: Service;
  let tppId = '';
  let consentId = '';
  let personId = '';
  let paymentId = '';
  let clientId = '';
  let subscription = '';
  const redirects = 'https://new.example/a';
  let eventId = '';
  let draftId = '';
  let downtimeId = '';
  let incidentId = '';
  let lastQuarter = '';
  const visitors = new Map<OperatorRole, Visitor>();
  const admin = () => service.app.admin;
  const newest = async () => (await admin().audit({}, 1))[0];

  const published = async (): Promise<Atm[]> => atmsOf((await admin().publishedAtms()) ?? { body: '[]' });

  const enrol = (name: string, role: OperatorRole) => enrolOperator(service, name, role);
  const as = (role: OperatorRole): Visitor => {
    const visitor = visitors.get(role);
    if (!visitor) throw new Error(`no ${role}`);
    return visitor;
  };

  beforeAll(async () => {
    service = await startService({ engine });
    for (const role of operatorRoles) visitors.set(role, await enrol(`${role}er`, role));
    [tppId = ''] = (await admin().tpps()).map(({ id }) => id);
    [clientId = ''] = (await admin().applications(tppId)).map((each) => each.clientId);
    [subscription = ''] = (await admin().keys(tppId)).map((each) => each.subscriptionId);
    consentId = service.consent('AccountAccess').id;
    personId = (await admin().consent(consentId))?.psuId ?? '';
    await admin().setWebhook(clientId, { url: 'http://127.0.0.1:9/events' });
    await admin().endConsent(service.consent('ConfirmationOfFunds', 'Valid', { application: clientId }).id, {
      by: 'core',
      why: 'an event is needed',
    });
    const atms = await published();
    draftId = await admin().draftAtms(JSON.stringify(atms.slice(1)), undefined, 'operator:x');
    [eventId = ''] = (await admin().deliveries(clientId)).map(({ id }) => id);
    const from = service.clock.now() + DAY;
    downtimeId = await admin().announceDowntime({ ...texts, from, to: from + DAY });
    incidentId = await admin().openIncident(texts);
    [, lastQuarter = ''] = quartersUntil(service.clock.now(), 'UTC', 2);
    await withStore(service, (db) => db.run(ALIVE, [1, service.clock.now()]));
    paymentId = await insertPayment(service);
  });
  afterAll(() => service.close());
  const announced = (days: number) => {
    const from = service.clock.now() + days * DAY;
    return { ...texts, from: local(from), to: local(from + DAY) };
  };

  /** How the button is pressed, and what its row is about. */
  const presses: Readonly<Record<string, () => readonly [id: string, subject: string, form?: object]>> = {
    'parties/suspend': () => [tppId, `tpp:${tppId}`],
    'parties/resume': () => [tppId, `tpp:${tppId}`],
    'parties/quota': () => [tppId, `subscription:${subscription}`, { subscription, perDay: '-' }],
    'parties/redirects': () => [tppId, `application:${clientId}`, { application: clientId, redirects }],
    'parties/secret': () => [tppId, `application:${clientId}`, { application: clientId }],
    'parties/unattended': () => [tppId, `tpp:${tppId}`, { unattended: '24' }],
    'people/open': () => [personId, `person:${personId}`],
    'consents/open': () => [consentId, `person:${personId}`],
    'consents/end': () => [consentId, `consent:${consentId}`],
    'payments/retry': () => [paymentId, `payment:${paymentId}`],
    'payments/settle': () => [paymentId, `payment:${paymentId}`, { outcome: 'rejected', code: 'AC04' }],
    'atms/publish': () => [draftId, 'atms'],
    'events/retry': () => [clientId, `application:${clientId}`],
    'events/redeliver': () => [clientId, `application:${clientId}`, { event: eventId }],
    'statistics/publish': () => [lastQuarter, `quarter:${lastQuarter}`],
    'statistics/import': () => ['2030Q1', 'channels', { pasted: CHANNELS }],
    'downtimes/announce': () => ['new', expect.stringMatching(/^downtime:/), announced(3)],
    'downtimes/cancel': () => [downtimeId, `downtime:${downtimeId}`],
    'incidents/open': () => ['new', expect.stringMatching(/^incident:/), texts],
    'incidents/update': () => [incidentId, `incident:${incidentId}`, texts],
    'incidents/close': () => [incidentId, `incident:${incidentId}`, texts],
  };
  const unresolve = () => withStore(service, (db) => db.run(UNRESOLVE, [paymentId]));

  const matrix = Object.keys(presses).flatMap((act) => operatorRoles.map((role) => [act, role] as const));

  /** There is nothing left to do for the second one who may. */
  const once: readonly string[] = [
    'consents/end',
    'atms/publish',
    'statistics/publish',
    'downtimes/cancel',
    'incidents/close',
  ];

  it('has a press of every button; decisions on what another person has proposed are in proposals.test.ts', () => {
    const pressed = [...mayPress.keys()].filter((name) => !name.startsWith('proposals/'));
    expect(Object.keys(presses).toSorted()).toEqual(pressed.toSorted());
  });

  it.each(matrix)('%s by %s is done with an audit row, or refused without one', async (act, role) => {
    const [id, subject, form = {}] = presses[act]?.() ?? ['', ''];
    if (act.startsWith('payments/')) await unresolve();
    const path = `/operator/${act.replace('/', `/${encodeURIComponent(id)}/`)}`;
    const before = await newest();
    const { status } = await as(role).press(path, { reason: 'asked by phone', ...form });
    const after = await newest();
    const isFirst = !once.includes(act) || role === operatorRoles.find((each) => may(each, act));
    if (isFirst || !may(role, act))
      expect(status).toBe(may(role, act) ? (act === 'parties/secret' ? 200 : 303) : 403);
    if (may(role, act) && isFirst)
      expect(after).toMatchObject({ actor: `operator:${role}er`, subject, reason: 'asked by phone' });
    else expect(after?.position).toBe(before?.position);
  });

  it('does nothing without a reason', async () => {
    const before = await newest();
    for (const reason of ['', ' ', 'x'.repeat(141)]) {
      const { status, body } = await as('admin').press(`/operator/parties/${tppId}/suspend`, { reason });
      expect(status).toBe(400);
      expect(body).toContain('suspend-reason-error');
    }
    expect((await newest())?.position).toBe(before?.position);
  });

  it.each([randomUUID(), 'Ω/..'])('says so if the record is gone, and leaves no row: %s', async (id) => {
    const before = await newest();
    // A backlog may be empty: that it was sent again is noted all the same.
    const others = [
      'people/open',
      'events/retry',
      'statistics/import',
      'downtimes/announce',
      'incidents/open',
    ];
    for (const act of [...mayPress.keys()].filter((each) => !others.includes(each))) {
      const path = `/operator/${act.replace('/', `/${encodeURIComponent(id)}/`)}`;
      const { status, location } = await as('admin').press(path, {
        reason: 'x',
        outcome: 'settled',
        ...texts,
      });
      expect([act, status, location?.includes('?done=')]).toEqual([act, 303, true]);
    }
    expect((await newest())?.position).toBe(before?.position);
  });

  it.each([
    ['incidents/a%00b/update', {}],
    ['incidents/new/open', { textEl: 'a\0b' }],
    ['parties/x/suspend', { reason: 'a\0b' }],
  ])('refuses a NUL, which PostgreSQL has no place for: %s %j', async (path, form) => {
    const before = await newest();
    const { status } = await as('admin').press(`/operator/${path}`, {
      reason: 'x',
      from: '',
      ...texts,
      ...form,
    });
    expect([status, (await as('admin').get('/operator?q=a%00b')).status]).toEqual([400, 400]);
    expect((await newest())?.position).toBe(before?.position);
  });

  it.each([
    ['downtimes/new/announce', { from: '2026-02-30T10:00' }, 'announce-from'],
    ['downtimes/new/announce', { to: 'tomorrow' }, 'announce-to'],
    ['downtimes/new/announce', { to: '2020-01-01T00:00' }, 'announce-to'],
    ['downtimes/new/announce', { from: '2020-01-01T00:00', to: '2020-01-02T00:00' }, 'announce-from'],
    ['downtimes/new/announce', { textEn: ' ' }, 'announce-textEn'],
    ['incidents/new/open', { from: '', textEn: 'x'.repeat(501) }, 'open-textEn'],
    ['incidents/new/open', { from: '2020-01-01T00:00' }, 'open-from'],
    ['incidents/new/open', { from: '', textEl: 'x'.repeat(501) }, 'open-textEl'],
    ['statistics/2030Q1/import', { pasted: 'date,channel\n' }, 'file'],
    ['statistics/2030Q1/import', {}, 'file'],
    ['statistics/2030Q1/publish', {}, 'publish-reason'],
  ])('says beside its field what is wrong with %s %j', async (path, form, field) => {
    const before = await newest();
    const sent = { reason: 'x', ...announced(3), ...form };
    const { status, body } = await as('admin').press(`/operator/${path}`, sent);
    expect([status, body.includes(`href="#${field}"`)]).toEqual([400, true]);
    expect((await newest())?.position).toBe(before?.position);
  });

  it('does nothing for a form of another page, of another site, or without a session', async () => {
    const path = `/operator/parties/${tppId}/suspend`;
    const before = await newest();
    expect((await as('admin').post(path, { reason: 'x', form_token: 'y' })).status).toBe(403);
    expect((await as('admin').press(path, { reason: 'x' }, { origin: 'https://evil.example' })).status).toBe(
      403,
    );
    const stranger = await new Visitor(service.app.consoleUrl).post(path, { reason: 'x' });
    expect([stranger.status, stranger.location]).toEqual([303, '/operator/login']);
    expect((await newest())?.position).toBe(before?.position);
  });

  it('suspends until a day and lets in again after it, by itself', async () => {
    const path = `/operator/parties/${tppId}/suspend`;
    const wrong = await as('admin').press(path, { reason: 'fraud', until: '2020-01-01' });
    expect(wrong.body).toContain('until-error');
    const today = dateAt(service.clock.now(), 'Europe/Athens');
    const reason = '<script>alert(1)</script>';
    expect((await as('admin').press(path, { reason, until: today })).status).toBe(303);
    const page = await as('service').get(`/operator/parties/${tppId}`);
    expect(page.body).toContain('&lt;script>alert(1)');
    expect(page.body).toContain('68(6)');
    expect((await admin().tpps(tppId))[0]?.status).toBe('suspended');
    service.clock.advance(2 * DAY);
    await service.app.runJobs();
    expect((await admin().tpps(tppId))[0]).toMatchObject({ status: 'active', suspendedUntil: null });
    const [row] = await admin().audit({ act: 'tpp.resume', subject: `tpp:${tppId}` }, 1);
    expect(row).toMatchObject({ actor: 'system' });
  });

  it('knows a session until it is idle, left or its account is removed', async () => {
    const again = await enrol('careless', 'service');
    expect((await again.get('/operator')).status).toBe(200);
    await admin().removeOperator('careless');
    expect((await again.get('/operator')).location).toBe('/operator/login');
    const lowered = await enrol('lowered', 'admin');
    await admin().addOperator('lowered', { role: 'service' });
    expect((await lowered.get('/operator')).location).toBe('/operator/login');
    const idle = await enrol('idle', 'service');
    service.clock.advance(15 * 60 * SECOND);
    expect((await idle.get('/operator')).location).toBe('/operator/login');
    const left = await enrol('left', 'admin');
    await left.press('/operator/leave', {});
    expect((await left.get('/operator')).location).toBe('/operator/login');
    visitors.set('admin', await enrol('adminer', 'admin'));
  });

  it('takes a code once, and pauses after five wrong ones', async () => {
    const totp = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const code = () => totpCode(totp, service.clock.now());
    const logIn = async (form: object): Promise<number> =>
      (
        await new Visitor(service.app.consoleUrl).logIn({
          name: 'demo',
          passphrase: 'open sesame 1234',
          ...form,
        })
      ).status;
    const first = code();
    expect(await logIn({ code: first })).toBe(303);
    expect(await logIn({ code: first })).toBe(400);
    service.clock.advance(60 * SECOND);
    expect(await logIn({ code: code(), passphrase: 'wrong' })).toBe(400);
    for (let index = 0; index < 3; index += 1) expect(await logIn({ code: '000000' })).toBe(400);
    expect(await logIn({ code: code() })).toBe(429);
    service.clock.advance(DAY);
    expect(await logIn({ code: code() })).toBe(303);
    visitors.set('admin', await enrol('adminer', 'admin'));
  });

  it('shows what another ATM list changes, and publishes it with a reason', async () => {
    const upload = (list: object | string | Uint8Array, role: OperatorRole = 'admin') =>
      as(role).upload(
        '/operator/atms',
        typeof list === 'string' || list instanceof Uint8Array ? list : JSON.stringify(list),
      );
    for (const role of operatorRoles) visitors.set(role, await enrol(`${role}er`, role));
    const added = randomUUID();
    const [first, second, ...rest] = await published();
    const next = [{ ...second, name: '<i>New</i>' }, { ...first, id: added }, ...rest, { id: 'broken' }];
    expect((await upload(next, 'customers')).status).toBe(403);
    for (const wrong of ['', 'no list', Buffer.from('\ufeff[]', 'utf16le'), []]) {
      const { status, body, location } = await upload(wrong);
      if (status === 400) expect(body).toContain('href="#file"');
      else expect((await as('admin').get(location ?? '')).body).not.toContain('/publish"');
    }
    const { location } = await upload(next);
    const preview = location ?? '';
    const { body } = await as('service').get(preview);
    expect(body).toContain(`<li>${added}</li>`);
    expect(body).toContain(`<li>${second?.id}: name</li>`);
    expect(body).toContain(`<li>${first?.id}</li>`);
    expect(body).toContain('<h2 id="refused">');
    const press = (form: object) => as('admin').press(`${preview}/publish`, { reason: 'new ATM', ...form });
    expect((await press({})).body).toContain('href="#allow"');
    expect((await press({ allow: 'yes' })).location).toBe('/operator/atms?done=published');
    expect(await newest()).toMatchObject({
      act: 'atms.publish',
      actor: 'operator:adminer',
      reason: 'new ATM',
    });
    expect((await published()).map(({ id }) => id)).toContain(added);
    expect((await press({ allow: 'yes' })).location).toContain('done=replaced');
  });

  it('leaves a chain that is whole', async () => {
    await withStore(service, async (db) => expect((await verifyAudit(db, testVault)).broken).toBeUndefined());
  });
});
