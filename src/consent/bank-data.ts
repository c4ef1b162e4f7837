/** The text that the bank keeps with a consent. */
import type { ClientId, ConsentId } from '../model/ids.js';
import type { Queries } from '../store/db.js';

const STORE_BANK_DATA = 'update consents set bank_data = ? where id = ? and client_id = ?';

export const keepBankData = async (
  db: Queries,
  { id, clientId }: { readonly id: ConsentId; readonly clientId: ClientId },
  bankData: string,
): Promise<void> => {
  await db.run(STORE_BANK_DATA, [bankData, id, clientId]);
};
