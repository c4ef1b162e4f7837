/** What a decision on the approval page does, and what it never does: codes, picks, terms, and everything sent twice or late. */
import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../src/lib/clock.js';
import { dateAt, endOfDay } from '../../src/lib/day.js';
import { engines } from '../support/engines.js';
import { account, ibanOf, moveBankClock, psuId, resetSandbox, unknownIban } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';
import { htmlFaults } from '../web/html.js';
import {
  accessDetails,
  addRequest,
  BACK,
  cardValues,
  challenges,
  changeDetails,
  demoCodeOf,
  forgetCodes,
  hiddenFields,
  NOK,
  paymentDetails,
  stored,
  titleOf,
  Visitor,
} from './approve-support.js';

const ZONE = 'Europe/Athens';
const returned = (id: string, result: string) => `consentId=${id}&state=a%20b%26c%3Dd&result=${result}`;
const timeIn = ({ clock }: Service, ms: number): string =>
  new Intl.DateTimeFormat('el', { timeStyle: 'short', hourCycle: 'h23', timeZone: ZONE }).format(
    Math.ceil((clock.now() + ms) / MINUTE) * MINUTE,
  );
const wrong = (code: string) => (code === '111111' ? '222222' : '111111');

const askForFunds = (service: Service, more: object = {}) =>
  addRequest(service, {
    kind: 'ConfirmationOfFunds',
    accounts: [account('eleni', 101)],
    details: { account: { iban: ibanOf('eleni', 101) } },
    ...more,
  });

