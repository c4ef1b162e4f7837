/** Books from before each entry had an id of its own: payer and payee shared one. */
import { type Db, putSetting, type Queries, readSetting } from 'trapeza/base';
import { creditIdOf } from './transfer.js';

const NAMED = 'demo-entry-ids';
const BATCH = 500;

const SHARED = `
  select t.id from demo_transfers t
  join demo_accounts d on d.id = t.debit_account join demo_accounts c on c.id = t.credit_account
  where t.credit_id is null and d.role = 'customer' and c.role = 'customer' limit ?`;
const NAME = 'update demo_transfers set credit_id = ? where id = ?';

/** Books that were written with an id for each entry. */
export const markNamed = (tx: Queries): Promise<void> => putSetting(tx, NAMED, 'yes');

/** Once. The payer keeps the id, the payee gets the one that it would have got today. */
export const nameEntries = async (db: Db): Promise<void> => {
  if (await readSetting(db, NAMED)) return;
  await db.exclusive(async (tx) => {
    for (;;) {
      const rows = await tx.all<{ id: string }>(SHARED, [BATCH]);
      for (const { id } of rows) await tx.run(NAME, [creditIdOf(id), id]);
      if (rows.length < BATCH) break;
    }
    await markNamed(tx);
  });
};
