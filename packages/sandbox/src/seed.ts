/** Fills an empty store with the demo bank, its third parties, consents and ATMs; and brings it back to that state. */

import { type Db, dateAt, extensionOf, Problem, type Queries, type Vault } from 'trapeza/base';
import { insertConsent, publishAtms, publishAtmsIn } from 'trapeza/extend';
import { demoApplications } from './applications.js';
import { demoAtms } from './atms/demo-atms.js';
import type { HistoryOptions } from './bank/history/demo-history.js';
import { clearDemoBank, seedDemoBank } from './bank/seed-bank.js';
import { type Books, hasBooks, makeBooks, seedBooks } from './bank/seed-books.js';
import { fillVolumeAccount } from './bank/volume.js';
import { demoConsents } from './demo-consents.js';
import { placeApplications, registerApplication } from './registration.js';

/** `serve` refuses the store from now on, because everybody knows its keys. */
const MARK_SANDBOX = `insert into settings (name, value) values ('extension', 'sandbox') on conflict (name) do nothing`;

const isSandboxStore = async (db: Queries): Promise<boolean> => (await extensionOf(db)) === 'sandbox';

export interface SeedParts {
  readonly vault: Vault;
  readonly nowMs: number;
  readonly timeZone: string;
  /** How far back the history of the accounts reaches. */
  readonly months: number;
  /** Transactions of the additional account for load tests; 0 makes none. */
  readonly volume: number;
  /** Told while the volume account is made, which takes a while. */
  readonly tell: (line: string) => void;
}

const booksOf = ({ nowMs, timeZone, months }: SeedParts): HistoryOptions => ({
  today: dateAt(nowMs, timeZone),
  timeZone,
  months,
});

const seedAll = async (tx: Queries, { vault, nowMs }: SeedParts, books: Books): Promise<void> => {
  await tx.run(MARK_SANDBOX);
  await seedDemoBank(tx, books);
  for (const application of demoApplications) await registerApplication(tx, application, nowMs);
  for (const consent of demoConsents(nowMs, vault)) await insertConsent(tx, consent);
};

const seedOnce = async (db: Db, parts: SeedParts): Promise<void> => {
  if ((await isSandboxStore(db)) && (await hasBooks(db))) return;
  // Before the store is locked, because it takes long.
  const books = makeBooks(booksOf(parts));
  await db.exclusive(async (tx) => {
    if (await isSandboxStore(tx)) {
      // Seeded before there was a ledger.
      if (!(await hasBooks(tx))) await seedBooks(tx, books);
      return;
    }
    if (await tx.one('select id from tpps limit 1')) {
      throw new Error('this store has third parties of a real service: the sandbox needs a store of its own');
    }
    await seedAll(tx, parts, books);
  });
};

/** Of several processes that start at once, one seeds. A store with real third parties is left alone. */
export const seedSandbox = async (db: Db, parts: SeedParts): Promise<void> => {
  await seedOnce(db, parts);
  await fillVolumeAccount(db, booksOf(parts), parts.volume, parts.tell);
  if (!(await db.one('select version from atm_publications limit 1')))
    await publishAtms(db, demoAtms(), parts.nowMs);
};

/** In the order of their references. */
const CLEAR = [
  // What was revoked stays revoked: tokens outlive a reset.
  'delete from oidc_records',
  'delete from psu_sessions',
  'delete from demo_walks',
  'delete from demo_webhooks',
  'delete from recent_times',
  'delete from sent_codes',
  'delete from demo_challenges',
  'delete from deliveries',
  'delete from events',
  'delete from event_positions',
  'delete from data_accesses',
  'delete from funds_confirmations',
  'delete from request_ids',
  'delete from payment_order_history',
  'delete from payment_orders',
  'delete from consent_history',
  'delete from consent_accounts',
  'delete from consents',
  'delete from subscription_keys',
  'delete from subscriptions',
  'delete from applications',
  'delete from tpp_certificates',
  'delete from tpps',
  `delete from settings where name = 'clock-offset'`,
] as const;

interface Reset {
  readonly baseUrl: string;
  /** The caller was told that it took too long: nothing may change any more. */
  readonly isLate: () => boolean;
}

/** Back to the seeded state, the clock included, at once or not at all. Signing keys stay, so tokens stay good. */
export const resetSandbox = async (db: Db, parts: SeedParts, { baseUrl, isLate }: Reset): Promise<void> => {
  // Before the store is locked, because it takes long.
  const books = makeBooks(booksOf(parts));
  await db.exclusive(async (tx) => {
    for (const sql of CLEAR) await tx.run(sql);
    await clearDemoBank(tx);
    await seedAll(tx, parts, books);
    await placeApplications(tx, baseUrl, parts.nowMs);
    await publishAtmsIn(tx, demoAtms(), parts.nowMs);
    if (isLate()) throw new Problem('processing-timeout');
  });
  await fillVolumeAccount(db, booksOf(parts), parts.volume, parts.tell);
};
