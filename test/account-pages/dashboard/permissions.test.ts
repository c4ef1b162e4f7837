/** The permissions on the dashboard: all of them, each in its state, told in sentences; and the withdrawal. */
import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../../src/lib/clock.js';
import { account, BUDGET } from '../../support/operations.js';
import { engines, type Service } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';
import { htmlFaults, linksOf } from '../../web/html.js';
import {
  accessDetails,
  addRequest,
  hiddenFields,
  paymentDetails,
  stored,
  titleOf,
} from '../approve-support.js';
import { addAccess, askForFunds, DASHBOARD, type DashboardVisitor, enter } from './support.js';

const pathOf = (id: string, step = '') => `${DASHBOARD}/permissions/${id}${step}`;

/** Every permission of all pages, by the links to them. */
const linkedIds = async (visitor: DashboardVisitor, query = ''): Promise<string[]> => {
  const ids: string[] = [];
  let path: string | undefined = `${DASHBOARD}${query}`;
  while (path !== undefined) {
    const { text } = await visitor.get(path);
    const links = linksOf(text).map((link) => link.replaceAll('&amp;', '&'));
    ids.push(...links.flatMap((link) => /^\/dashboard\/permissions\/([\w-]{36})$/.exec(link)?.[1] ?? []));
    path = links.find((link) => link.includes('after='));
  }
  return ids;
};

const idsOf = (service: Service, psu: string, status?: string): string[] =>
  service.credentials.consents
    .filter((each) => each.psu === psu && (status === undefined || each.status === status))
    .map(({ id }) => id);

