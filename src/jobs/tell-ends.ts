/** Tells third parties, seven days ahead, that an authentication or a consent ends. Two nodes may pick the same one: one of them writes it. */
import { SCA_LASTS_MS } from '../consent/lifecycle.js';
import { tellEnd, type UntoldEnd } from '../consent/notices.js';
import { type BankTime, DAY, MINUTE } from '../lib/clock.js';
import type { Regime } from '../model/regime.js';
import type { Db } from '../store/db.js';
import type { Job } from './jobs.js';
import { inSlices } from './slices.js';

const BATCH = 200;
const TELL_BEFORE_MS = 7 * DAY;

const COLUMNS = 'id, client_id as "clientId", psu_id as "psuId", kind';
/** What was to last no longer than a notice is ahead has no notice; nor has an access whose one sitting has begun. */
const AUTHENTICATIONS = `
  select ${COLUMNS}, 'authentication-ends' as notice, sca_at as "of", sca_at + ${SCA_LASTS_MS} as until
  from consents
  where status = 'Valid' and (told_sca_at is null or told_sca_at < sca_at) and kind = 'AccountAccess' and sca_at <= ?
    and end_reason is null and (expires_at is null or (expires_at > ? and expires_at > sca_at + ${SCA_LASTS_MS}))
  order by sca_at limit ?`;
const ENDS = `
  select ${COLUMNS}, 'consent-ends' as notice, expires_at as "of", expires_at as until
  from consents
  where status = 'Valid' and (told_expires_at is null or told_expires_at < expires_at) and kind <> 'PaymentInitiation'
    and expires_at <= ? and expires_at > ? and end_reason is null
    and expires_at > coalesce(approved_at, created_at) + ${TELL_BEFORE_MS}
  order by expires_at limit ?`;

/** The ends within seven days of now, and authentications that ended untold. */
const untoldEnds = async (
  db: Db,
  bankNow: BankTime,
  limit: number,
  regime: Regime,
): Promise<readonly UntoldEnd[]> => [
  ...(regime === 'psd2'
    ? await db.all<UntoldEnd>(AUTHENTICATIONS, [bankNow + TELL_BEFORE_MS - SCA_LASTS_MS, bankNow, limit])
    : []),
  ...(await db.all<UntoldEnd>(ENDS, [bankNow + TELL_BEFORE_MS, bankNow, limit])),
];

export const tellEnds = (db: Db, bankTime: () => Promise<BankTime>, regime: Regime): Job => ({
  name: 'tell ends',
  everyMs: MINUTE,
  async step() {
    const bankNow = await bankTime();
    return inSlices(db, await untoldEnds(db, bankNow, BATCH, regime), (tx, end) => tellEnd(tx, end, bankNow));
  },
});
