/** A suspended third party gets no page, no decision and no visitor: neither in a request, nor in a renewal, nor in an authorization. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/lib/clock.js';
import { setSuspended } from '../../../src/tpp/registry.js';
import {
  accessDetails,
  addRequest,
  hiddenFields,
  stored,
  titleOf,
  Visitor,
} from '../../account-pages/approve-support.js';
import { accessDetail, decide, toApproval } from '../../oauth/authorization-details/journey.js';
import { Browser, discover, formOf, passwordOf, startAuthorization } from '../../oauth/provider-journey.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { engines } from '../../support/engines.js';
import { account, FINANCE } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';

const TITLE = { el: 'Η εφαρμογή δεν είναι διαθέσιμη τώρα', en: 'This app is not available now' };

describe.each(engines)('security F5: on %s, with two nodes', (engine) => {
  let database: TestDatabase;
  let service: Service;
  /** The node on which the operator's change was not made. */
  let other: Service;
  let tppId: string;
  beforeAll(async () => {
    database = await createDatabase(engine);
    service = await startService({ databaseUrl: database.url });
    other = await startService({ databaseUrl: database.url, env: { BASE_URL: service.url } });
    const row = await withStore(service, (db) =>
      db.one<{ tpp_id: string }>('select tpp_id from applications where client_id = ?', [FINANCE]),
    );
    tppId = row?.tpp_id ?? '';
  });
  afterAll(async () => {
    await other.close();
    await service.close();
    await database.drop();
  });

  const set = (what: 'tpp' | 'application', isSuspended: boolean): Promise<void> =>
    withStore(service, (db) =>
      db.transaction((tx) => setSuspended(tx, what, what === 'tpp' ? tppId : FINANCE, isSuspended)),
    );
  afterEach(async () => {
    await set('tpp', false);
    await set('application', false);
  });

  const kinds = [
    ['a request', {}],
    [
      'a renewal',
      {
        kind: 'AccountAccess',
        status: 'Valid',
        details: accessDetails,
        accounts: [account('eleni', 101)],
        isRecurring: true,
      },
    ],
  ] as const;

  it.each(
    kinds.flatMap(([name, wanted]) =>
      (['tpp', 'application'] as const).map((what) => [name, what, wanted] as const),
    ),
  )(
    'security F5: %s of a suspended %s is neither shown nor decided, and leads nowhere',
    async (_name, what, wanted) => {
      const id = await addRequest(service, wanted);
      if (wanted !== kinds[0][1])
        await withStore(service, (db) =>
          db.run('update consents set renewal_at = ? where id = ?', [service.clock.now() - MINUTE, id]),
        );
      const visitor = new Visitor(service);
      const page = await visitor.open(id);
      expect(page.text).toContain('value="begin"');
      const before = await stored(service, id);
      await set(what, true);
      const elsewhere = new Visitor(other);
      const shown = [await visitor.get(`/authorise/${id}`), await elsewhere.open(id)];
      for (const answer of shown) {
        expect([answer.status, titleOf(answer)]).toEqual([403, TITLE.el]);
        expect(answer.text).not.toMatch(/name="code"|value="begin"/);
        expect(answer.text).not.toContain('demo-finance-app.example');
        expect(answer.headers['content-security-policy']).not.toContain('demo-finance-app.example');
      }
      expect(titleOf(await visitor.get(`/authorise/${id}?lang=en`))).toBe(TITLE.en);
      for (const decision of ['approve', 'refuse']) {
        const decided = await visitor.decide(id, page, { decision });
        expect([decided.status, decided.headers.location]).toEqual([403, undefined]);
      }
      expect(await stored(service, id)).toEqual(before);
    },
  );

  it('security F5: what was decided before leads nowhere either', async () => {
    const id = await addRequest(service, { status: 'Rejected' });
    const visitor = new Visitor(service);
    expect((await visitor.open(id)).text).toContain('refused.example');
    await set('application', true);
    expect((await visitor.get(`/authorise/${id}`)).text).not.toContain('refused.example');
  });

  it('security F5: an authorization that waits ends on our side, before and after the login, with or without a request', async () => {
    const configuration = await discover(service);
    const started = await startAuthorization(service, configuration);
    const browser = new Browser(service.url);
    const { page } = await browser.visit(started.url.href);
    const { action, token } = formOf(page);
    const approving = await toApproval(service, configuration, { details: accessDetail });
    expect(approving.page.text).toContain('value="begin"');
    await set('tpp', true);
    const form = { form_token: token, username: 'eleni', password: passwordOf(service, 'eleni') };
    for (const tried of [await browser.visit(action), await browser.visit(action, form)]) {
      expect([tried.page.status, tried.leftTo, titleOf(tried.page)]).toEqual([400, undefined, TITLE.el]);
    }
    const decided = await decide(approving);
    expect([decided.page.status, decided.leftTo]).toEqual([403, undefined]);
    const anew = await new Browser(service.url).visit(started.url.href);
    expect([anew.page.status, anew.leftTo]).toEqual([400, undefined]);
  });

  it('security F5: when the suspension is lifted the request can be decided', async () => {
    const id = await addRequest(service);
    await set('tpp', true);
    const visitor = new Visitor(service);
    expect((await visitor.open(id)).status).toBe(403);
    await set('tpp', false);
    const page = await visitor.get(`/authorise/${id}`);
    const decided = await visitor.decide(id, page, { decision: 'refuse' });
    expect(decided.headers.location).toContain('refused.example');
    expect(hiddenFields(page.text)).not.toEqual({});
  });
});
