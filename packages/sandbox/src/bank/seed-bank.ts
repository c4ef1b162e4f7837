/** The demo bank in an empty store: its customers, their accounts and books; and its end. */
import { type Queries, removeSetting } from 'trapeza/base';
import { beginLife } from './living/demo-life.js';
import { passwordHashes } from './passwords.js';
import { type DemoAccount, type DemoPsu, demoAccounts, demoPsus } from './people.js';
import { type Books, seedBooks } from './seed-books.js';
import { VOLUME_MADE } from './volume.js';

/** The setting that tells which people beside the demo people are in the store. */
export const OWN_PEOPLE = 'own-people';

const FOR_EVER = Date.UTC(9999, 0);

/** They start with nothing: what they have comes from their books. */
export const insertAccounts = async (tx: Queries, accounts: readonly DemoAccount[]): Promise<void> => {
  await Promise.all(
    accounts.map((account) => {
      const { id, iban, bban, msisdn, currency, name, product, type, status, creditMinor } = account;
      return tx.run(
        `insert into demo_accounts
           (id, iban, bban, msisdn, currency, name, product, type, status, booked_minor, pending_minor, credit_minor)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?)`,
        [id, iban, bban, msisdn, currency, name, product, type, status, creditMinor],
      );
    }),
  );
};

/** After their accounts. */
export const insertHolder = async (tx: Queries, psu: DemoPsu, passwordHash: string): Promise<void> => {
  const blockedUntil = psu.isLocked ? FOR_EVER : null;
  await tx.run(
    'insert into demo_psus (id, username, name, password_hash, blocked_until) values (?, ?, ?, ?, ?)',
    [psu.id, psu.username, psu.name, passwordHash, blockedUntil],
  );
  for (const { id } of psu.accounts)
    await tx.run('insert into demo_holders (account_id, psu_id) values (?, ?)', [id, psu.id]);
};

export const seedDemoBank = async (tx: Queries, books: Books): Promise<void> => {
  await beginLife(tx, books.today);
  await insertAccounts(tx, demoAccounts);
  await seedBooks(tx, books);
  for (const psu of demoPsus) await insertHolder(tx, psu, passwordHashes[psu.username] ?? '');
};

/** In the order of their references. */
const CLEAR = [
  'delete from demo_challenges',
  'delete from demo_passkeys',
  'delete from demo_payments',
  'delete from demo_holds',
  'delete from demo_transfers',
  'delete from demo_holders',
  'delete from demo_accounts',
  'delete from demo_psus',
] as const;

export const clearDemoBank = async (tx: Queries): Promise<void> => {
  for (const sql of CLEAR) await tx.run(sql);
  await removeSetting(tx, VOLUME_MADE);
  await removeSetting(tx, OWN_PEOPLE);
};
