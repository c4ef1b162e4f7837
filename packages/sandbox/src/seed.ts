/** Fills an empty store with the demo bank, its third parties, consents and ATMs; and brings it back to that state. */

import {
  type Db,
  dateAt,
  extensionOf,
  markExtension,
  Problem,
  type Queries,
  removeSetting,
} from 'trapeza/base';
import { clearRecords, insertConsent, publishAtms, publishAtmsIn } from 'trapeza/extend';
import { addOwnPeople, catchUpOwnPeople, type OwnParts } from './add-own-people.js';
import { demoApplications } from './applications.js';
import { demoAtms } from './atms/demo-atms.js';
import type { HistoryOptions } from './bank/history/demo-history.js';
import { nameEntries } from './bank/ledger/entry-ids.js';
import { clearDemoBank, seedDemoBank } from './bank/seed-bank.js';
import { type Books, hasBooks, makeBooks, seedBooks } from './bank/seed-books.js';
import { fillVolumeAccount } from './bank/volume.js';
import { CLOCK_OFFSET } from './clock.js';
import { demoConsents } from './demo-consents.js';
import { seedPast } from './demo-past.js';
import { seedStatistics } from './demo-statistics.js';
import { placeApplications, registerApplication, removeDemoTpps } from './registration.js';
import { clearWebhooks } from './tpp/news/webhooks.js';
import { clearWalks } from './tpp/walks.js';

const isSandboxStore = async (db: Queries): Promise<boolean> => (await extensionOf(db)) === 'sandbox';

export interface SeedParts extends OwnParts {
  /** How far back the history of the accounts reaches. */
  readonly months: number;
  /** Transactions of the additional account for load tests; 0 makes none. */
  readonly volume: number;
}

const booksOf = ({ nowMs, timeZone, months }: SeedParts): HistoryOptions => ({
  today: dateAt(nowMs, timeZone),
  timeZone,
  months,
});

/** Permissions of a year ago would be strange beside books of a month. */
const MONTHS_OF_PAST = 12;

const seedAll = async (tx: Queries, parts: SeedParts, books: Books): Promise<void> => {
  const { vault, nowMs } = parts;
  // `serve` refuses the store from now on, because everybody knows its keys.
  await markExtension(tx, 'sandbox');
  await seedDemoBank(tx, books);
  for (const application of demoApplications) await registerApplication(tx, application, nowMs);
  for (const consent of demoConsents(nowMs, vault)) await insertConsent(tx, consent);
  if (parts.months >= MONTHS_OF_PAST) {
    await seedPast(tx, nowMs);
    await seedStatistics(tx, nowMs, parts.timeZone);
  }
  await addOwnPeople(tx, parts);
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
  await nameEntries(db);
  await catchUpOwnPeople(db, parts);
  await fillVolumeAccount(db, booksOf(parts), parts.volume, parts.tell);
  if (!(await db.one('select version from atm_publications limit 1')))
    await publishAtms(db, demoAtms(), parts.nowMs);
};

interface Reset {
  readonly baseUrl: string;
  /** The caller already has its 408: nothing may change any more. */
  readonly isLate: () => boolean;
  /** What changes with it, before the store is seeded. */
  readonly first?: ((tx: Queries) => Promise<void>) | undefined;
}

/** Back to the seeded state, the clock included, at once or not at all. Signing keys stay, so tokens stay good. */
export const resetSandbox = async (
  db: Db,
  parts: SeedParts,
  { baseUrl, isLate, first }: Reset,
): Promise<void> => {
  // Before the store is locked, because it takes long.
  const books = makeBooks(booksOf(parts));
  await db.exclusive(async (tx) => {
    await first?.(tx);
    await clearWalks(tx);
    await clearWebhooks(tx);
    await clearRecords(tx);
    await removeDemoTpps(tx);
    await removeSetting(tx, CLOCK_OFFSET);
    await clearDemoBank(tx);
    await seedAll(tx, parts, books);
    await placeApplications(tx, baseUrl, parts.nowMs);
    await publishAtmsIn(tx, demoAtms(), parts.nowMs);
    if (isLate()) throw new Problem('processing-timeout');
  });
  await fillVolumeAccount(db, booksOf(parts), parts.volume, parts.tell);
};
