/** Which consent opens a read: every status with every read, whose it is, and that nothing can be learned about others. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { consentStatuses } from '../../../src/consent/record.js';
import { DAY, MINUTE } from '../../../src/lib/clock.js';
import { type Answer, done, slugOf } from '../../support/client.js';
import { engines } from '../../support/engines.js';
import {
  account,
  approve,
  BUDGET,
  FINANCE,
  moveBankClock,
  resetSandbox,
  shownHeaders,
} from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import { type Use, useService } from '../../support/use-service.js';
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

const accountIds = (service: Use): void => {
  it('differ between consents, stay the same within one, and tell nothing about the account', async () => {
    const world = service();
    const accounts = [account('eleni', 101), account('eleni', 102)];
    const consents = await addAccesses(world, [{ accounts }, { accounts }]);
    const shown = async (access: Access): Promise<string[]> => {
      const { json } = await read(world, access, pathOf('getAccounts', ''));
      return (json as { accounts: { resourceId: string }[] }).accounts.map(({ resourceId }) => resourceId);
    };
    const all: string[] = [];
    for (const access of consents) {
      const ids = await shown(access);
      expect(ids).toEqual(access.resourceIds);
      expect(await shown(access)).toEqual(ids);
      all.push(...ids);
    }
    expect(new Set(all).size).toBe(4);
    for (const { id, iban } of accounts) expect(all).not.toContain(iban ?? id);
  });

  it('are made anew and at random for every consent that is created', async () => {
    const world = service();
    const create = async (): Promise<string> => {
      const body = { permissions: ['AccountsBasic'] };
      const made = await world.call({ method: 'POST', path: '/ais/psd2/v1/consents', body, as: eleni });
      const { consentId } = done(made).json as { consentId: string };
      await approve(world, consentId);
      const { json } = await read(world, { id: consentId, as: eleni }, pathOf('getAccounts', ''));
      return (json as { accounts: { resourceId: string }[] }).accounts[0]?.resourceId ?? '';
    };
    const ids = [await create(), await create()];
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
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