describe.each(engines)('decisions on %s', (engine) => {
  const service = useService({ engine });

  test('an approved payment goes back to the third party, valid, with the account that was picked', async () => {
    const id = await addRequest(service());
    const visitor = new Visitor(service());
    const page = await visitor.open(id);
    const answer = await visitor.decide(id, page, { account: account('eleni', 102).id });
    expect([answer.status, answer.headers.location]).toEqual([303, `${BACK}?${returned(id, 'approved')}`]);
    const after = await stored(service(), id);
    expect(after).toMatchObject({
      status: 'Valid',
      accounts: [account('eleni', 102).id],
      details: { debitAccount: { iban: ibanOf('eleni', 102), currency: 'EUR' } },
    });
    expect(titleOf(await visitor.get(`/authorise/${id}`))).toBe('Έχετε εγκρίνει την πληρωμή');
  });

  test('a refusal needs no code and leads to the address for refusals', async () => {
    const id = await addRequest(service());
    const visitor = new Visitor(service());
    const page = await visitor.open(id);
    const answer = await visitor.decide(id, page, { decision: 'refuse', code: '' });
    expect([answer.status, answer.headers.location]).toEqual([303, `${NOK}&${returned(id, 'refused')}`]);
    expect((await stored(service(), id)).status).toBe('Rejected');
  });

  test('a form sent twice moves the consent once, and the second answer explains', async () => {
    const id = await addRequest(service(), { accounts: [account('eleni', 101)] });
    const visitor = new Visitor(service());
    const fields = { account: account('eleni', 101).id };
    const page = await visitor.askForCode(id, await visitor.open(id), fields);
    const answers = await Promise.all([1, 2, 3].map(() => visitor.decide(id, page, fields)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(answers.filter(({ headers }) => headers.location?.startsWith(BACK))).toHaveLength(1);
    const again = await visitor.decide(id, page, { decision: 'refuse' });
    expect([again.status, again.headers.location]).toEqual([303, `/authorise/${id}`]);
    expect((await stored(service(), id)).steps).toEqual(['Received', 'Valid']);
  });

  test('five wrong codes are a pause that the page names, and the request stays open', async () => {
    const id = await addRequest(service());
    const visitor = new Visitor(service());
    const fields = { account: account('eleni', 101).id };
    let page = await visitor.askForCode(id, await visitor.open(id), fields);
    const good = demoCodeOf(page.text);
    for (const left of ['4 προσπάθειες', '3 προσπάθειες', '2 προσπάθειες', '1 προσπάθεια']) {
      const answer = await visitor.decide(id, page, { ...fields, code: wrong(good) });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(left);
      expect(demoCodeOf(answer.text)).toBe(good);
      expect(answer.text).toMatch(new RegExp(`value="${fields.account}" checked`));
      page = left.startsWith('2') ? await visitor.get(`/authorise/${id}`) : answer;
    }
    const last = await visitor.decide(id, page, { ...fields, code: wrong(good) });
    expect(last.status).toBe(429);
    const until = timeIn(service(), 15 * MINUTE);
    // Nothing on the page can be corrected.
    expect(last.text).not.toContain('error-summary');
    const shown = await visitor.get(`/authorise/${id}`);
    expect(htmlFaults(shown.text)).toEqual([]);
    for (const paused of [last, shown]) {
      expect(paused.text).toContain(`Δεν δεχόμαστε κωδικούς μέχρι τις ${until}`);
      expect(paused.text).not.toContain('value="approve"');
      expect(paused.text).toContain('value="refuse"');
    }
    const english = await visitor.get(`/authorise/${id}?lang=en`);
    expect(english.text).toContain(`No code is accepted until ${until}`);
    // The right code is not judged, and neither is one of another request or the dashboard.
    expect((await visitor.decide(id, page, { ...fields, code: good })).status).toBe(429);
    expect((await visitor.get(`/authorise/${await addRequest(service())}`)).text).toContain(
      'No code is accepted',
    );
    expect((await stored(service(), id)).status).toBe('Received');
    service().clock.advance(15 * MINUTE);
    const after = await visitor.open(id);
    await visitor.decide(id, after, fields);
    expect((await stored(service(), id)).status).toBe('Valid');
  });

  test('a code works for what was shown with it and for nothing else', async () => {
    const [one, other] = [await addRequest(service()), await addRequest(service())];
    const visitor = new Visitor(service());
    const fields = { account: account('eleni', 101).id };
    const page = await visitor.askForCode(one, await visitor.open(one), fields);
    const otherPage = await visitor.get(`/authorise/${other}`);
    const swapped = { ...fields, code: demoCodeOf(page.text) };
    expect((await visitor.decide(other, otherPage, swapped)).status).toBe(400);
    expect((await stored(service(), other)).status).toBe('Received');

    await changeDetails(service(), one, {
      ...paymentDetails,
      instructedAmount: { currency: 'EUR', amount: 9999 },
    });
    const changed = await visitor.decide(one, page, fields);
    expect([changed.status, titleOf(changed)]).toEqual([409, 'Το αίτημα άλλαξε']);
    const { shown = '' } = hiddenFields((await visitor.get(`/authorise/${one}`)).text);
    expect((await visitor.decide(one, page, { ...fields, shown })).status).toBe(400);
    expect((await stored(service(), one)).status).toBe('Received');
    await forgetCodes(service());
  });

  test('a code that is too old costs no attempt, and the next one is sent when the person asks for it', async () => {
    const id = await addRequest(service());
    const visitor = new Visitor(service());
    const fields = { account: account('eleni', 101).id };
    const page = await visitor.askForCode(id, await visitor.open(id), fields);
    await withStore(service(), (db) =>
      db.run('update demo_challenges set expires_at = 0 where psu_id = ?', [psuId('eleni')]),
    );
    const before = await challenges(service());
    const answer = await visitor.decide(id, page, fields);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('Αυτός ο κωδικός δεν ισχύει πια. Ζητήστε νέο.');
    expect(answer.text).not.toContain('name="code"');
    const shown = await visitor.get(`/authorise/${id}`);
    expect(shown.text).toContain('Ο κωδικός σας δεν ισχύει πια');
    expect(htmlFaults(shown.text)).toEqual([]);
    expect(await challenges(service())).toBe(before);
    service().clock.advance(30 * SECOND);
    const fresh = await visitor.decide(id, answer, { ...fields, decision: 'send' });
    expect((await visitor.decide(id, fresh, fields)).headers.location).toContain(BACK);
  });

  test('the account holder decides how long a funds consent lasts', async () => {
    const today = dateAt(service().clock.now(), ZONE);
    const id = await askForFunds(service(), { expiresAt: endOfDay('2031-05-14', ZONE) });
    const visitor = new Visitor(service());
    const page = await visitor.open(id);
    expect(page.text).toContain('14 Μαΐου 2031');
    const fields = { account: account('eleni', 101).id };
    const faults = [
      [{ term: 'date', date: '2020-01-01' }, 'πρέπει να είναι σήμερα ή αργότερα'],
      [{ term: 'date', date: '2030-02-30' }, 'Συμπληρώστε την τελευταία ημέρα'],
      [{ term: 'date', date: '9000-01-01' }, 'το αργότερο'],
      [{}, 'Διαλέξτε έως πότε'],
    ] as const;
    for (const [term, text] of faults) {
      const answer = await visitor.decide(id, page, { ...fields, ...term });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(text);
      expect(htmlLinks(answer.text)).toContain(Object.keys(term).length === 0 ? '#term' : '#date');
    }
    await visitor.decide(id, page, { ...fields, term: 'date', date: today });
    expect(await stored(service(), id)).toMatchObject({
      status: 'Valid',
      expiresAt: endOfDay(today, ZONE),
      details: { expirationDate: today },
    });
  });

  test('an open end is never ticked for the account holder, and removes the date that was proposed', async () => {
    const visitor = new Visitor(service());
    const open = await askForFunds(service(), { expiresAt: null });
    expect((await visitor.open(open)).text).not.toMatch(/name="term"[^>]* checked/);
    const id = await askForFunds(service(), {
      expiresAt: endOfDay('2031-05-14', ZONE),
      details: { account: { iban: ibanOf('eleni', 101) }, expirationDate: '2031-05-14' },
    });
    const page = await visitor.get(`/authorise/${id}`);
    await visitor.decide(id, page, { account: account('eleni', 101).id, term: 'open' });
    const after = await stored(service(), id);
    expect([after.status, after.expiresAt]).toEqual(['Valid', null]);
    expect(after.details).toEqual({ account: { iban: ibanOf('eleni', 101) } });
  });

  test('account access covers what was ticked, with every currency of it, and nothing is ticked beforehand', async () => {
    const id = await addRequest(service(), { psu: 'nikos', kind: 'AccountAccess', details: accessDetails });
    const visitor = new Visitor(service());
    const page = await visitor.open(id, 'nikos');
    expect(cardValues(page.text)).toHaveLength(2);
    expect(page.text).not.toMatch(/name="account"[^>]* checked/);
    expect((await visitor.decide(id, page)).text).toContain('Διαλέξτε λογαριασμό.');
    const multi = ['EUR', 'GBP', 'USD'].map((currency) => account('nikos', 201, currency).id);
    await visitor.decide(id, page, { account: cardValues(page.text)[0] ?? '' });
    const after = await stored(service(), id);
    expect([after.status, after.accounts.toSorted()]).toEqual(['Valid', multi.toSorted()]);
    const iban = ibanOf('nikos', 201);
    expect(after.details.accounts).toEqual(['EUR', 'GBP', 'USD'].map((currency) => ({ iban, currency })));
  });

  test('named accounts are ticked beforehand, and may be left out but not added to', async () => {
    const [first, second] = [account('eleni', 101), account('eleni', 102)];
    const details = { ...accessDetails, accounts: [{ iban: first.iban }, { iban: second.iban }] };
    const id = await addRequest(service(), { kind: 'AccountAccess', details, accounts: [first, second] });
    const visitor = new Visitor(service());
    const page = await visitor.open(id);
    expect(page.text.match(/name="account"[^>]* checked/g)).toHaveLength(2);
    await visitor.decide(id, page, { account: second.id });
    expect(await stored(service(), id)).toMatchObject({
      accounts: [second.id],
      details: { accounts: [{ iban: second.iban }] },
    });
  });

  test.each([
    ['closed', () => [account('dimitris', 602)]],
    ['somebody else’s', () => [{ ...account('dimitris', 601), iban: unknownIban, id: 'none' }]],
  ])('an account that is %s leaves refusal as the only way', async (_name, accounts) => {
    const details = { account: {} };
    const kind = 'ConfirmationOfFunds';
    const id = await addRequest(service(), { psu: 'dimitris', kind, details, accounts: accounts() });
    const visitor = new Visitor(service());
    const page = await visitor.open(id, 'dimitris');
    expect(page.text).toContain('Το αίτημα δεν μπορεί να εγκριθεί');
    expect(page.text).not.toContain('value="approve"');
    expect((await visitor.decide(id, page, { account: accounts()[0]?.id ?? '' })).status).toBe(400);
    expect((await visitor.decide(id, page, { decision: 'refuse' })).status).toBe(303);
    expect((await stored(service(), id)).status).toBe('Rejected');
  });

  test('a payment is paid from an account of its own currency', async () => {
    const id = await addRequest(service(), { psu: 'maria' });
    const page = await new Visitor(service()).open(id, 'maria');
    expect(cardValues(page.text)).toEqual([account('maria', 303).id]);
  });

  test('a request that nobody has decided about within a day is over', async () => {
    const id = await addRequest(service());
    const visitor = new Visitor(service());
    const page = await visitor.open(id);
    await moveBankClock(service(), 'PT24H');
    const answer = await visitor.decide(id, page, { account: account('eleni', 101).id });
    expect([answer.status, answer.headers.location]).toEqual([303, `/authorise/${id}`]);
    const state = await visitor.get(`/authorise/${id}`);
    expect(titleOf(state)).toBe('Η προθεσμία του αιτήματος έληξε');
    expect(state.text).toContain(`${NOK}&amp;${returned(id, 'expired').replaceAll('&', '&amp;')}`);
    await resetSandbox(service());
  });
});

const htmlLinks = (html: string): string[] => [...html.matchAll(/href="([^"]*)"/g)].map(([, to = '']) => to);
