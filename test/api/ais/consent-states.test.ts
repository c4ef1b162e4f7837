/** Which consent opens a read: every status with every read, whose it is, and that nothing can be learned about others. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  consentAccount,
  consentStatuses,
  type Permission,
  permissions,
} from '../../../src/consent/record.js';
import { withResourceIds } from '../../../src/consent/resource-ids.js';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.js';
import { Vault } from '../../../src/lib/vault.js';
import type { ClientId } from '../../../src/model/ids.js';
import { type Answer, done, slugOf } from '../../support/client.js';
import { engines } from '../../support/engines.js';
import {
  account,
  approve,
  BUDGET,
  FINANCE,
  moveBankClock,
  psuId,
  resetSandbox,
  shownHeaders,
} from '../../support/operations.js';
import { type Service, testSecret } from '../../support/service.js';
import { type Use, useService, withStore } from '../../support/use-service.js';
import { historyBank } from './history-bank.js';
import { type Access, addAccess, addAccesses, pathOf, read, readIds, recordsOf } from './support.js';

const eleni = { psu: 'eleni', application: FINANCE };

const everyStatus = (service: Use): void => {
  it.each(consentStatuses.flatMap((status) => readIds.map((id) => [status, id] as const)))(
    '%s with %s',
    async (status, id) => {
      const access = await addAccess(service(), { status });
      const answer = await read(service(), access, pathOf(id, access.first));
      if (status === 'Valid') expect(answer.status).toBe(200);
      else {
        expect([answer.status, slugOf(answer)]).toEqual([403, 'consent-not-valid']);
        expect(answer.json).toMatchObject({ extensions: { consent: { status } } });
      }
      expect(await recordsOf(service(), access.id)).toHaveLength(status === 'Valid' ? 1 : 0);
    },
  );
};

/** The same request with each of these, byte for byte. */
const alike = async (
  service: Service,
  tries: readonly { readonly access: Pick<Access, 'id' | 'as'>; readonly path: string }[],
): Promise<Answer> => {
  const headers = { 'X-Request-ID': randomUUID() };
  const answers = [];
  for (const { access, path } of tries) answers.push(await read(service, access, path, { headers }));
  const [first] = answers;
  if (!first) throw new Error('nothing was tried');
  for (const answer of answers) {
    expect(answer.text).toBe(first.text);
    expect(shownHeaders(answer)).toEqual(shownHeaders(first));
  }
  return first;
};

const foreign = (service: Use): void => {
  it.each(readIds)('%s answers unknown, foreign and other consents alike', async (id) => {
    const world = service();
    const own = await addAccess(world);
    const path = pathOf(id, own.first);
    const [otherApplication, otherPsu] = await addAccesses(world, [
      { application: BUDGET },
      { psu: 'nikos', accounts: [account('nikos', 202)] },
    ]);
    const ids = [
      randomUUID(),
      otherApplication?.id ?? '',
      otherPsu?.id ?? '',
      world.consent('PaymentInitiation').id,
      world.consent('ConfirmationOfFunds').id,
      own.id.toUpperCase(),
    ];
    const answer = await alike(
      world,
      ids.map((consentId) => ({ access: { id: consentId, as: eleni }, path })),
    );
    expect([answer.status, slugOf(answer)]).toEqual([403, 'consent-required']);
  });

  it.each(readIds.slice(1))('%s finds no account but those of this very consent', async (id) => {
    const world = service();
    const both = [account('eleni', 101), account('eleni', 102)];
    const [own, other, elsewhere] = await addAccesses(world, [
      {},
      { accounts: both },
      { application: BUDGET },
    ]);
    if (!own || !other || !elsewhere) throw new Error('no consents');
    const wrong = [
      randomUUID(),
      ...other.resourceIds,
      elsewhere.first,
      own.first.toUpperCase(),
      account('eleni', 101).id,
      account('eleni', 101).iban ?? '',
      `${own.first}%00`,
      '..%2f',
      '__proto__',
      encodeURIComponent('λογαριασμός'),
    ];
    const answer = await alike(
      world,
      wrong.map((resourceId) => ({ access: own, path: pathOf(id, resourceId) })),
    );
    expect([answer.status, slugOf(answer)]).toEqual([404, 'resource-not-found']);
    expect(await recordsOf(world, own.id)).toEqual([]);
  });

  it.each(['transactions', 'statements'])(
    '%s of another account are not found by their ids',
    async (kind) => {
      const world = service();
      const own = await addAccess(world);
      const base = `${pathOf('getAccount', own.first)}/${kind}`;
      const ids = ['t2-5', 's2-1', 'nothing', '%00', '%F0%9F%92%A9', 'a'.repeat(200), 'a%20b'];
      const answer = await alike(
        world,
        ids.map((each) => ({ access: own, path: `${base}/${each}` })),
      );
      expect([answer.status, slugOf(answer)]).toEqual([404, 'resource-not-found']);
    },
  );
};

type Who = Partial<Record<'psu' | 'application', string>>;

/** The ids of the accounts of a new consent, by number and currency. */
const idsOfNew = async (world: Service, permissions: readonly Permission[], who: Who = {}) => {
  const as = { ...eleni, ...who };
  const body = { permissions };
  const { consentId: id } = done(
    await world.call({ method: 'POST', path: '/ais/psd2/v1/consents', body, as }),
  ).json as { consentId: string };
  await approve(world, id);
  const { json } = await read(world, { id, as }, pathOf('getAccounts', ''));
  const { accounts } = json as { accounts: Record<'resourceId' | 'iban' | 'currency', string>[] };
  return { id, as, ids: new Map(accounts.map((each) => [`${each.iban} ${each.currency}`, each.resourceId])) };
};

