/** Writes down what time has done to consents: expired, or undecided for too long. Readers see it before; the history needs it. */

import { UNDECIDED_MS } from '../consent/lifecycle.js';
import { settle } from '../consent/move.js';
import type { Ended } from '../consent/reason.js';
import { type BankTime, MINUTE } from '../lib/clock.js';
import type { ClientId, PsuId } from '../model/ids.js';
import type { Db } from '../store/db.js';
import type { Job } from './jobs.js';
import { inSlices } from './slices.js';

const BATCH = 200;

const COLUMNS = `id, kind, client_id as "clientId", psu_id as "psuId", status, created_at as "createdAt",
  expires_at as "expiresAt", end_reason as "endReason"`;
/** Both by an index that holds little else. */
const DUE = `
  select * from (select ${COLUMNS}
    from consents where status in ('Received', 'Valid') and expires_at <= ? limit ?) expired
  union
  select * from (select ${COLUMNS}
    from consents where status = 'Received' and created_at <= ? limit ?) undecided`;
const OLDEST = `
  select min(due_at) as "dueAt" from (
    select min(expires_at) as due_at from consents where status = 'Received'
    union all select min(expires_at) from consents where status = 'Valid'
    union all select min(created_at) + ? from consents where status = 'Received') due`;

interface DueConsent extends Ended {
  readonly id: string;
  readonly clientId: ClientId;
  readonly psuId: PsuId;
}

/** Two nodes may pick the same consent: compare-and-set lets one of them write it. */
export const expireConsents = (db: Db, bankTime: () => Promise<BankTime>): Job => ({
  name: 'expire consents',
  everyMs: MINUTE,
  async step() {
    const bankNow = await bankTime();
    const due = await db.all<DueConsent>(DUE, [bankNow, BATCH, bankNow - UNDECIDED_MS, BATCH]);
    return inSlices(db, due, async (tx, each) => (await settle(tx, each, bankNow)) !== each.status);
  },
  async overdueMs() {
    const row = await db.one<{ dueAt: number | null }>(OLDEST, [UNDECIDED_MS]);
    return Math.max(0, (await bankTime()) - (row?.dueAt ?? Number.POSITIVE_INFINITY));
  },
});
