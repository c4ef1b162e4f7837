/** The embedded bank of the sandbox: the port answered from tables in the same store. */
import type { Db, Queries } from '../../store/db.js';
import type { Bank, BankAccount } from '../bank.js';
import { hashPassword } from './demo-identity.js';
import { demoPsus } from './people.js';

const AVAILABLE = `
  select case when status = 'enabled' then booked_minor - pending_minor + credit_minor else 0 end as available
  from demo_accounts where id = ? and currency = ?`;

const ACCOUNTS = `
  select a.id, a.iban, a.bban, a.msisdn, a.currency, a.name, a.product, a.status,
         a.booked_minor - a.pending_minor as "balanceMinor"
  from demo_accounts a join demo_holders h on h.account_id = a.id where h.psu_id = ? order by a.iban, a.bban, a.currency`;

/** In cents of a euro. */
const charges = {
  domestic: { sha: 30, our: 60, ben: 0 },
  international: { sha: 1200, our: 2500, ben: 0 },
} as const;

export const createDemoBank = (db: Db): Bank => ({
  name: 'demo bank',
  async hasFunds({ accountId, currency, amountMinor }) {
    const row = await db.one<{ available: number }>(AVAILABLE, [accountId, currency]);
    if (!row) throw new Error('a consent names an account that the demo bank does not have');
    // A number and a bigint compare exactly, however large the amount.
    return row.available >= amountMinor;
  },
  accountsOf: (psuId) => db.all<BankAccount>(ACCOUNTS, [psuId]),
  chargeFor: async ({ product, bearer }) => ({ currency: 'EUR', amountMinor: charges[product][bearer] }),
  async ping() {
    await db.one('select 1 as one');
  },
});

const FOR_EVER = Date.UTC(9999, 0);

export const seedDemoBank = async (tx: Queries): Promise<void> => {
  for (const psu of demoPsus) {
    const hash = await hashPassword(psu.username, psu.password);
    const blockedUntil = psu.isLocked ? FOR_EVER : null;
    await tx.run(
      'insert into demo_psus (id, username, name, password_hash, blocked_until) values (?, ?, ?, ?, ?)',
      [psu.id, psu.username, psu.name, hash, blockedUntil],
    );
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
