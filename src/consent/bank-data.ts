/** The text that the bank keeps with a consent. */
import type { Queries } from '../store/db.js';

const KEEP = 'update consents set bank_data = ? where id = ? and client_id = ?';

export const keepBankData = async (
  db: Queries,
  { id, clientId }: { readonly id: string; readonly clientId: string },
  bankData: string,
): Promise<void> => {
  await db.run(KEEP, [bankData, id, clientId]);
};
