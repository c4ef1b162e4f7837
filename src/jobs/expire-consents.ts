/** Writes down what time has done to consents: expired, or undecided for too long. Readers see it before; the history needs it. */
import { settle } from '../consent/decide.js';
import { UNDECIDED_MS } from '../consent/lifecycle.js';
import type { ConsentStatus } from '../consent/record.js';
import { MINUTE } from '../lib/clock.js';
import type { Db } from '../store/db.js';
import type { Job } from './jobs.js';

const BATCH = 200;
const MAX_BATCHES = 50;
const SLICE = 25;

const DUE = `
  select id, client_id as "clientId", psu_id as "psuId", status, created_at as "createdAt", expires_at as "expiresAt" from consents
  where (status in ('Received', 'Valid') and expires_at <= ?) or (status = 'Received' and created_at <= ?)
  limit ?`;

interface DueConsent {
  readonly id: string;
  readonly clientId: string;
  readonly psuId: string;
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

/** Two nodes may pick the same consent: compare-and-set lets one of them write it. */
export const expireConsents = (db: Db, bankTime: () => Promise<number>): Job => ({
  name: 'expire consents',
  everyMs: MINUTE,
  async run() {
    let done = 0;
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const now = await bankTime();
      const due = await db.all<DueConsent>(DUE, [now, now - UNDECIDED_MS, BATCH]);
      if (due.length === 0) return done;
      for (const some of slices(due)) {
        await db.transaction(async (tx) => {
          for (const consent of some) await settle(tx, consent, now);
        });
      }
      done += due.length;
      if (due.length < BATCH) return done;
    }
    return done;
  },
});
