/**
 * How many codes were tried for a request, over all its challenges: who opens the page anew gets a new code, but not five
 * new attempts. An attempt is counted before it is judged, so that attempts at the same time share the five.
 */
import type { AskedConsent } from '../../../consent/decide.js';
import type { Queries } from '../../../store/db.js';

export const MAX_WRONG_CODES = 5;

type Counted = Pick<AskedConsent, 'id' | 'psuId'>;

const COUNT =
  'update consents set code_attempts = code_attempts + 1 where id = ? and psu_id = ? returning code_attempts as attempts';
const UNCOUNT =
  'update consents set code_attempts = code_attempts - 1 where id = ? and psu_id = ? and code_attempts > 0';

/** Which attempt this one is, beginning with 1. */
export const countAttempt = async (db: Queries, { id, psuId }: Counted): Promise<number> => {
  const row = await db.one<{ attempts: number }>(COUNT, [id, psuId]);
  return row?.attempts ?? 1;
};

/** A code that was too old was no guess. */
export const uncountAttempt = async (db: Queries, { id, psuId }: Counted): Promise<void> => {
  await db.run(UNCOUNT, [id, psuId]);
};
