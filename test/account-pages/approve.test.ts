/** The approval journey against those who would misuse it: foreign forms, planted cookies, old sessions, hostile names. */
import { describe, expect, test } from 'vitest';
import { BankUnavailable } from '../../src/bank/guard/module.js';
import { MINUTE, SECOND } from '../../src/lib/clock.js';
import { bankThat } from '../bank/banks.js';
import { formTokenIn } from '../support/form.js';
import { account } from '../support/operations.js';
import { useService, withStore } from '../support/use-service.js';
import { htmlFaults } from '../web/html.js';
import {
  addRequest,
  cardValues,
  changeDetails,
  hiddenFields,
  paymentDetails,
  stored,
  titleOf,
  Visitor,
} from './approve-support.js';

describe('approval under attack', () => {
  const service = useService();

  test('a form without our token, or with that of another session, decides nothing', async () => {
    const id = await addRequest(service());
    const [visitor, other] = [new Visitor(service()), new Visitor(service())];
    const page = await visitor.open(id);
    const foreign = hiddenFields((await other.open(id)).text).form_token ?? '';
    const [value = ''] = cardValues(page.text);
    for (const form_token of ['', foreign]) {
      const answer = await visitor.decide(id, page, { account: value, form_token });
      expect(answer.status).toBe(403);
      expect(titleOf(answer)).toBe('Η σελίδα δεν ισχύει πια');
      expect((await visitor.decide(id, page, { decision: 'refuse', form_token })).status).toBe(403);
    }
    expect((await stored(service(), id)).status).toBe('Received');
  });

  test('the words of the third party are a quotation, and what is approved', async () => {
    const id = await addRequest(service(), { purpose: 'Έκπτωση <a href="https://evil.example">εδώ</a>' });
    const visitor = new Visitor(service());
    const page = await visitor.open(id);
    expect(page.text).toContain(
      '<q dir="auto">Έκπτωση &lt;a href=&quot;https://evil.example&quot;>εδώ&lt;/a></q>',
    );
    await withStore(service(), (db) =>
      db.run('update consents set purpose = ? where id = ?', ['Δωρεάν', id]),
    );
    const [value = ''] = cardValues(page.text);
    expect((await visitor.decide(id, page, { account: value })).status).toBe(409);
    expect((await stored(service(), id)).status).toBe('Received');
  });

  test('a form that another site posts is refused before it is read', async () => {
    const id = await addRequest(service());
    const visitor = new Visitor(service());
    const page = await visitor.open(id);
    const fields = { ...hiddenFields(page.text), decision: 'refuse' };
    for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
      expect((await visitor.post(`/authorise/${id}/decision`, fields, headers)).status).toBe(403);
    }
    expect((await stored(service(), id)).status).toBe('Received');
  });

  test('a planted cookie never becomes an authenticated one', async () => {
    const id = await addRequest(service());
    const thief = new Visitor(service());
    await thief.get(`/authorise/${id}`);
    const planted = thief.cookies.get('trapeza_session') ?? '';
    const victim = new Visitor(service());
    victim.cookies.set('trapeza_session', planted);
    expect(titleOf(await victim.open(id))).toMatch(/^Έγκριση πληρωμής/);
    expect(victim.cookies.get('trapeza_session')).not.toBe(planted);
    expect(titleOf(await thief.get(`/authorise/${id}`))).toBe('Συνδεθείτε για να δείτε το αίτημα');
  });

  test('five minutes without a sign end the session, also for a form that is already open', async () => {
    const id = await addRequest(service());
    const visitor = new Visitor(service());
    const page = await visitor.open(id);
    service().clock.advance(5 * MINUTE - SECOND);
    expect(titleOf(await visitor.get(`/authorise/${id}`))).toMatch(/^Έγκριση πληρωμής/);
    service().clock.advance(5 * MINUTE + SECOND);
    const late = await visitor.decide(id, page, { decision: 'refuse' });
    expect(late.status).toBe(403);
    expect(late.text).toContain('Η σελίδα έμεινε ανοιχτή για πολλή ώρα');
    expect(titleOf(await visitor.get(`/authorise/${id}`))).toBe('Συνδεθείτε για να δείτε το αίτημα');
    expect((await stored(service(), id)).status).toBe('Received');
  });

  test('names with markup and disguising characters are shown as text', async () => {
    const hostile = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>';
    const id = await addRequest(service());
    await changeDetails(service(), id, {
      ...paymentDetails,
      creditorName: `${hostile}\u202eΑ`,
      remittanceInformation: `x\r\nSet-Cookie: a=b ${hostile}`,
    });
    await withStore(service(), (db) =>
      db.run('update applications set name = ? where client_id = ?', [hostile, 'demo-finance-app']),
    );
    const visitor = new Visitor(service());
    const page = await visitor.open(id);
    await withStore(service(), (db) =>
      db.run('update applications set name = ? where client_id = ?', ['Finance App', 'demo-finance-app']),
    );
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/<script|<img src=x/);
    expect(page.text).not.toContain('\u202e');
    expect(page.text).toContain('&lt;script>');
  });

  test('every page is for one person, without script, in no frame, and leads only to us and to the third party', async () => {
    const id = await addRequest(service());
    const visitor = new Visitor(service());
    const pages = [await visitor.get(`/authorise/${id}`), await visitor.open(id)];
    for (const { headers, text } of pages) {
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-frame-options']).toBe('DENY');
      const policy = headers['content-security-policy'];
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('script-src');
      expect(policy).not.toContain('unsafe');
      expect(htmlFaults(text)).toEqual([]);
    }
    const [login, approval] = pages.map(({ headers }) => String(headers['content-security-policy']));
    expect(login).toContain("form-action 'self';");
    expect(approval).toContain(
      "form-action 'self' https://demo-finance-app.example https://refused.example;",
    );
  });

  test('nothing about a request is told before the login, and no more to a stranger after it', async () => {
    const id = await addRequest(service());
    const unknown = '00000000-0000-4000-8000-000000000000';
    const [first, second] = [new Visitor(service()), new Visitor(service())];
    const strip = (text: string, path: string) => text.replaceAll(path, '').replaceAll(formTokenIn(text), '');
    const [known, none] = [await first.get(`/authorise/${id}`), await second.get(`/authorise/${unknown}`)];
    expect(strip(known.text, id)).toBe(strip(none.text, unknown));
    const [foreign, absent] = [await first.open(id, 'nikos'), await second.open(unknown, 'nikos')];
    expect(foreign.status).toBe(404);
    expect(strip(foreign.text, id)).toBe(strip(absent.text, unknown));
    const decided = await first.decide(id, foreign, { decision: 'refuse', shown: '' });
    expect(decided.status).toBe(404);
    expect((await stored(service(), id)).status).toBe('Received');
  });

  test('an account of somebody else, or one that was not offered, is never taken', async () => {
    const id = await addRequest(service());
    const visitor = new Visitor(service());
    const page = await visitor.open(id);
    const [own = ''] = cardValues(page.text);
    for (const picked of [account('nikos', 202).id, [own, account('nikos', 202).id], 'x']) {
      const answer = await visitor.decide(id, page, { account: picked });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('Διαλέξτε λογαριασμό.');
    }
    expect((await stored(service(), id)).status).toBe('Received');
  });

  test('the addresses of the forms lead back to the request when they are opened', async () => {
    const id = await addRequest(service());
    for (const step of ['login', 'logout', 'decision']) {
      const answer = await new Visitor(service()).get(`/authorise/${id}/${step}`);
      expect(answer.status).toBe(303);
      expect(answer.headers.location).toBe(`/authorise/${id}`);
    }
  });
});

describe('approval while the bank is down', () => {
  const silence = () => Promise.reject(new BankUnavailable('the core does not answer'));
  const bank = bankThat('silent', silence);
  const service = useService({ bank });

  test('the account holder reads what to do, and nothing is decided', async () => {
    const id = await addRequest(service());
    const answer = await new Visitor(service()).open(id);
    expect([answer.status, titleOf(answer)]).toEqual([503, 'Η τράπεζα δεν μπορεί να απαντήσει τώρα']);
    expect((await stored(service(), id)).status).toBe('Received');
    expect(service().logs.join('')).toContain('the core does not answer');
  });
});
