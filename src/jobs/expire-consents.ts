/** Writes down what time has done to consents: expired, or undecided for too long. Readers see it before; the history needs it. */

import { UNDECIDED_MS } from '../consent/lifecycle.js';
import { settle } from '../consent/move.js';
import type { ConsentStatus } from '../consent/record.js';
import { type BankTime, MINUTE } from '../lib/clock.js';
import type { ClientId, PsuId } from '../model/ids.js';
import type { Db } from '../store/db.js';
import type { Job } from './jobs.js';

const BATCH = 200;
const SLICE = 25;

/** Both by an index that holds little else. */
const DUE = `
  select * from (select id, client_id as "clientId", psu_id as "psuId", status, created_at as "createdAt", expires_at as "expiresAt"
    from consents where status in ('Received', 'Valid') and expires_at <= ? limit ?) expired
  union
  select * from (select id, client_id as "clientId", psu_id as "psuId", status, created_at as "createdAt", expires_at as "expiresAt"
    from consents where status = 'Received' and created_at <= ? limit ?) undecided`;
const OLDEST = `
  select min(due_at) as "dueAt" from (
    select min(expires_at) as due_at from consents where status = 'Received'
    union all select min(expires_at) from consents where status = 'Valid'
    union all select min(created_at) + ? from consents where status = 'Received') due`;

interface DueConsent {
  readonly id: string;
  readonly clientId: ClientId;
  readonly psuId: PsuId;
  readonly status: ConsentStatus;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

/** A few of one application at a time: others wait for a transaction that writes events of the same application. */
const slices = (due: readonly DueConsent[]): DueConsent[][] => {
  const made: DueConsent[][] = [];
  for (const consent of due.toSorted((a, b) => (a.clientId < b.clientId ? -1 : 1))) {
    const last = made.at(-1);
    if (last && last.length < SLICE && last[0]?.clientId === consent.clientId) last.push(consent);
    else made.push([consent]);
  }
  return made;
};

/** How many of them were moved. */
const settleSome = (db: Db, some: readonly DueConsent[], bankNow: BankTime): Promise<number> =>
  db.transaction(async (tx) => {
    let moved = 0;
    for (const consent of some) if ((await settle(tx, consent, bankNow)) !== consent.status) moved += 1;
    return moved;
  });

/** Two nodes may pick the same consent: compare-and-set lets one of them write it. */
export const expireConsents = (db: Db, bankTime: () => Promise<BankTime>): Job => ({
  name: 'expire consents',
  everyMs: MINUTE,
  async step() {
    const bankNow = await bankTime();
    const due = await db.all<DueConsent>(DUE, [bankNow, BATCH, bankNow - UNDECIDED_MS, BATCH]);
    const faults: unknown[] = [];
    let done = 0;
    for (const some of slices(due))
      done += await settleSome(db, some, bankNow).catch((error: unknown) => {
        faults.push(error);
        return 0;
      });
    // Those that cannot be moved must not keep the others waiting.
    if (done === 0 && faults.length > 0) throw faults[0];
    return done;
  },
  async overdueMs() {
    const row = await db.one<{ dueAt: number | null }>(OLDEST, [UNDECIDED_MS]);
    return Math.max(0, (await bankTime()) - (row?.dueAt ?? Number.POSITIVE_INFINITY));
  },
});
