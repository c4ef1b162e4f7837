/** Cases about the ids of transactions: third parties keep every entry under its id alone. */
import type { AccountId, PsuId } from 'trapeza/base';
import { accountsOf, check, daysOf, pageOf, type Trial } from '../case.js';
import { demand, Skip } from '../verdict.js';

const LIMIT = 500;
const PAGES = 10;
const ACCOUNTS = 10;

interface Known {
  readonly accountId: AccountId;
  readonly psuId: PsuId;
}

const idsOf = async (trial: Trial, { accountId, psuId }: Known): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (const status of ['booked', 'pending'] as const) {
    let after: string | undefined;
    for (let pages = 0; pages < PAGES; pages += 1) {
      const query = { ...daysOf(trial), status, limit: LIMIT, after };
      const { transactions, next } = await trial.core.answer('listTransactions', {
        params: { accountId },
        query,
        psuId,
      });
      ids.push(...transactions.map(({ id }) => id));
      if (next === null) break;
      after = next;
    }
  }
  return ids;
};

/** Those of the persons that the subject names. */
const knownAccounts = async (trial: Trial): Promise<readonly Known[]> => {
  const known: Known[] = [];
  for (const psuId of [trial.subject.psuId, trial.subject.otherPsuId]) {
    if (psuId === undefined) continue;
    const accounts = await accountsOf(trial, psuId);
    known.push(...accounts.map(({ id: accountId }) => ({ accountId, psuId })));
  }
  const isNew = ({ accountId }: Known, index: number): boolean =>
    known.findIndex((each) => each.accountId === accountId) === index;
  return known.filter(isNew).slice(0, ACCOUNTS);
};

export const transactionIdCases = [
  check({
    id: 'transaction-ids-not-reused',
    title: 'never gives the id of an entry to another entry of the account',
    operation: 'listTransactions',
    hint: 'A number that begins anew each day, month or year is no id: add the day, or use the key of the row.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId, psuId = '' } = trial.subject;
      const ids = await idsOf(trial, { accountId, psuId });
      const twice = ids.find((id, index) => ids.indexOf(id) !== index);
      demand(twice === undefined, 'an id of its own for each entry', `${twice} for two of one account`);
    },
  }),
  check({
    id: 'transaction-ids-not-shared',
    title: 'shares no id between two accounts, also not between the two sides of a transfer',
    operation: 'listTransactions',
    hint: 'One id for both sides joins the data of two customers: give each side its own. Where numbers are unique within an account only, use the key of the row, or a hash of account and number: third parties see the id.',
    needs: ['psuId'],
    run: async (trial) => {
      const accounts = await knownAccounts(trial);
      if (accounts.length < 2) throw new Skip('the persons of the subject have fewer than two accounts');
      const ownerOf = new Map<string, AccountId>();
      for (const known of accounts)
        for (const id of await idsOf(trial, known)) {
          const owner = ownerOf.get(id) ?? known.accountId;
          demand(owner === known.accountId, 'an id of its own for each entry', `${id} on two accounts`);
          ownerOf.set(id, owner);
        }
    },
  }),
  check({
    id: 'transaction-ids-stable',
    title: 'gives an entry the same id in every read',
    operation: 'listTransactions',
    hint: 'Store the id with the entry; a place in a list, or one made for the answer, changes with the question.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      const { transactions, next } = await pageOf(trial, { accountId, limit: LIMIT });
      if (transactions.length < 3) throw new Skip('the account has fewer than 3 transactions in these days');
      const known = new Set(transactions.map(({ id }) => id));
      const [to, from] = [transactions[Math.floor(transactions.length / 2)], transactions.at(-1)];
      // Other days, within those that were read: every entry of them is known.
      const again = await pageOf(trial, {
        ...{ accountId, limit: LIMIT },
        from: from?.bookingDate ?? '',
        to: to?.bookingDate ?? '',
      });
      const wrong = again.transactions.findIndex(({ id }) => !known.has(id));
      // The first day of a full page may have more than the page.
      const isCut = next !== null && again.transactions[wrong]?.bookingDate === from?.bookingDate;
      demand(wrong === -1 || isCut, 'the same ids for fewer days', `another id in place ${wrong + 1}`);
    },
  }),
];
