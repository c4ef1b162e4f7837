/** Renewing the authentication of a consent: the call, the page, and what it opens again. Nothing becomes wider by it. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { RETURN } from '../../../packages/sandbox/src/applications.js';
import { consentStatuses } from '../../../src/consent/record.js';
import { DAY, MINUTE } from '../../../src/lib/clock.js';
import { forgetCodes, stored, titleOf, Visitor } from '../../account-pages/approve-support.js';
import { type Answer, slugOf } from '../../support/client.js';
import { engines } from '../../support/engines.js';
import { BUDGET, moveBankClock, resetSandbox, shownHeaders } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import { type Use, useService } from '../../support/use-service.js';
import { daysAgo, historyBank, toSameDay } from './history-bank.js';
import { type Access, addAccess, pathOf, read } from './support.js';

const backOf = ({ url }: Service): string => `${url}${RETURN}/demo-finance-app`;
const authorisations = (id: string): string => `/ais/psd2/v1/consents/${id}/authorisations`;

const start = (
  service: Use,
  access: Pick<Access, 'id' | 'as'>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  service().call({ method: 'POST', path: authorisations(access.id), headers, as: access.as });

const decide = (service: Use, id: string, decision: string): Promise<Answer> =>
  service().call({ method: 'POST', path: `/sandbox/consents/${id}/decision`, body: { decision } });

const EXPIRED = { scaAgeMs: 180 * DAY, expiresInMs: 100 * DAY };

const theCall = (service: Use): void => {
  it('answers 201 with the page to send the account holder to', async () => {
    const access = await addAccess(service(), EXPIRED);
    const answer = await start(service, access);
    const self = `${service().url}/ais/psd2/v1/consents/${access.id}`;
    expect(answer.status).toBe(201);
    expect(answer.headers.location).toBe(self);
    expect(answer.headers['aspsp-sca-approach']).toBe('REDIRECT');
    expect(answer.json).toEqual({
      consentId: access.id,
      consentStatus: 'Valid',
      _links: {
        self: { href: self },
        status: { href: `${self}/status` },
        scaRedirect: { href: `${service().url}/authorise/${access.id}` },
      },
    });
  });

  it('is repeated byte for byte under the same X-Request-ID, and refused with another content', async () => {
    const [access, other] = [await addAccess(service()), await addAccess(service())];
    const headers = { 'X-Request-ID': randomUUID() };
    const first = await start(service, access, headers);
    const second = await start(service, access, headers);
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(slugOf(await start(service, other, headers))).toBe('request-id-conflict');
    expect(slugOf(await start(service, access, { ...headers, 'TPP-State': 'x' }))).toBe(
      'request-id-conflict',
    );
  });

  it.each(consentStatuses.filter((status) => status !== 'Valid'))(
    'is refused for a consent that is %s',
    async (status) => {
      const answer = await start(service, await addAccess(service(), { status }));
      expect([answer.status, slugOf(answer)]).toEqual([409, 'state-conflict']);
    },
  );

  it('finds only the caller’s own account accesses', async () => {
    const access = await addAccess(service());
    const foreign = await addAccess(service(), { application: BUDGET });
    const headers = { 'X-Request-ID': randomUUID() };
    const ids = [randomUUID(), foreign.id, service().consent('PaymentInitiation').id, 'x', '%00'];
    const answers = [];
    for (const id of ids) answers.push(await start(service, { id, as: access.as }, headers));
    for (const answer of answers) {
      expect([answer.status, answer.text]).toEqual([404, answers[0]?.text]);
      expect(shownHeaders(answer)).toEqual(shownHeaders(answers[0] ?? answer));
    }
  });

  it('takes only registered addresses', async () => {
    const access = await addAccess(service());
    const answer = await start(service, access, { 'TPP-Redirect-URI': 'https://elsewhere.example/' });
    expect([answer.status, slugOf(answer)]).toEqual([400, 'invalid-header']);
  });
};

const theEffect = (service: Use): void => {
  it('an approval opens the data for another 180 days, and old history for 60 minutes', async () => {
    const access = await addAccess(service(), EXPIRED);
    const balances = pathOf('getBalances', access.first);
    const old = `${pathOf('getTransactions', access.first)}?dateFrom=${daysAgo(200)}`;
    expect(slugOf(await read(service(), access, balances))).toBe('sca-renewal-required');
    await start(service, access);
    expect(slugOf(await read(service(), access, balances))).toBe('sca-renewal-required');
    expect((await decide(service, access.id, 'approve')).json).toEqual({ status: 'Valid' });
    expect((await read(service(), access, balances)).status).toBe(200);
    expect((await read(service(), access, old)).status).toBe(200);
    await moveBankClock(service(), 'PT61M');
    expect((await read(service(), access, balances)).status).toBe(200);
    expect(slugOf(await read(service(), access, old))).toBe('history-needs-authentication');
    await resetSandbox(service());
  });

  it('a refusal leaves the consent as it is', async () => {
    const access = await addAccess(service(), { scaAgeMs: MINUTE });
    const before = await stored(service(), access.id);
    await start(service, access);
    expect((await decide(service, access.id, 'reject')).json).toEqual({ status: 'Valid' });
    expect(await stored(service(), access.id)).toEqual(before);
    expect((await read(service(), access, pathOf('getBalances', access.first))).status).toBe(200);
    expect((await decide(service, access.id, 'approve')).status).toBe(409);
  });

  it('nothing of the consent changes but its history and the time of the authentication', async () => {
    const access = await addAccess(service());
    const { steps, ...before } = await stored(service(), access.id);
    await start(service, access);
    await decide(service, access.id, 'approve');
    const { steps: after, ...rest } = await stored(service(), access.id);
    expect(rest).toEqual(before);
    expect(after).toEqual([...steps, 'Valid']);
  });

  it('a renewal that nobody decides about is over after a day', async () => {
    const access = await addAccess(service());
    await start(service, access);
    await moveBankClock(service(), 'PT24H1M');
    expect((await decide(service, access.id, 'approve')).status).toBe(409);
    await resetSandbox(service());
  });
};

const thePage = (service: Use): void => {
  it('shows what is allowed already and asks for nothing but the code', async () => {
    const access = await addAccess(service(), EXPIRED);
    const visitor = new Visitor(service());
    expect(titleOf(await visitor.open(access.id))).toBe('Έχετε εγκρίνει το αίτημα');
    await start(service, access, { 'TPP-State': 'a b' });
    const page = await visitor.get(`/authorise/${access.id}`);
    expect(titleOf(page)).toMatch(/^Να συνεχίσει η εφαρμογή .+ να βλέπει τους λογαριασμούς σας;$/);
    expect(page.text).toContain('GR05 9990 0010 0000 0000 0000 101');
    expect(page.text).not.toContain('name="account"');
    const answer = await visitor.decide(access.id, page);
    expect([answer.status, answer.headers.location]).toEqual([
      303,
      `${backOf(service())}?consentId=${access.id}&state=a%20b&result=approved`,
    ]);
    expect((await read(service(), access, pathOf('getBalances', access.first))).status).toBe(200);
    expect(titleOf(await visitor.get(`/authorise/${access.id}`))).toBe('Έχετε εγκρίνει το αίτημα');
  });

  it('does not take the code of an earlier renewal, nor a page of it', async () => {
    const access = await addAccess(service(), EXPIRED);
    await start(service, access);
    const visitor = new Visitor(service());
    const old = await visitor.open(access.id);
    service().clock.advance(1000);
    await start(service, access);
    expect(titleOf(await visitor.decide(access.id, old))).toBe('Το αίτημα άλλαξε');
    const fresh = await visitor.get(`/authorise/${access.id}`);
    const { text } = await visitor.decide(access.id, fresh, { code: '' });
    expect(text).toContain('Πληκτρολογήστε τον κωδικό μίας χρήσης.');
    expect((await visitor.decide(access.id, fresh)).status).toBe(303);
  });

  it('pauses after five wrong codes, also for a renewal that is begun anew, and the permission stays', async () => {
    const access = await addAccess(service(), { scaAgeMs: MINUTE });
    await start(service, access);
    const visitor = new Visitor(service());
    const page = await visitor.open(access.id);
    const wrong = () => visitor.decide(access.id, page, { code: '000000' });
    for (let attempt = 1; attempt <= 4; attempt += 1) expect((await wrong()).status).toBe(400);
    expect((await wrong()).status).toBe(429);
    expect((await visitor.decide(access.id, page)).status).toBe(429);
    expect((await stored(service(), access.id)).status).toBe('Valid');
    await start(service, access);
    const again = await visitor.get(`/authorise/${access.id}`);
    expect(again.text).toContain('Δεν δεχόμαστε κωδικούς μέχρι τις ');
    await forgetCodes(service());
    const free = await visitor.get(`/authorise/${access.id}`);
    expect((await visitor.decide(access.id, free)).status).toBe(303);
  });

  it('a refusal goes back to the third party, and nobody else sees the page', async () => {
    const access = await addAccess(service(), EXPIRED);
    await start(service, access);
    expect((await new Visitor(service()).open(access.id, 'nikos')).status).toBe(404);
    const visitor = new Visitor(service());
    const page = await visitor.open(access.id);
    const answer = await visitor.decide(access.id, page, { decision: 'refuse' });
    expect(answer.headers.location).toBe(`${backOf(service())}?consentId=${access.id}&result=refused`);
    expect(slugOf(await read(service(), access, pathOf('getBalances', access.first)))).toBe(
      'sca-renewal-required',
    );
  });

  it('of two decisions at once one counts', async () => {
    const access = await addAccess(service(), EXPIRED);
    await start(service, access);
    const visitor = new Visitor(service());
    const page = await visitor.askForCode(access.id, await visitor.open(access.id));
    const answers = await Promise.all([1, 2, 3].map(() => visitor.decide(access.id, page)));
    for (const answer of answers) expect(answer.status).toBe(303);
    expect((await stored(service(), access.id)).steps).toEqual(['Valid']);
  });
};

describe.each(engines)('on %s', (engine) => {
  const service = useService({ engine, bank: historyBank() }, toSameDay);
  describe('the call', () => theCall(service));
  describe('the effect', () => theEffect(service));
  describe('the page', () => thePage(service));
});
