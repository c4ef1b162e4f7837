/** The demo bank's customers and accounts in an empty store, and its end. */
import type { Queries } from '../../store/db.js';
import { hashPassword } from './demo-identity.js';
import { demoPsus } from './people.js';

const FOR_EVER = Date.UTC(9999, 0);

/** Accounts start with nothing: what they have comes from their books. */
export const seedCustomers = async (tx: Queries): Promise<void> => {
  const hashes = await Promise.all(
    demoPsus.map(({ username, password }) => hashPassword(username, password)),
  );
  for (const [index, psu] of demoPsus.entries()) {
    const blockedUntil = psu.isLocked ? FOR_EVER : null;
    await tx.run(
      'insert into demo_psus (id, username, name, password_hash, blocked_until) values (?, ?, ?, ?, ?)',
      [psu.id, psu.username, psu.name, hashes[index] ?? '', blockedUntil],
    );
    for (const account of psu.accounts) {
      const { id, iban, bban, msisdn, currency, name, product, type, status, creditMinor } = account;
      await tx.run(
        `insert into demo_accounts
           (id, iban, bban, msisdn, currency, name, product, type, status, booked_minor, pending_minor, credit_minor)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?) on conflict (id) do nothing`,
        [id, iban, bban, msisdn, currency, name, product, type, status, creditMinor],
      );
      await tx.run('insert into demo_holders (account_id, psu_id) values (?, ?)', [id, psu.id]);
    }
  }
};

/** In the order of their references. */
const CLEAR = [
  'delete from demo_payments',
  'delete from demo_holds',
  'delete from demo_transfers',
  'delete from demo_holders',
  'delete from demo_accounts',
  'delete from demo_psus',
] as const;

export const clearDemoBank = async (tx: Queries): Promise<void> => {
  for (const sql of CLEAR) await tx.run(sql);
};
