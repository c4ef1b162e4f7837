/**
 * One more account, with as many transactions as a load test wants: the takings of a busy shop, swept to another bank now and
 * then. Made in batches that commit one by one, so that an interrupted start continues at the last batch.
 */
import { type Db, derivedId, HOUR, putSetting, type Queries, readSetting, type Value } from 'trapeza/base';
import type { Day } from './history/calendar.js';
import { calendarOf, type HistoryOptions } from './history/demo-history.js';
import { idMaker, Random } from './history/random.js';
import { lockAccounts, writeAccounts } from './ledger/post.js';
import { enter, insertTransfers, type Leg } from './ledger/transfer.js';
import { demoPsus, ibanOf } from './people.js';

const BATCH = 20_000;
const SWEPT_EVERY = 100;

const [owner] = demoPsus;

export const volumeAccount = {
  id: derivedId('account:199:EUR'),
  iban: ibanOf(199),
  name: 'Λογαριασμός όγκου',
} as const;

/** Its own counterpart, because the dates of an account's entries never run backwards. */
const outside = { id: derivedId('internal:nostro:volume'), bban: '99900000000000000000199' } as const;

/** The setting that holds how many transactions were made. */
export const VOLUME_MADE = 'demo-volume';
const INSERT_ACCOUNT = `
  insert into demo_accounts
    (id, iban, bban, currency, name, product, status, booked_minor, pending_minor, credit_minor, role, opened_on)
  values (?, ?, ?, 'EUR', ?, ?, 'enabled', 0, 0, 0, ?, ?) on conflict (id) do nothing`;
const INSERT_HOLDER =
  'insert into demo_holders (account_id, psu_id) values (?, ?) on conflict (account_id, psu_id) do nothing';

const self = { name: owner?.name ?? null, iban: volumeAccount.iban };
const till = { name: 'Ταμείο καταστήματος', iban: null };
const nobody = { name: null, iban: null };

const legOf = (number: number, balance: number, random: Random): Omit<Leg, 'id'> => {
  const coming = { debit: outside.id, credit: volumeAccount.id, payer: till, payee: self };
  const going = { debit: volumeAccount.id, credit: outside.id, payer: self, payee: nobody };
  if (number % SWEPT_EVERY === 0 && balance > 20_000)
    return {
      ...going,
      amountMinor: balance - 10_000,
      code: 'PMNT-ICDT-ESCT',
      remittance: 'Μεταφορά εισπράξεων',
    };
  if (number % 5 === 0 && balance > 5_000)
    return {
      ...going,
      amountMinor: random.whole(100, 2500),
      code: 'PMNT-MCRD-RIMB',
      remittance: 'Επιστροφή',
    };
  return {
    ...coming,
    amountMinor: random.whole(150, 9500),
    code: 'PMNT-MCRD-POSP',
    remittance: `Είσπραξη ${number}`,
  };
};

const idOf = idMaker('trapeza:volume');

/** The transactions from this number on, at most a batch of them; how many there are then. */
const addBatch = async (tx: Queries, days: readonly Day[], total: number): Promise<number> => {
  const accounts = await lockAccounts(tx, [volumeAccount.id, outside.id]);
  const account = accounts.get(volumeAccount.id);
  if (!account) throw new Error('there is no volume account');
  const rows: (readonly Value[])[] = [];
  for (let number = account.entries; number < total && rows.length < BATCH; number += 1) {
    const random = new Random(`volume:${number}`);
    const place = (number * days.length) / total;
    const day = days[Math.floor(place)];
    if (!day) break;
    const leg = { ...legOf(number, account.bookedMinor, random), id: idOf(number) };
    const at = day.start + Math.floor((8 + 12 * (place % 1)) * HOUR);
    rows.push(enter(accounts, leg, { bookingId: leg.id, date: day.date, at }));
  }
  await insertTransfers(tx, rows);
  await writeAccounts(tx, accounts);
  return account.entries;
};

const openAccounts = async (tx: Queries, day: string): Promise<void> => {
  const { id, iban, name } = volumeAccount;
  await tx.run(INSERT_ACCOUNT, [id, iban, null, name, 'Volume account', 'customer', day]);
  await tx.run(INSERT_ACCOUNT, [outside.id, null, outside.bban, 'nostro', 'Internal account', 'nostro', day]);
  await tx.run(INSERT_HOLDER, [id, owner?.id ?? '']);
};

/** Once; a reset makes it anew. Of several processes that start at once, each adds the batch that is next. */
export const fillVolumeAccount = async (
  db: Db,
  options: HistoryOptions,
  total: number,
  tell: (line: string) => void,
): Promise<void> => {
  if (total === 0 || (await readSetting(db, VOLUME_MADE))) return;
  const calendar = calendarOf({ ...options, months: Math.max(1, options.months) });
  const days = calendar.days.filter(({ isBankDay }) => isBankDay);
  for (let count = 0; count < total; ) {
    count = await db.exclusive(async (tx) => {
      if (await readSetting(tx, VOLUME_MADE)) return total;
      await openAccounts(tx, days[0]?.date ?? options.today);
      const reached = await addBatch(tx, days, total);
      if (reached >= total) await putSetting(tx, VOLUME_MADE, String(total));
      return reached;
    });
    tell(`volume account: ${count} of ${total} transactions`);
  }
};
