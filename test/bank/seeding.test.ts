/** How the books come into being: at the first start, in a store from before the ledger, again at a reset, and in volume. */
import { describe, expect, it } from 'vitest';
import { casePsus } from '../../packages/sandbox/src/bank/case-people.js';
import { demoAccount, demoAccounts } from '../../packages/sandbox/src/bank/people.js';
import { fillVolumeAccount, volumeAccount } from '../../packages/sandbox/src/bank/volume.js';
import { seedSandbox } from '../../packages/sandbox/src/seed.js';
import { Vault } from '../../src/lib/vault.js';
import type { Db } from '../../src/store/db.js';
import { engines } from '../support/engines.js';
import { resetSandbox } from '../support/operations.js';
import { testSecret } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';
import { faultsIn, timeZone } from './books.js';

const count = async (db: Db, accountId: string): Promise<number | undefined> =>
  (await db.one<{ n: number }>('select entries as n from demo_accounts where id = ?', [accountId]))?.n;

const bookedOf = async (db: Db): Promise<readonly number[]> => {
  const rows = await db.all<{ id: string; n: number }>('select id, booked_minor as n from demo_accounts');
  return demoAccounts.map(({ id }) => rows.find((row) => row.id === id)?.n ?? Number.NaN);
};
const described = demoAccounts.map(({ bookedMinor }) => bookedMinor);

/** Accounts that came after the ledger. */
const later = [volumeAccount, ...casePsus.flatMap(({ accounts }) => accounts)]
  .map(({ id }) => `'${id}'`)
  .join();

describe.each(engines)('the sandbox on %s', (engine) => {
  const volume = 350;
  const service = useService({
    engine,
    env: { TRAPEZA_DEMO_VOLUME: String(volume), TRAPEZA_DEMO_MONTHS: '1' },
  });

  it('starts with books that add up, and with the volume account it was told to make', async () => {
    await withStore(service(), async (db) => {
      expect(await faultsIn(db)).toEqual([]);
      expect(await bookedOf(db)).toEqual(described);
      expect(await count(db, volumeAccount.id)).toBe(volume);
      expect(await count(db, demoAccount(101).id)).toBeGreaterThan(20);
    });
  });

  it('gives a store from before the ledger its books at the next start', async () => {
    await withStore(service(), async (db) => {
      await db.script(`
        delete from demo_holds; delete from demo_transfers;
        delete from demo_accounts where role <> 'customer';
        update demo_accounts set entries = 0, paid_minor = 0, paid_count = 0, last_booked_on = null, opening_minor = 0;
        delete from demo_holders where account_id in (${later});
        delete from demo_accounts where id in (${later});`);
      expect(await faultsIn(db)).not.toEqual([]);
      const parts = { vault: new Vault(testSecret), timeZone, months: 1, volume: 0, tell: () => undefined };
      await seedSandbox(db, { ...parts, nowMs: service().clock.now() });
      expect(await faultsIn(db)).toEqual([]);
      expect(await bookedOf(db)).toEqual(described);
    });
  });

  it('has the same books again after a reset, the volume account included', async () => {
    await withStore(service(), async (db) => {
      await db.run('update demo_accounts set booked_minor = 0');
      expect((await resetSandbox(service())).status).toBe(204);
      expect(await faultsIn(db)).toEqual([]);
      expect(await bookedOf(db)).toEqual(described);
      expect(await count(db, volumeAccount.id)).toBe(volume);
    });
  });

  it('makes the volume account once, and goes on where an interrupted start ended', async () => {
    await withStore(service(), async (db) => {
      const told: string[] = [];
      const fill = (total: number) =>
        fillVolumeAccount(db, { today: '2031-01-01', timeZone, months: 1 }, total, (line) => told.push(line));
      await fill(2 * volume);
      expect(await count(db, volumeAccount.id)).toBe(volume);
      expect(told).toEqual([]);
      await db.run(`delete from settings where name = 'demo-volume'`);
      await Promise.all([fill(2 * volume), fill(2 * volume)]);
      expect(await count(db, volumeAccount.id)).toBe(2 * volume);
      expect(told.at(-1)).toBe('volume account: 700 of 700 transactions');
      expect(await faultsIn(db)).toEqual([]);
    });
  });
});
