/** Writes down what time has done to consents: expired, or undecided for too long. Readers see it before; the history needs it. */
import { settle } from '../consent/decide.js';
import { UNDECIDED_MS } from '../consent/lifecycle.js';
import type { ConsentStatus } from '../consent/record.js';
import { MINUTE } from '../lib/clock.js';
import type { Db } from '../store/db.js';
import type { Job } from './jobs.js';

const BATCH = 200;
const MAX_BATCHES = 50;

const DUE = `
  select id, psu_id as "psuId", status, created_at as "createdAt", expires_at as "expiresAt" from consents
  where (status in ('Received', 'Valid') and expires_at <= ?) or (status = 'Received' and created_at <= ?)
  limit ?`;

interface DueConsent {
  readonly id: string;
  readonly psuId: string;
  readonly status: ConsentStatus;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

/** Two nodes may pick the same consent: compare-and-set lets one of them write it. */
export const expireConsents = (db: Db, bankTime: () => number | Promise<number>): Job => ({
  name: 'expire consents',
  everyMs: MINUTE,
  async run() {
    let done = 0;
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const now = await bankTime();
      const due = await db.all<DueConsent>(DUE, [now, now - UNDECIDED_MS, BATCH]);
      if (due.length === 0) return done;
      await db.transaction(async (tx) => {
        for (const consent of due) await settle(tx, consent, now);
      });
      done += due.length;
      if (due.length < BATCH) return done;
    }
    return done;
  },
});
