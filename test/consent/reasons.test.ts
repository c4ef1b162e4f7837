/** Why a consent ended, wherever its third party may look: the record, the event, the problem. */
import { describe, expect, it } from 'vitest';
import { addAccess, pathOf, read, readUnattended } from '../api/ais/support.js';
import { readFeed } from '../events/support.js';
import { engines } from '../support/engines.js';
import { approve, FUNDS, fundsBody, moveBankClock, resetSandbox } from '../support/operations.js';
import { type Use, useService, withStore } from '../support/use-service.js';
import { created, kinds } from './kinds.js';

const [funds, access, payment] = kinds;

const make = async (service: Use, kind: (typeof kinds)[number]): Promise<string> =>
  created(await service().call({ method: 'POST', path: kind.create, body: kind.body })).consentId;

const decide = (service: Use, id: string, decision: string) =>
  service().call({ method: 'POST', path: `/sandbox/consents/${id}/decision`, body: { decision } });

const lastEvent = async (service: Use, consentId: string) =>
  (await readFeed(service(), '?limit=500')).events.filter((each) => each.consentId === consentId).at(-1);

const record = async (service: Use, read: string, id: string) =>
  (await service().call({ path: `${read}/${id}` })).json as Record<string, unknown>;

const byPeople = (service: Use): void => {
  it.each([funds, access])('a $name that its account holder refused or withdrew says so', async (kind) => {
    const refused = await make(service, kind);
    await decide(service, refused, 'reject');
    expect(await record(service, kind.read, refused)).toMatchObject({ statusReason: 'rejected' });
    expect(await lastEvent(service, refused)).toMatchObject({ statusReason: 'rejected' });
    const withdrawn = await make(service, kind);
    await approve(service(), withdrawn);
    expect(await record(service, kind.read, withdrawn)).not.toHaveProperty('statusReason');
    await decide(service, withdrawn, 'revoke');
    expect(await record(service, kind.read, withdrawn)).toMatchObject({
      consentStatus: 'RevokedByPsu',
      statusReason: 'withdrawn',
    });
    const ended = await make(service, kind);
    await service().call({ method: 'DELETE', path: `${kind.read}/${ended}` });
    expect(await record(service, kind.read, ended)).toMatchObject({ statusReason: 'ended-by-tpp' });
  });

  it('approvedDate is the approval; scaValidUntil is of account accesses that are open', async () => {
    const id = await make(service, access);
    expect(await record(service, access.read, id)).not.toHaveProperty('approvedDate');
    const before = service().clock.now();
    await approve(service(), id);
    const { approvedDate, scaValidUntil } = await record(service, access.read, id);
    expect(Date.parse(String(approvedDate))).toBeGreaterThanOrEqual(before);
    expect(Date.parse(String(scaValidUntil)) - Date.parse(String(approvedDate))).toBe(180 * 86_400_000);
    expect(await lastEvent(service, id)).toMatchObject({ consentStatus: 'Valid', scaValidUntil });
    const asked = await make(service, funds);
    await approve(service(), asked);
    const fundsRecord = await record(service, funds.read, asked);
    expect(fundsRecord).toHaveProperty('approvedDate');
    expect(fundsRecord).not.toHaveProperty('scaValidUntil');
  });

  it('scaValidUntil is the end of the consent if that comes first', async () => {
    const day = new Date(service().clock.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    const body = { ...access.body, expirationDate: day };
    const { consentId } = created(await service().call({ method: 'POST', path: access.create, body }));
    await approve(service(), consentId);
    const { scaValidUntil } = await record(service, access.read, consentId);
    expect(String(scaValidUntil).slice(0, 10)).toBe(day);
  });

  it('the record of a payment consent and every status answer stay those of the contract', async () => {
    const id = await make(service, payment);
    await decide(service, id, 'reject');
    expect(Object.keys(await record(service, payment.read, id)).toSorted()).toEqual([
      'consentStatus',
      'createdDate',
      'details',
      'id',
      'tpp',
      'type',
    ]);
    expect(await record(service, payment.read, `${id}/status`)).toEqual({ status: 'Rejected' });
    expect(await lastEvent(service, id)).toMatchObject({ statusReason: 'rejected' });
  });

  it('problems say it too', async () => {
    const gone = await addAccess(service());
    await decide(service, gone.id, 'revoke');
    const answer = await read(service(), gone, pathOf('getAccounts', gone.first));
    expect(answer.json).toMatchObject({
      extensions: { consent: { status: 'RevokedByPsu', statusReason: 'withdrawn' } },
    });
    const seeded = await withStore(service(), (db) =>
      db.one<{ iban: string }>(
        `select a.iban from consents c join consent_accounts a on a.consent_id = c.id
         where c.kind = 'ConfirmationOfFunds' and c.status = 'Rejected' and c.client_id = 'demo-finance-app' and a.iban is not null`,
      ),
    );
    const refusedFunds = await service().call({
      method: 'POST',
      path: FUNDS,
      body: fundsBody({ account: { iban: seeded?.iban ?? '' } }),
      as: { psu: 'nikos' },
    });
    expect(refusedFunds.json).toMatchObject({
      extensions: { consent: { status: 'Rejected', statusReason: 'rejected' } },
    });
  });
};

const payments = (service: Use): void => {
  const submit = (id: string) => service().call({ method: 'POST', path: `/pis/psd2/v1/${id}/payment` });

  it('a payment is told before the end of its consent, and the end says that it was paid', async () => {
    const id = await make(service, payment);
    await approve(service(), id);
    expect((await submit(id)).status).toBe(201);
    await service().app.runJobs();
    const { events } = await readFeed(service(), '?limit=500');
    const own = events.filter(({ consentId }) => consentId === id);
    expect(own.slice(-2)).toMatchObject([
      { type: 'payment', transactionStatus: 'ACSC' },
      { type: 'consent', consentStatus: 'Expired', statusReason: 'completed' },
    ]);
  });

  it('one that was never submitted is unused, before and after it is written down', async () => {
    const id = await make(service, payment);
    await approve(service(), id);
    await moveBankClock(service(), 'PT25H');
    expect((await submit(id)).json).toMatchObject({
      extensions: { consent: { status: 'Expired', statusReason: 'unused' } },
    });
    await service().app.runJobs();
    expect(await lastEvent(service, id)).toMatchObject({ statusReason: 'unused' });
    await resetSandbox(service());
  });
};

const byTime = (service: Use): void => {
  it('nobody decided, its last day passed, its one sitting is over: three reasons', async () => {
    const undecided = await make(service, access);
    const oneOff = await addAccess(service(), { recurring: false });
    const short = await addAccess(service(), { expiresInMs: 3_600_000 });
    expect((await readUnattended(service(), oneOff, pathOf('getAccounts', oneOff.first))).status).toBe(200);
    await moveBankClock(service(), 'PT25H');
    const reasons = async () =>
      Promise.all(
        [undecided, oneOff.id, short.id].map(
          async (id) => (await record(service, access.read, id)).statusReason,
        ),
      );
    const expected = ['undecided', 'completed', 'expired'];
    expect(await reasons()).toEqual(expected);
    await service().app.runJobs();
    expect(await reasons()).toEqual(expected);
    for (const [index, id] of [undecided, oneOff.id, short.id].entries())
      expect(await lastEvent(service, id)).toMatchObject({ statusReason: expected[index] });
    await resetSandbox(service());
  });
};

describe.each(engines)('reasons on %s', (engine) => {
  const service = useService({ engine });
  byPeople(service);
  payments(service);
  byTime(service);
});