describe.each(engines)('permissions on %s', (engine) => {
  const service = useService({ engine });

  test('are all there, over all pages: the active first, then the waiting, then the past', async () => {
    const visitor = await enter(service());
    const ids = await linkedIds(visitor);
    expect(Buffer.byteLength((await visitor.get(DASHBOARD)).text)).toBeLessThan(100_000);
    expect(ids.toSorted()).toEqual(idsOf(service(), 'eleni').toSorted());
    const groupOf = (id: string): number => {
      const status = service().credentials.consents.find((each) => each.id === id)?.status;
      return status === 'Valid' ? 0 : status === 'Received' ? 1 : 2;
    };
    expect(ids.map(groupOf)).toEqual(ids.map(groupOf).toSorted());
  });

  test('are only those of the person', async () => {
    const visitor = await enter(service(), 'nikos');
    const ids = await linkedIds(visitor);
    expect(ids.toSorted()).toEqual(idsOf(service(), 'nikos').toSorted());
    const foreign = service().consent('AccountAccess').id;
    const unknown = '00000000-0000-4000-8000-000000000000';
    const strip = (text: string, id: string) => text.replaceAll(id, '');
    for (const step of ['', '/withdraw']) {
      const [one, other] = [
        await visitor.get(pathOf(foreign, step)),
        await visitor.get(pathOf(unknown, step)),
      ];
      expect([one.status, other.status]).toEqual([404, 404]);
      expect(strip(one.text, foreign)).toBe(strip(other.text, unknown));
    }
    const { text } = await visitor.get(pathOf(foreign));
    expect((await visitor.post(pathOf(foreign, '/withdraw'), hiddenFields(text))).status).toBe(404);
    expect((await stored(service(), foreign)).status).toBe('Valid');
  });

  test('can be narrowed by state, kind and app, together', async () => {
    const visitor = await enter(service());
    for (const status of ['Received', 'Rejected', 'Valid', 'RevokedByPsu', 'Expired', 'TerminatedByTpp'])
      expect((await linkedIds(visitor, `?state=${status}`)).toSorted()).toEqual(
        idsOf(service(), 'eleni', status).toSorted(),
      );
    const some = service().credentials.consents.filter(
      (each) => each.psu === 'eleni' && each.application === BUDGET && each.type === 'PaymentInitiation',
    );
    const query = `?state=Valid&kind=PaymentInitiation&app=${BUDGET}`;
    expect(await linkedIds(visitor, query)).toEqual(some.map(({ id }) => id));
    expect((await visitor.get(`${DASHBOARD}?app=nobody`)).text).toContain('Καμία άδεια δεν ταιριάζει');
    expect((await linkedIds(visitor, '?state=nonsense&kind=')).length).toBe(idsOf(service(), 'eleni').length);
  });

  test('say what they cover, since when, until when, and how they were used', async () => {
    const access = service().consent('AccountAccess').id;
    const at = service().clock.now();
    for (const kind of ['accounts', 'balances', 'transactions'] as const)
      await addAccess(service(), { consentId: access, kind, at: at - HOUR });
    await askForFunds(service(), 10.5, { payee: 'Βιβλιοπωλείο Αθηνά' });
    const visitor = await enter(service());
    const { text } = await visitor.get(pathOf(access));
    expect(text).toContain('Μπορεί να βλέπει πόσα χρήματα έχει κάθε λογαριασμός.');
    expect(text).toContain('έως 4 φορές την ημέρα');
    expect(text).toContain('GR05 9990 0010 0000 0000 0000 101');
    expect(text).toContain('3 φορές');
    expect(text).toContain('PSDGR-BOG-DEMO0001');
    expect(text).toContain('Η εφαρμογή ζήτησε την άδειά σας.');
    expect(text).toContain('Την εγκρίνατε.');
    expect(text).toContain('Λίστα λογαριασμών');
    const funds = await visitor.get(
      pathOf(service().consent('ConfirmationOfFunds', 'Valid', { psu: 'eleni' }).id),
    );
    expect(funds.text).toContain('Βιβλιοπωλείο Αθηνά');
    expect(funds.text).toMatch(/10,50\s€/);
    const past = await visitor.get(pathOf(service().consent('AccountAccess', 'RevokedByPsu').id));
    expect(past.text).toContain('Μπορούσε να βλέπει πόσα χρήματα έχει κάθε λογαριασμός.');
    expect(past.text).toContain('Την ανακαλέσατε.');
  });

  test('that wait lead to the decision', async () => {
    const id = await addRequest(service(), { kind: 'AccountAccess', details: accessDetails });
    const visitor = await enter(service());
    for (const path of [`${DASHBOARD}?state=Received`, pathOf(id)])
      expect(linksOf((await visitor.get(path)).text)).toContain(`/authorise/${id}`);
    expect(linksOf((await visitor.get(pathOf(id))).text)).not.toContain(pathOf(id, '/withdraw'));
  });

  test('are withdrawn after one question, at once and once', async () => {
    const id = await addRequest(service(), { status: 'Valid', accounts: [account('eleni', 101)] });
    const visitor = await enter(service());
    const page = await visitor.get(pathOf(id, '/withdraw'));
    expect(titleOf(page)).toBe('Να ανακληθεί η άδεια για την εφαρμογή Finance App;');
    const fields = hiddenFields(page.text);
    const answers = await Promise.all([1, 2, 3].map(() => visitor.post(pathOf(id, '/withdraw'), fields)));
    for (const answer of answers)
      expect([answer.status, answer.headers.location]).toEqual([303, `${pathOf(id)}?tried=yes`]);
    const told = await visitor.get(`${pathOf(id)}?tried=yes`);
    expect(told.text).toContain('Έχετε ανακαλέσει');
    expect(htmlFaults(told.text)).toEqual([]);
    expect(await stored(service(), id)).toMatchObject({
      status: 'RevokedByPsu',
      steps: ['Received', 'RevokedByPsu'],
    });
    expect((await visitor.get(pathOf(id, '/withdraw'))).headers.location).toBe(`${pathOf(id)}?tried=yes`);
  });

  test('are never withdrawn by a form without our token, of another session, or of another site', async () => {
    const { id } = service().consent('ConfirmationOfFunds', 'Valid', { application: BUDGET });
    const [visitor, other] = [await enter(service()), await enter(service())];
    const fields = hiddenFields((await visitor.get(pathOf(id, '/withdraw'))).text);
    const foreign = hiddenFields((await other.get(pathOf(id, '/withdraw'))).text);
    for (const wrong of [{}, { form_token: '' }, foreign]) {
      const answer = await visitor.post(pathOf(id, '/withdraw'), wrong);
      expect([answer.status, titleOf(answer)]).toEqual([403, 'Η σελίδα δεν ισχύει πια']);
    }
    for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }])
      expect((await visitor.post(pathOf(id, '/withdraw'), fields, headers)).status).toBe(403);
    expect((await stored(service(), id)).status).toBe('Valid');
  });

  test('that end while the question stands are told as what they are', async () => {
    const expiresAt = service().clock.now() + DAY;
    const ended = await addRequest(service(), { status: 'Valid', kind: 'ConfirmationOfFunds', expiresAt });
    const visitor = await enter(service());
    const page = await visitor.get(pathOf(ended, '/withdraw'));
    await withStore(service(), (db) =>
      db.run('update consents set expires_at = ? where id = ?', [service().clock.now() - 1, ended]),
    );
    const answer = await visitor.post(pathOf(ended, '/withdraw'), hiddenFields(page.text));
    const told = await visitor.get(answer.headers.location ?? '');
    expect(told.text).toContain('Η άδεια έληξε');
    expect(told.text).toContain('Έληξε.');
    expect((await stored(service(), ended)).status).toBe('Expired');
  });

  test.each([
    [
      { result: 'no-match' },
      'Το όνομα δεν ταιριάζει με τον λογαριασμό',
      'The name does not match the account',
    ],
    [
      { result: 'close', name: 'Άννα Δήμου' },
      'Το όνομα διαφέρει ελαφρώς: Άννα Δήμου',
      'The name is slightly different: Άννα Δήμου',
    ],
  ])('show what was read about the payee: %j', async (payeeCheck, el, en) => {
    const id = await addRequest(service(), { status: 'Valid', details: paymentDetails });
    const visitor = await enter(service());
    expect((await visitor.get(pathOf(id))).text).not.toContain('Έλεγχος ονόματος');
    await withStore(service(), (db) =>
      db.run('update consents set payment_notes = ? where id = ?', [JSON.stringify({ payeeCheck }), id]),
    );
    for (const [query, words] of [
      ['', ['Έλεγχος ονόματος', el]],
      ['?lang=en', ['Name check', en]],
    ] as const)
      for (const word of words) expect((await visitor.get(`${pathOf(id)}${query}`)).text).toContain(word);
  });

  test('show hostile names and payees as text', async () => {
    const evil = '<img src=x onerror=alert(1)>\u202Egnp';
    const id = await addRequest(service(), {
      status: 'Valid',
      details: { ...paymentDetails, creditorName: evil, remittanceInformation: '"><script>' },
    });
    const visitor = await enter(service());
    for (const path of [DASHBOARD, pathOf(id), pathOf(id, '/withdraw')]) {
      const { text } = await visitor.get(path);
      expect(htmlFaults(text)).toEqual([]);
      expect(text).not.toContain('<img src=x');
      expect(text).not.toContain('\u202E');
      expect(text).toContain('&lt;img src=x');
    }
  });
});

describe('the dashboard of somebody without permissions, and one that is down', () => {
  const service = useService();

  test('says so', async () => {
    const visitor = await enter(service(), 'petros');
    for (const [path, words] of [
      ['/funds', 'Κανείς δεν έχει ρωτήσει ακόμη.'],
      ['/accesses', 'Καμία εφαρμογή δεν έχει διαβάσει ακόμη στοιχεία σας.'],
      ['/funds?from=2026-01-01', 'Κανείς δεν ρώτησε σε αυτό το διάστημα.'],
    ] as const)
      expect((await visitor.get(`${DASHBOARD}${path}`)).text).toContain(words);
  });

  test('is found from the landing page and from a decision', async () => {
    const visitor = await enter(service());
    expect(linksOf((await visitor.get('/')).text)).toContain(DASHBOARD);
    const id = service().consent('AccountAccess').id;
    expect(linksOf((await visitor.get(`/authorise/${id}`)).text)).toContain(DASHBOARD);
  });
});
