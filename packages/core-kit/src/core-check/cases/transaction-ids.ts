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

/** Shorter ones may be in any number by chance. */
const LEAST_NUMBER = 8;
const LEAST_IDS = 2;

/** What names the account or its holder. */
const numbersOf = async (trial: Trial<'accountId' | 'psuId'>): Promise<readonly string[]> => {
  const { accountId, psuId } = trial.subject;
  const account = (await accountsOf(trial, psuId)).find(({ id }) => id === accountId);
  const all = [accountId, psuId, account?.iban, account?.bban, account?.msisdn];
  return all.filter((each) => each != null).filter((each) => each.length >= LEAST_NUMBER);
};

const demandTellNothing = async (
  trial: Trial<'accountId' | 'psuId'>,
  ids: readonly string[],
): Promise<void> => {
  if (ids.length < LEAST_IDS) throw new Skip(`there are fewer than ${LEAST_IDS} ids in these days`);
  const numbers = await numbersOf(trial);
  const isNamed = numbers.some((number) => ids.every((id) => id.includes(number)));
  demand(!isNamed, 'ids without the number of an account or a person', 'ids that all have one in them');
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
    id: 'transaction-ids-tell-nothing',
    title: 'puts no number of an account or a person into the ids of transactions',
    operation: 'listTransactions',
    hint: 'Third parties see and keep the id: use the key of the row, or a hash of what makes it unique.',
    needs: ['accountId', 'psuId'],
    run: async (trial) => demandTellNothing(trial, await idsOf(trial, trial.subject)),
  }),
  check({
    id: 'statement-ids-tell-nothing',
    title: 'puts no number of an account or a person into the ids of statements',
    operation: 'listStatements',
    hint: 'Third parties see the id, and it need not be unique beyond the account: the month will do.',
    needs: ['accountId', 'psuId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      const wanted = { params: { accountId }, query: daysOf(trial) };
      const { statements } = await trial.core.answer('listStatements', wanted);
      await demandTellNothing(
        trial,
        statements.map(({ id }) => id),
      );
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
