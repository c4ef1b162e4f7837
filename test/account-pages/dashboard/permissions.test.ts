/** The permissions on the dashboard: all of them, each in its state, told in sentences; and the withdrawal. */
import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../../src/lib/clock.js';
import { engines } from '../../support/engines.js';
import { account, BUDGET } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
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

const PERMISSION = /^\/dashboard\/permissions\/([\w-]{36})$/;

/** Every permission or payment on all pages of a list, by the links to them. */
const listedIds = async (visitor: DashboardVisitor, start: string): Promise<string[]> => {
  const ids: string[] = [];
  let path: string | undefined = start;
  while (path !== undefined) {
    const links: string[] = linksOf((await visitor.get(path)).text).map((link) =>
      link.replaceAll('&amp;', '&'),
    );
    ids.push(...links.flatMap((link) => PERMISSION.exec(link)?.[1] ?? []));
    path = links.find((link) => link.includes('after='));
  }
  return ids;
};

/** The lists of all apps that the overview names, and the payments. */
const linkedIds = async (visitor: DashboardVisitor): Promise<string[]> => {
  const apps = linksOf((await visitor.get(DASHBOARD)).text).filter((link) =>
    link.startsWith('/dashboard/apps/'),
  );
  const lists = await Promise.all([...apps, `${DASHBOARD}/payments`].map((path) => listedIds(visitor, path)));
  return lists.flat();
};

const idsOf = (service: Service, psu: string, status?: string): string[] =>
  service.credentials.consents
    .filter((each) => each.psu === psu && (status === undefined || each.status === status))
    .map(({ id }) => id);

describe.each(engines)('permissions on %s', (engine) => {
  const service = useService({ engine });

  test('are all there, by app and apart from payments; what waits comes first', async () => {
    const visitor = await enter(service());
    const { text } = await visitor.get(DASHBOARD);
    expect(Buffer.byteLength(text)).toBeLessThan(100_000);
    expect((await linkedIds(visitor)).toSorted()).toEqual(idsOf(service(), 'eleni').toSorted());
    const headings = [...text.matchAll(/<h[23][^>]*>([^<]*)/g)].map(([, heading]) => heading);
    expect(headings.slice(0, 4)).toEqual([
      'Περιμένουν την απόφασή σας',
      'Εφαρμογές και τι μπορούν να κάνουν',
      'Budget App',
      'Card App',
    ]);
    expect(text).toMatch(/\d+ άδει(α|ες) σε ισχύ από /);
    const payments = (await visitor.get(`${DASHBOARD}/payments`)).text;
    const count = service().credentials.consents.filter(
      ({ psu, type }) => psu === 'eleni' && type === 'PaymentInitiation',
    ).length;
    expect(payments).toContain(`1–${count} από ${count}`);
    expect(htmlFaults(payments)).toEqual([]);
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

  test('can be narrowed by state, kind and app, and are found by name and the end of an account', async () => {
    const visitor = await enter(service());
    const expected = (type: RegExp, more: object = {}): string[] =>
      service()
        .credentials.consents.filter((each) => each.psu === 'eleni' && type.test(each.type))
        .filter((each) => Object.entries(more).every(([name, value]) => each[name as 'status'] === value))
        .map(({ id }) => id)
        .toSorted();
    const found = async (path: string): Promise<string[]> => (await listedIds(visitor, path)).toSorted();
    const permission = /^(?!PaymentInitiation)/;
    for (const status of ['Received', 'Rejected', 'Valid', 'RevokedByPsu', 'Expired', 'TerminatedByTpp'])
      expect(await found(`${DASHBOARD}?state=${status}`)).toEqual(expected(permission, { status }));
    expect(await found(`${DASHBOARD}?state=Valid&kind=AccountAccess`)).toEqual(
      expected(/AccountAccess/, { status: 'Valid' }),
    );
    const ofBudget = { application: BUDGET };
    expect(await found(`${DASHBOARD}/apps/${BUDGET}`)).toEqual(expected(permission, ofBudget));
    expect(await found(`${DASHBOARD}?q=BUDGET`)).toEqual(expected(permission, ofBudget));
    expect(await found(`${DASHBOARD}/payments?app=${BUDGET}`)).toEqual(expected(/Payment/, ofBudget));
    const one = service().consent('AccountAccess').id;
    expect(await found(`${DASHBOARD}?q=0000%20101`)).toContain(one);
    expect((await visitor.get(`${DASHBOARD}?q=nobody`)).text).toContain('Καμία άδεια δεν ταιριάζει');
    expect(await visitor.get(`${DASHBOARD}/apps/nobody`)).toMatchObject({ status: 404 });
  });

  test('that are payments are found by payee and amount, and say what became of them', async () => {
    const details = {
      ...paymentDetails,
      creditorName: 'Ανθοπωλείο Αθηνά',
      instructedAmount: { currency: 'EUR', amount: 77.25 },
    };
    const id = await addRequest(service(), { status: 'Valid', details, accounts: [account('eleni', 101)] });
    await withStore(service(), (db) =>
      db.run('update consents set status = ?, end_reason = ? where id = ?', [
        'RevokedByPsu',
        'withdrawn',
        id,
      ]),
    );
    const visitor = await enter(service());
    for (const q of ['αθηνα', '77,25', '77.25'])
      expect(await listedIds(visitor, `${DASHBOARD}/payments?q=${encodeURIComponent(q)}`)).toEqual([id]);
    const { text } = await visitor.get(`${DASHBOARD}/payments?q=77.25&paid=notPaid`);
    expect(text).toContain('Δεν πληρώθηκε, επειδή ανακαλέσατε την έγκρισή σας.');
    expect(await listedIds(visitor, `${DASHBOARD}/payments?q=77.25&paid=paid`)).toEqual([]);
  });

  test('are not listed for days that end before they begin: the field says so', async () => {
    const visitor = await enter(service());
    for (const list of ['payments', 'funds', 'accesses']) {
      const answer = await visitor.get(`${DASHBOARD}/${list}?from=2027-01-01&to=2026-01-01&lang=en`);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('href="#filter-to"');
      expect(answer.text).toContain('id="filter-to-error"');
    }
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
    for (const path of [DASHBOARD, pathOf(id)])
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
    for (const path of [`${DASHBOARD}/payments`, pathOf(id), pathOf(id, '/withdraw')]) {
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
      ['/funds', 'Καμία εφαρμογή δεν έχει ρωτήσει ακόμη.'],
      ['/accesses', 'Καμία εφαρμογή δεν έχει διαβάσει ακόμη στοιχεία σας.'],
      ['/funds?from=2026-01-01', 'Καμία εφαρμογή δεν ρώτησε σε αυτό το διάστημα.'],
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
