/** Fills an empty store with the demo bank, its third parties, consents and ATMs; and brings it back to that state. */
import { demoAtms } from '../atms/demo/demo-atms.js';
import { publishAtms } from '../atms/publication.js';
import { clearDemoBank, seedDemoBank } from '../bank/demo/demo-bank.js';
import { insertConsent } from '../consent/consents.js';
import type { Vault } from '../lib/vault.js';
import type { Db, Queries } from '../store/db.js';
import { demoApplications } from './applications.js';
import { demoConsents } from './demo-consents.js';
import { registerApplication } from './registration.js';

const IS_SANDBOX = `select value from settings where name = 'sandbox'`;
const MARK_SANDBOX = `insert into settings (name, value) values ('sandbox', 'yes') on conflict (name) do nothing`;

/** A store that holds demo data: `serve` refuses it, because everybody knows its keys. */
export const isSandboxStore = async (db: Queries): Promise<boolean> =>
  (await db.one(IS_SANDBOX)) !== undefined;

const seedApplications = async (tx: Queries, nowMs: number): Promise<void> => {
  for (const application of demoApplications) await registerApplication(tx, application, nowMs);
};

const seedAll = async (tx: Queries, vault: Vault, nowMs: number): Promise<void> => {
  await tx.run(MARK_SANDBOX);
  await seedDemoBank(tx);
  await seedApplications(tx, nowMs);
  for (const consent of demoConsents(nowMs, vault)) await insertConsent(tx, consent);
};

/** Of several processes that start at once, one seeds. A store with real third parties is left alone. */
export const seedSandbox = async (db: Db, vault: Vault, nowMs: number): Promise<void> => {
  await db.exclusive(async (tx) => {
    if (await isSandboxStore(tx)) return;
    if (await tx.one('select id from tpps limit 1')) {
      throw new Error('this store has third parties of a real service: the sandbox needs a store of its own');
    }
    await seedAll(tx, vault, nowMs);
  });
  if (!(await db.one('select version from atm_publications limit 1')))
    await publishAtms(db, demoAtms(), nowMs);
};

/** In the order of their references. */
const CLEAR = [
  // What was revoked stays revoked: tokens outlive a reset.
  'delete from oidc_records',
  'delete from psu_sessions',
  'delete from demo_walks',
  'delete from demo_webhooks',
  'delete from code_attempts',
  'delete from demo_challenges',
  'delete from deliveries',
  'delete from events',
  'delete from event_positions',
  'delete from data_accesses',
  'delete from funds_confirmations',
  'delete from request_ids',
  'delete from consent_history',
  'delete from consent_accounts',
  'delete from consents',
  'delete from subscription_keys',
  'delete from subscriptions',
  'delete from applications',
  'delete from tpps',
  `delete from settings where name = 'clock-offset'`,
] as const;

/** Back to the seeded state, the clock included. Signing keys stay, so tokens stay good. */
export const resetSandbox = async (db: Db, vault: Vault, nowMs: number): Promise<void> => {
  await db.exclusive(async (tx) => {
    for (const sql of CLEAR) await tx.run(sql);
    await clearDemoBank(tx);
    await seedAll(tx, vault, nowMs);
  });
  await publishAtms(db, demoAtms(), nowMs);
};
