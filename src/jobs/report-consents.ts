/**
 * Reports consents that were given or have ended to a bank that wants to know. Each call has the present state with its revision, and the
 * bank keeps the highest: a call that is repeated or overtaken changes nothing, on whichever node.
 */
import type { Bank } from '../bank/bank.js';
import { stateForBank } from '../consent/for-bank.js';
import {
  noteReported,
  oldestUnreported,
  reportLater,
  type UnreportedConsent,
  unreportedConsents,
} from '../events/for-bank.js';
import { type BankTime, type Clock, MINUTE, SECOND } from '../lib/clock.js';
import type { ConsentId } from '../model/ids.js';
import type { Db } from '../store/db.js';
import type { Job } from './jobs.js';

const BATCH = 100;
/** As many as the core answers side by side. */
const AT_ONCE = 4;

/** A fifth of the time for which the bank has not known it. */
const pauseAfter = (unreportedMs: number): number =>
  Math.min(Math.max(unreportedMs / 5, 2 * SECOND), 15 * MINUTE);

export interface ReportParts {
  readonly db: Db;
  readonly bank: Pick<Bank, 'wantsConsents' | 'consentChanged'>;
  readonly clock: Clock;
  readonly bankTime: () => Promise<BankTime>;
  /** The bank has a state of the consent that the store has lost. */
  readonly onLost: (consentId: ConsentId) => void;
}

/**
 * A higher revision than that of any event is from before the store was restored to an earlier moment. What the bank knows stands: the
 * lost state may be the end of the consent, which nothing may undo there.
 */
const hasLost = async (
  db: Db,
  { consentId, clientId }: UnreportedConsent,
  known: number,
): Promise<boolean> => {
  // Read after the call: another node may have reported a change meanwhile.
  const state = await stateForBank(db, consentId, clientId);
  return state !== undefined && known > state.revision;
};

const report = async (
  { db, bank, clock, bankTime, onLost }: ReportParts,
  consent: UnreportedConsent,
): Promise<boolean> => {
  const { consentId, clientId, since } = consent;
  const state = await stateForBank(db, consentId, clientId);
  try {
    const known = state ? await bank.consentChanged?.(state) : undefined;
    if (state && known !== undefined && known > state.revision && (await hasLost(db, consent, known)))
      onLost(consentId);
  } catch {
    // The call itself is logged and counted.
    const now = clock.now();
    const dueAt = now + Math.round(pauseAfter((await bankTime()) - since));
    await reportLater(db, consentId, { now, dueAt });
    return false;
  }
  await noteReported(db, consentId, state?.revision ?? Number.MAX_SAFE_INTEGER);
  return true;
};

export const reportConsents = (parts: ReportParts): Job => {
  const { db, bank, clock, bankTime } = parts;
  /** As the bank has last said. */
  let isWanted = false;
  return {
    name: 'report consents',
    everyMs: 2 * SECOND,
    async step() {
      const due = await unreportedConsents(db, clock.now(), BATCH);
      if (due.length === 0) return 0;
      const answer = await bank.wantsConsents?.().catch(() => undefined);
      isWanted = answer ?? isWanted;
      // A bank that cannot be reached is not called for each of them.
      if (!answer) return 0;
      let done = 0;
      while (due.length > 0) {
        const outcomes = await Promise.all(due.splice(0, AT_ONCE).map((each) => report(parts, each)));
        const count = outcomes.filter(Boolean).length;
        if (count === 0) return 0;
        done += count;
      }
      return done;
    },
    async overdueMs() {
      const since = isWanted ? await oldestUnreported(db) : undefined;
      return since === undefined ? 0 : Math.max(0, (await bankTime()) - since);
    },
  };
};
