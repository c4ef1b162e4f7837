/** Approval in the bank's app: nothing is approved before the bank says `right`, and only what was sent with a form. */
import { describe, expect, test } from 'vitest';
import { DAY, MINUTE } from '../../src/lib/clock.js';
import { addAccess } from '../api/ais/support.js';
import { type Answer, send } from '../support/client.js';
import { account } from '../support/operations.js';
import { journeyPlaces, type Service } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';
import { htmlFaults } from '../web/html.js';
import {
  addRequest,
  BACK,
  changeDetails,
  forgetCodes,
  hiddenFields,
  paymentDetails,
  smallPayment,
  stored,
  titleOf,
  Visitor,
} from './approve-support.js';
import { DASHBOARD, DashboardVisitor } from './dashboard/support.js';

const TITLE = 'Επιβεβαιώστε στην εφαρμογή της τράπεζάς σας';
const OVER = 'Το αίτημα στην εφαρμογή της τράπεζας δεν ισχύει πια';

interface PhoneRequest {
  readonly challengeId: string;
  readonly payment: { readonly amount: string; readonly payee: string } | null;
}

const control = async (service: Service, method: string, path: string, body?: object) =>
  send(service.coreUrl ?? '', {
    method,
    path: `/simulator/${path}`,
    outsideContract: true,
    headers: { 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

/** What waits on the phone, the newest first. */
const onPhone = async (service: Service): Promise<readonly PhoneRequest[]> => {
  if (service.coreUrl) {
    const { json } = await control(service, 'GET', 'phone');
    return (json as { requests: PhoneRequest[] }).requests;
  }
  const { text } = await new Visitor(service).get('/sandbox/phone');
  return [...text.matchAll(/<h2>(?:Πληρωμή ([^<]*);|[^<]*)<\/h2>.*?name="challenge" value="([^"]*)"/gs)].map(
    ([, amount, challengeId = '']) => ({ challengeId, payment: amount ? { amount, payee: '' } : null }),
  );
};

const answer = async (service: Service, decision: 'right' | 'refused'): Promise<void> => {
  const [{ challengeId } = { challengeId: '' }] = await onPhone(service);
  if (service.coreUrl) await control(service, 'POST', 'phone', { challengeId, answer: decision });
  else await new Visitor(service).post('/sandbox/phone', { challenge: challengeId, answer: decision });
};

/** Where the person waits for what the page has shown. */
const waitingOf = (id: string, page: Answer): string =>
  `/authorise/${id}/waiting?shown=${encodeURIComponent(hiddenFields(page.text).shown ?? '')}&method=app`;
const location = ({ status, headers }: Answer) => [status, headers.location];

describe.each(journeyPlaces())('approval in the app on %s, %s', (engine, core) => {
  const service = useService({ engine, core });

  const begin = async (more: object = {}) => {
    await forgetCodes(service());
    const id = await addRequest(service(), { psu: 'katerina', details: smallPayment, ...more });
    const visitor = new Visitor(service());
    const page = await visitor.open(id, 'katerina');
    return { id, visitor, page, waiting: waitingOf(id, page) };
  };
  const approve = ({ id, visitor, page }: Awaited<ReturnType<typeof begin>>): Promise<Answer> =>
    visitor.decide(id, page, { account: account('katerina', 501).id });

  test('the page says where to confirm, waits, asks again by itself, and carries out what was chosen', async () => {
    const before = await onPhone(service());
    const visit = await begin();
    const { id, visitor, page, waiting } = visit;
    // Nothing goes to the app because a page was opened.
    expect(await onPhone(service())).toEqual(before);
    expect(page.text).toContain('Android *** 42');
    expect(page.text).not.toContain('name="code"');
    expect(page.headers.refresh).toBeUndefined();
    // The tests reach the service by an IP address, where no passkey works: the page offers the rest.
    expect(page.text).toContain('name="change" value="sms"');
    expect(page.text).not.toContain('name="change" value="passkey"');
    expect(location(await approve(visit))).toEqual([303, waiting]);
    const wait = await visitor.get(waiting);
    expect([wait.status, titleOf(wait), htmlFaults(wait.text)]).toEqual([200, TITLE, []]);
    expect(wait.headers.refresh).toBe(`5; url=${waiting}`);
    for (const shown of ['Βασίλης Αλεξίου', '12,50', '12.50 EUR', 'DE89 3704'])
      expect(wait.text).toContain(shown);
    expect((await onPhone(service()))[0]?.payment?.amount).toBe('12.50 EUR');
    expect((await stored(service(), id)).status).toBe('Received');
    await answer(service(), 'right');
    const done = await visitor.get(waiting);
    expect(done.headers.location).toContain(`${BACK}?consentId=${id}`);
    expect(done.headers.location).toContain('result=approved');
    expect(await stored(service(), id)).toMatchObject({
      status: 'Valid',
      accounts: [account('katerina', 501).id],
    });
    // Once more, as with the back button: what became of it, and nothing new.
    expect(location(await visitor.get(waiting))).toEqual([303, `/authorise/${id}`]);
    expect((await stored(service(), id)).steps).toEqual(['Received', 'Valid']);
  });

  test('a confirmation that no form has asked for approves nothing', async () => {
    const { id, visitor, waiting } = await begin();
    await answer(service(), 'right');
    expect(location(await visitor.get(waiting))).toEqual([303, `/authorise/${id}`]);
    expect((await stored(service(), id)).status).toBe('Received');
    const stranger = new Visitor(service());
    expect((await stranger.get(waiting)).text).toContain('name="password"');
    const other = await begin();
    expect((await other.visitor.get(waiting)).text).not.toContain('result=approved');
    const forged = await visitor.post(`/authorise/${id}/decision`, { decision: 'approve' });
    expect(forged.status).toBe(403);
    expect((await stored(service(), id)).status).toBe('Received');
  });

  test('a confirmation of what has changed meanwhile approves nothing', async () => {
    const visit = await begin();
    const { id, visitor, waiting } = visit;
    await approve(visit);
    await changeDetails(service(), id, { ...paymentDetails, creditorName: 'Mallory' });
    await answer(service(), 'right');
    const changed = await visitor.get(waiting);
    expect([changed.status, changed.headers.location]).toEqual([409, undefined]);
    expect((await stored(service(), id)).status).toBe('Received');
  });

  test('a refusal in the app approves nothing, and neither does one that comes too late', async () => {
    const visit = await begin();
    const { id, visitor, waiting } = visit;
    await approve(visit);
    await answer(service(), 'refused');
    const refused = await visitor.get(waiting);
    expect([refused.status, refused.headers.refresh]).toEqual([400, undefined]);
    expect(refused.text).toContain('Απορρίψατε το αίτημα στην εφαρμογή');
    await answer(service(), 'right');
    expect(location(await visitor.get(waiting))).toEqual([303, `/authorise/${id}`]);
    expect((await visitor.get(`/authorise/${id}`)).text).toContain(OVER);
    expect((await stored(service(), id)).status).toBe('Received');

    const late = await begin();
    await approve(late);
    await answer(service(), 'right');
    service().clock.advance(5 * MINUTE);
    await late.visitor.open(late.id, 'katerina');
    expect(location(await late.visitor.get(late.waiting))).toEqual([303, `/authorise/${late.id}`]);
    expect((await stored(service(), late.id)).status).toBe('Received');
  });

  test('two windows approve once; a code cannot be typed in its place', async () => {
    const visit = await begin();
    const { id, visitor, page, waiting } = visit;
    await approve(visit);
    const fields = { ...hiddenFields(page.text), decision: 'approve', code: '123456' };
    const typed = await visitor.post(`/authorise/${id}/decision`, {
      ...fields,
      account: account('katerina', 501).id,
    });
    expect(location(typed)).toEqual([303, waiting]);
    await answer(service(), 'right');
    const ends = await Promise.all([1, 2, 3].map(() => visitor.get(waiting)));
    expect(ends.every(({ status }) => status === 303)).toBe(true);
    expect((await stored(service(), id)).steps).toEqual(['Received', 'Valid']);
  });

  test('whoever asks too often is answered without the bank, and the confirmation is not lost', async () => {
    const visit = await begin();
    const { visitor, waiting } = visit;
    await approve(visit);
    for (let times = 0; times < 30; times += 1) expect((await visitor.get(waiting)).status).toBe(200);
    await answer(service(), 'right');
    expect(titleOf(await visitor.get(waiting))).toBe(TITLE);
    await forgetCodes(service());
    expect((await visitor.get(waiting)).headers.location).toContain('result=approved');
  });

  test('a renewal and the dashboard wait for the app too', async () => {
    await forgetCodes(service());
    const access = await addAccess(service(), {
      psu: 'katerina',
      scaAgeMs: 180 * DAY,
      expiresInMs: 99 * DAY,
    });
    const path = `/ais/psd2/v1/consents/${access.id}/authorisations`;
    expect((await service().call({ method: 'POST', path, as: access.as })).status).toBe(201);
    const visitor = new DashboardVisitor(service());
    const page = await visitor.open(access.id, 'katerina');
    const waiting = waitingOf(access.id, page);
    expect(location(await visitor.decide(access.id, page))).toEqual([303, waiting]);
    expect(titleOf(await visitor.get(waiting))).toBe(TITLE);
    await answer(service(), 'right');
    expect((await visitor.get(waiting)).headers.location).toContain('result=approved');

    const form = await visitor.get(DASHBOARD);
    expect(form.headers.refresh).toBeUndefined();
    const entry = await visitor.sendCode(form);
    expect(entry.headers.refresh).toBe(`5; url=${DASHBOARD}/waiting?method=app`);
    expect(htmlFaults(entry.text)).toEqual([]);
    expect((await visitor.get(`${DASHBOARD}/waiting?method=app`)).text).toContain('ανοίγει μόνη της');
    expect(location(await visitor.get(`${DASHBOARD}/funds`))).toEqual([303, DASHBOARD]);
    await answer(service(), 'right');
    const before = visitor.cookies.get('trapeza_session');
    expect(location(await visitor.get(`${DASHBOARD}/waiting?method=app`))).toEqual([303, DASHBOARD]);
    expect(visitor.cookies.get('trapeza_session')).not.toBe(before);
    expect((await visitor.get(`${DASHBOARD}/funds`)).status).toBe(200);
  });

  const whenDown = 'a bank that does not answer leaves the page and says so';
  if (core === 'simulator')
    test(whenDown, async () => {
      const visit = await begin();
      const { visitor, waiting } = visit;
      await approve(visit);
      await control(service(), 'PUT', 'faults', [{ kind: 'status-503', operation: 'tryCode' }]);
      const unsure = await visitor.get(waiting);
      expect([unsure.status, unsure.headers.refresh]).toEqual([200, `5; url=${waiting}`]);
      expect(unsure.text).toContain('Η τράπεζα δεν απαντά αυτή τη στιγμή');
      await control(service(), 'PUT', 'faults', []);
      await answer(service(), 'right');
      expect((await visitor.get(waiting)).headers.location).toContain('result=approved');
    });

  test('the code of others says where it went and until when', async () => {
    await forgetCodes(service());
    const id = await addRequest(service());
    const visitor = new Visitor(service());
    const opened = await visitor.open(id);
    expect(opened.text).toContain('θα σας στείλουμε έναν κωδικό μίας χρήσης');
    const page = await visitor.askForCode(id, opened, { account: account('eleni', 101).id });
    expect(page.text).toMatch(/Στείλαμε κωδικό στο \*\*\* \*\*\* 0101\. Ισχύει έως τις \d\d:\d\d\./);
    expect((await visitor.get(`/authorise/${id}?lang=en`)).text).toMatch(
      /We sent a code to \*\*\* \*\*\* 0101\. It works until \d\d:\d\d\./,
    );
    const kept = await withStore(service(), (db) =>
      db.all<{ challenge: string }>('select challenge from sent_codes'),
    );
    expect(JSON.stringify(kept)).not.toContain('0101');
  });
});
