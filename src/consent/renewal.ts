/**
 * Renewing the strong authentication of an account access: its third party asks, the account holder agrees with a one-time
 * code or refuses. Nothing becomes wider by it, and a refusal leaves the consent as it is.
 */
import type { Caller } from '../model/caller.js';
import type { Db, Queries } from '../store/db.js';
import { type AskedConsent, addStep, type DecisionOutcome, findAsked, settle, shownHash } from './decide.js';
import { statusAt, UNDECIDED_MS } from './lifecycle.js';

export interface RenewalStart {
  readonly id: string;
  readonly caller: Caller;
  readonly redirectUri: string | null;
  readonly nokRedirectUri: string | null;
  readonly tppState: string | null;
  readonly at: number;
}

/** A new renewal takes the place of one that is open. */
const START = `
  update consents set renewal_at = ?, redirect_uri = ?, nok_redirect_uri = ?, tpp_state = ?
  where id = ? and client_id = ? and psu_id = ? and status = 'Valid'`;

/** False where the consent is no longer Valid. */
export const startRenewal = async (tx: Queries, start: RenewalStart): Promise<boolean> => {
  const { id, caller, redirectUri, nokRedirectUri, tppState, at } = start;
  const { clientId, psuId } = caller;
  return (await tx.run(START, [at, redirectUri, nokRedirectUri, tppState, id, clientId, psuId])) === 1;
};

/** Like a request, a renewal that nobody decides about within a day is over. */
const isOpen = ({ renewalAt }: Pick<AskedConsent, 'renewalAt'>, bankNow: number): boolean =>
  renewalAt !== null && bankNow < renewalAt + UNDECIDED_MS;

/** What there is to decide about a consent now, if anything. */
export const openMatter = (asked: AskedConsent, bankNow: number): 'request' | 'renewal' | undefined => {
  const status = statusAt(asked, bankNow);
  if (status === 'Received') return 'request';
  return status === 'Valid' && isOpen(asked, bankNow) ? 'renewal' : undefined;
};

const RENEW = `
  update consents set sca_at = ?, renewal_at = null
  where id = ? and psu_id = ? and status = 'Valid' and renewal_at = ?`;
const REFUSE = 'update consents set renewal_at = null where id = ? and psu_id = ? and renewal_at = ?';

export interface Renewal {
  readonly id: string;
  readonly psuId: string;
  /** Of what was shown on the page. */
  readonly shownHash: string;
  readonly at: number;
}

export const renewConsent = (
  db: Db,
  { id, psuId, shownHash: shown, at }: Renewal,
): Promise<DecisionOutcome> =>
  db.transaction(async (tx) => {
    const asked = await findAsked(tx, id, psuId);
    if (!asked) return 'unknown';
    if ((await settle(tx, asked, at)) !== 'Valid' || !isOpen(asked, at)) return 'decided';
    if (shownHash(asked) !== shown || asked.isActive === 0) return 'changed';
    if ((await tx.run(RENEW, [at, id, psuId, asked.renewalAt])) === 0) return 'decided';
    await addStep(tx, { id, psuId, from: 'Valid', to: 'Valid', by: 'psu', reason: 'renewed', at });
    return 'done';
  });

export const refuseRenewal = async (
  db: Queries,
  id: string,
  psuId: string,
  at: number,
): Promise<DecisionOutcome> => {
  const asked = await findAsked(db, id, psuId);
  if (!asked) return 'unknown';
  if (!isOpen(asked, at)) return 'decided';
  return (await db.run(REFUSE, [id, psuId, asked.renewalAt])) === 1 ? 'done' : 'decided';
};
