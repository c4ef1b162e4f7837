/** The embedded bank of the sandbox: the port answered from tables in the same store. */
import type { Db, Queries } from '../../store/db.js';
import type { Bank } from '../bank.js';
import { demoPsus } from './people.js';

const AVAILABLE = `
  select case when status = 'enabled' then booked_minor - pending_minor + credit_minor else 0 end as available
  from demo_accounts where id = ? and currency = ?`;

export const createDemoBank = (db: Db): Bank => ({
  name: 'demo bank',
  async hasFunds({ accountId, currency, amountMinor }) {
    const row = await db.one<{ available: number }>(AVAILABLE, [accountId, currency]);
    if (!row) throw new Error('a consent names an account that the demo bank does not have');
    // A number and a bigint compare exactly, however large the amount.
    return row.available >= amountMinor;
  },
  async ping() {
    await db.one('select 1 as one');
  },
});

export const seedDemoBank = async (tx: Queries): Promise<void> => {
  for (const psu of demoPsus) {
    await tx.run('insert into demo_psus (id, username, name) values (?, ?, ?)', [
      psu.id,
      psu.username,
      psu.name,
    ]);
    for (const account of psu.accounts) {
      const { id, iban, bban, msisdn, currency, name, product, status } = account;
      await tx.run(
        `insert into demo_accounts
           (id, iban, bban, msisdn, currency, name, product, status, booked_minor, pending_minor, credit_minor)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing`,
        [
          id,
          iban,
          bban,
          msisdn,
          currency,
          name,
          product,
          status,
          account.bookedMinor,
          account.pendingMinor,
          account.creditMinor,
        ],
      );
      await tx.run('insert into demo_holders (account_id, psu_id) values (?, ?)', [id, psu.id]);
    }
  }
};

/** Holders first: they point at the others. */
export const clearDemoBank = async (tx: Queries): Promise<void> => {
  for (const sql of ['delete from demo_holders', 'delete from demo_accounts', 'delete from demo_psus'])
    await tx.run(sql);
};
