/**
 * Reports consents that were given or have ended to a bank that wants to know. Each call has the present state with its revision, and the
 * bank keeps the highest: a call that is repeated or overtaken changes nothing, on whichever node.
 */
import type { Bank } from '../bank/bank.js';
import { type KnownConsent, knownConsent } from '../bank/consent-note.js';
import { stateForBank } from '../consent/for-bank.js';
import {
  noteReported,
  oldestUnreported,
  REPORT_MOST_MS,
  reportLater,
  type UnreportedConsent,
  unreportedConsents,
} from '../events/for-bank.js';
import { LARGEST_LOSS, lastPosition } from '../events/outbox.js';
import { type BankTime, type Clock, SECOND } from '../lib/clock.js';
import type { ConsentId } from '../model/ids.js';
import type { Db } from '../store/db.js';
import type { Job } from './jobs.js';

const BATCH = 100;
/** As many as the core answers side by side. */
const AT_ONCE = 4;

/** A fifth of the time for which the bank has not known it. */
const pauseAfter = (unreportedMs: number): number =>
  Math.min(Math.max(unreportedMs / 5, 2 * SECOND), REPORT_MOST_MS);

export interface ReportParts {
  readonly db: Db;
  readonly bank: Pick<Bank, 'wantsConsents' | 'consentChanged'>;
  readonly clock: Clock;
  readonly bankTime: () => Promise<BankTime>;
  /** The bank has a state of the consent that the store has lost. */
  readonly onLost: (lost: LostState) => Promise<void>;
}

export interface LostState {
  readonly consentId: ConsentId;
  readonly known: KnownConsent;
  /** The store has never given out a number as high as that of the bank. */
  readonly isProof: boolean;
}

/**
 * A higher revision than that of any event is from before the store was restored to an earlier moment. What the bank knows stands: the
 * lost state may be the end of the consent, which nothing may undo there.
 */
const lostState = async (
  db: Db,
  { consentId, clientId }: UnreportedConsent,
  known: KnownConsent,
): Promise<LostState | undefined> => {
  // Read after the call: another node may have reported a change meanwhile.
  const state = await stateForBank(db, consentId, clientId);
  if (state === undefined || known.revision <= state.revision) return undefined;
  const beyond = known.revision - (await lastPosition(db, clientId));
  // Further off than any loss, a bank counts something else.
  return { consentId, known, isProof: beyond > 0 && beyond < LARGEST_LOSS };
};

const report = async (
  { db, bank, clock, bankTime, onLost }: ReportParts,
  consent: UnreportedConsent,
): Promise<boolean> => {
  const { consentId, clientId, since } = consent;
  const state = await stateForBank(db, consentId, clientId);
  try {
    const known = state && knownConsent(await bank.consentChanged?.(state));
    const lost = state && known && known.revision > state.revision && (await lostState(db, consent, known));
    if (lost) await onLost(lost);
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
    endsNothing: true,
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
