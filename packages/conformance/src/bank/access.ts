/** Account data behind an account access that the account holder has approved for all accounts. */
import { isObject, type Members, membersOf } from '../shapes.js';
import { need } from '../verdict.js';
import type { Bank, Called } from './bank.js';
import { creationBody, validConsent } from './consents.js';
import type { Answer } from './http.js';

export const ACCOUNTS = '/ais/psd2/v1/accounts';

/** The account holder is there, so no read counts against the four a day. */
const ATTENDED = { 'PSU-IP-Address': '192.0.2.7' };

export const accessConsent = (bank: Bank): Promise<string> =>
  validConsent(bank, 'AccountAccess', {
    body: { ...creationBody(bank, 'AccountAccess'), recurring: true, frequencyPerDay: 4 },
  });

/** The document names these reads by their purpose only: a bank that has none here is not judged by that. */
const demandAccounts = (bank: Bank, id: string): Promise<void> =>
  bank.once('account information', async () => {
    const { status } = await bank.call({ path: ACCOUNTS, headers: { 'Consent-ID': id, ...ATTENDED } });
    need(status !== 404, `the bank has no ${ACCOUNTS}`);
  });

export const readData = async (bank: Bank, path: string, more: Partial<Called> = {}): Promise<Answer> => {
  const id = await accessConsent(bank);
  await demandAccounts(bank, id);
  return bank.call({
    ...more,
    path,
    headers: { 'Consent-ID': id, ...ATTENDED, ...more.headers },
  });
};

/** The answer to a good read. */
export const goodRead = async (bank: Bank, path: string): Promise<Members> => {
  const answer = await readData(bank, path);
  need(answer.status === 200, `GET ${path.split('?')[0]} answered ${answer.status}`);
  return membersOf(answer);
};

export const objectsIn = (value: unknown): readonly Members[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

export const accountsOf = (bank: Bank): Promise<readonly Members[]> =>
  bank.once('the accounts', async () => {
    const accounts = objectsIn((await goodRead(bank, ACCOUNTS)).accounts);
    need(accounts.length > 0, 'there is no account in the answer');
    return accounts;
  });

const idOf = ({ resourceId }: Members): string => {
  need(typeof resourceId === 'string', 'an account has no resourceId');
  return String(resourceId);
};

/** The account of the credentials if it is there, else the first. */
export const accountId = async (bank: Bank): Promise<string> => {
  const accounts = await accountsOf(bank);
  const mine = accounts.find(({ iban }) => iban === bank.credentials.account?.iban);
  return idOf(mine ?? accounts[0] ?? {});
};

export const otherAccountId = async (bank: Bank): Promise<string> => {
  const mine = await accountId(bank);
  const other = (await accountsOf(bank)).find(({ resourceId }) => resourceId !== mine);
  need(other !== undefined, 'the account holder has one account only');
  return idOf(other ?? {});
};

export const transactionsPath = (id: string, query: Readonly<Record<string, string>> = {}): string => {
  const text = new URLSearchParams(query).toString();
  return `${ACCOUNTS}/${id}/transactions${text === '' ? '' : `?${text}`}`;
};

export const bookedIn = (body: Members): readonly Members[] =>
  objectsIn(isObject(body.transactions) ? body.transactions.booked : undefined);

export const nextIn = ({ _links }: Members): string | undefined => {
  const next = isObject(_links) ? _links.next : undefined;
  return isObject(next) && typeof next.href === 'string' ? next.href : undefined;
};

/** All that is booked, in one page as large as the bank allows. */
export const wholeHistory = (bank: Bank): Promise<readonly Members[]> =>
  bank.once('the transactions', async () => {
    const body = await goodRead(
      bank,
      transactionsPath(await accountId(bank), { bookingStatus: 'booked', limit: '500' }),
    );
    const rows = bookedIn(body);
    need(nextIn(body) === undefined, 'the account has more than 500 transactions');
    need(rows.length >= 4, `the account has ${rows.length} booked transactions, and four are needed`);
    return rows;
  });