const accountIds = (service: Use): void => {
  it('are the same in every consent of an application and a person, whatever it opens, and tell nothing', async () => {
    const world = service();
    const basic = await idsOfNew(world, ['AccountsBasic']);
    expect(basic.ids.size).toBeGreaterThan(1);
    expect(new Set(basic.ids.values()).size).toBe(basic.ids.size);
    for (const permission of permissions.slice(1)) {
      const other = await idsOfNew(world, ['AccountsBasic', permission]);
      expect(other.id).not.toBe(basic.id);
      expect(other.ids).toEqual(basic.ids);
    }
    for (const [number, id] of basic.ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(number).not.toContain(id);
    }
  });

  it('of consents that were approved before are still read, and the newest go on', async () => {
    const world = service();
    const budget = { application: BUDGET };
    const accounts = [account('eleni', 101)];
    const [older, newer] = await addAccesses(world, [
      { ...budget, accounts, scaAgeMs: HOUR },
      { ...budget, accounts },
    ]);
    if (!older || !newer) throw new Error('no consents');
    for (const access of [older, newer])
      expect((await read(world, access, pathOf('getBalances', access.first))).status).toBe(200);
    expect([...(await idsOfNew(world, ['AccountsBasic'], budget)).ids.values()]).toContain(newer.first);
  });

  it('are others for another application, and for another holder of the same account', async () => {
    const world = service();
    const { ids } = await idsOfNew(world, ['AccountsBasic']);
    const ofApplication = await idsOfNew(world, ['AccountsBasic'], { application: BUDGET });
    expect([...ofApplication.ids.keys()]).toEqual([...ids.keys()]);
    const joint = [consentAccount(account('eleni', 101))];
    const held = { kind: 'AccountAccess', clientId: FINANCE, psuId: psuId('nikos') } as const;
    const ofPerson = await withStore(world, (db) =>
      db.transaction((tx) => withResourceIds(tx, new Vault(testSecret), held, joint)),
    );
    for (const id of [...ofApplication.ids.values(), ofPerson[0]?.resourceId])
      expect([...ids.values()]).not.toContain(id);
  });

  it('go on when the core numbers its accounts anew, and when the secret has changed', async () => {
    const world = service();
    const before = await idsOfNew(world, ['AccountsBasic']);
    await withStore(world, (db) =>
      db.transaction(async (tx) => {
        await tx.run("update consent_accounts set account_id = 'old-' || account_id");
        const held = { kind: 'AccountAccess', clientId: FINANCE, psuId: psuId('eleni') } as const;
        const accounts = [consentAccount(account('eleni', 101))];
        const named = await withResourceIds(tx, new Vault(`another secret,${testSecret}`), held, accounts);
        expect([...before.ids.values()]).toContain(named[0]?.resourceId);
        const stranger = { ...held, psuId: psuId('giorgos') };
        const [one, other] = await Promise.all(
          [testSecret, `another secret,${testSecret}`].map((each) =>
            withResourceIds(tx, new Vault(each), { ...stranger, clientId: 'nobody' as ClientId }, accounts),
          ),
        );
        expect(one?.[0]?.resourceId).toBe(other?.[0]?.resourceId);
      }),
    );
    expect((await idsOfNew(world, ['AccountsBasic'])).ids).toEqual(before.ids);
  });
};

const authentication = (service: Use): void => {
  it.each(readIds)('%s is closed 180 days after the last authentication', async (id) => {
    const [before, after] = await addAccesses(service(), [
      { scaAgeMs: 180 * DAY - 5 * MINUTE },
      { scaAgeMs: 180 * DAY },
    ]);
    if (!before || !after) throw new Error('no consents');
    expect((await read(service(), before, pathOf(id, before.first))).status).toBe(200);
    const answer = await read(service(), after, pathOf(id, after.first));
    expect([answer.status, slugOf(answer)]).toEqual([403, 'sca-renewal-required']);
    expect(answer.json).toMatchObject({
      extensions: {
        error: { code: 'SCA_RENEWAL_REQUIRED', advice: 'renew-consent' },
        consent: { status: 'Valid', scaValidUntil: expect.stringMatching(/Z$/) },
        _links: {
          startAuthorisation: { href: `${service().url}/ais/psd2/v1/consents/${after.id}/authorisations` },
        },
      },
    });
  });

  it('is closed by the clock of the bank alone, and the consent stays Valid', async () => {
    const access = await addAccess(service());
    const path = pathOf('getBalances', access.first);
    await moveBankClock(service(), 'P179D');
    expect((await read(service(), access, path)).status).toBe(200);
    await moveBankClock(service(), 'P1D');
    expect(slugOf(await read(service(), access, path))).toBe('sca-renewal-required');
    const status = await service().call({ path: `/ais/psd2/v1/consents/${access.id}/status`, as: eleni });
    expect(status.json).toEqual({ status: 'Valid' });
    await resetSandbox(service());
  });
};

const header = (service: Use): void => {
  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['no UUID', 'consent'],
  ])('Consent-ID that is %s is named', async (_what, value) => {
    for (const id of readIds) {
      const answer = await service().call({
        path: pathOf(id, 'x'),
        headers: { 'Consent-ID': value },
        as: eleni,
      });
      expect([answer.status, slugOf(answer)]).toEqual([400, 'invalid-header']);
      expect(Object.keys((answer.json as { errors: object }).errors)).toEqual(['header.Consent-ID']);
    }
  });
};

describe.each(engines)('on %s', (engine) => {
  const service = useService({ engine, bank: historyBank() });
  describe('a consent that is', () => everyStatus(service));
  describe('a consent that is not the caller’s', () => foreign(service));
  describe('account ids', () => accountIds(service));
  describe('the header', () => header(service));
  describe('a consent', () => authentication(service));
});
