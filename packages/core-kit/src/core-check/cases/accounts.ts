/** Cases about the accounts of a person. */
import { accountsOf, check, minor } from '../case.js';
import { type Answer, NOBODY } from '../client.js';
import { demand, Skip } from '../verdict.js';

/** Cores print names in capitals, without accents, or the surname first. */
const wordsOf = (name: string): readonly string[] =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[\s,]+/u);

export const accountCases = [
  check({
    id: 'accounts-listed',
    title: 'lists the accounts of a person',
    operation: 'findAccounts',
    hint: 'List every account the person may use, joint ones included, under the id that all other operations use.',
    needs: ['psuId', 'accountId'],
    run: async (trial) => {
      const { psuId, accountId } = trial.subject;
      const accounts = await accountsOf(trial, psuId);
      demand(
        accounts.some(({ id }) => id === accountId),
        `account ${accountId} among them`,
        `${accounts.length} others`,
      );
    },
  }),
  check({
    id: 'accounts-echo',
    title: 'says whose accounts they are',
    operation: 'findAccounts',
    hint: 'Return the psuId of the path exactly as it was sent: an answer to another question is noticed by it.',
    needs: ['psuId'],
    run: async ({ core, subject: { psuId } }) => {
      const answer = await core.answer('findAccounts', { params: { psuId } });
      demand(answer.psuId === psuId, `psuId ${psuId}`, 'another psuId');
    },
  }),
  check({
    id: 'accounts-once',
    title: 'lists each account once, with a number that a payer can use',
    operation: 'findAccounts',
    hint: 'One entry for each currency, each with an id of its own, and with an iban, a bban or an msisdn.',
    needs: ['psuId'],
    run: async (trial) => {
      const accounts = await accountsOf(trial, trial.subject.psuId);
      const ids = new Set(accounts.map(({ id }) => id));
      demand(ids.size === accounts.length, 'each id once', `${ids.size} ids for ${accounts.length} entries`);
      const numberless = accounts.find(({ iban, bban, msisdn }) => !iban && !bban && !msisdn);
      demand(numberless === undefined, 'an iban, bban or msisdn', `none at account ${numberless?.id}`);
    },
  }),
  check({
    id: 'accounts-of-others',
    title: 'never lists the account of another person',
    operation: 'findAccounts',
    hint: 'Filter by the person of the path; the person was authenticated, the account numbers of others were not.',
    needs: ['psuId', 'otherAccountId'],
    run: async (trial) => {
      const { psuId, otherAccountId } = trial.subject;
      const accounts = await accountsOf(trial, psuId);
      demand(
        !accounts.some(({ id }) => id === otherAccountId),
        `no account ${otherAccountId}`,
        'it is listed',
      );
    },
  }),
  check({
    id: 'accounts-of-stranger',
    title: 'has no accounts of an unknown person',
    operation: 'findAccounts',
    hint: 'Answer 200 with an empty list; a 404 here would be taken for a fault of your core.',
    run: async (trial) => {
      const accounts = await accountsOf(trial, NOBODY);
      demand(accounts.length === 0, 'an empty list', `${accounts.length} accounts`);
    },
  }),
  check({
    id: 'accounts-text',
    title: 'keeps every letter of a name',
    operation: 'findAccounts',
    hint: 'Names are UTF-8 from your database to the wire; look for a conversion to Latin-1 or to code page 1253.',
    needs: ['psuId', 'accountId', 'ownerName'],
    run: async (trial) => {
      const { psuId, accountId, ownerName } = trial.subject;
      const account = (await accountsOf(trial, psuId)).find(({ id }) => id === accountId);
      if (!account) throw new Skip('findAccounts does not list the account');
      const words = wordsOf(account.ownerName);
      const isThere = wordsOf(ownerName).every((word) => words.includes(word));
      demand(isThere, `the ownerName of the subject at account ${accountId}`, 'another name');
    },
  }),
  check({
    id: 'accounts-pages',
    title: 'tells everything at once, or in pages that together have each account once',
    operation: 'findAccounts',
    hint: 'Ignore limit, after, accountId, iban, bban and msisdn altogether, or follow them: pages in one order, `next` until the last one.',
    needs: ['psuId', 'accountId'],
    run: async (trial) => {
      const { core, subject } = trial;
      const { psuId, accountId } = subject;
      const params = { psuId };
      // A core from an older document may refuse them: then it is asked for everything, as Trapeza does.
      const ask = async (query: Readonly<Record<string, string | number>>) => {
        const { status } = await core.ask('findAccounts', { params, query });
        return core.answer('findAccounts', { params, query: status === 400 ? {} : query });
      };
      const idsOf = (rows: readonly { readonly id: string }[]) => new Set(rows.map(({ id }) => id));
      const listed = await accountsOf(trial, psuId);
      const all = idsOf(listed);
      const account = listed.find(({ id }) => id === accountId);
      for (const name of ['id', 'iban', 'bban', 'msisdn'] as const) {
        const value = account?.[name];
        if (value == null) continue;
        const filter = name === 'id' ? 'accountId' : name;
        const filtered = idsOf((await ask({ [filter]: value, balances: 'false' })).accounts);
        demand(filtered.has(accountId), `account ${accountId} by its ${filter}`, 'it was left out');
      }
      const joined = new Set<string>();
      let next: string | null = null;
      for (let pages = 0; pages === 0 || (next !== null && pages <= all.size); pages += 1) {
        const page: Answer<'findAccounts'> =
          next === null
            ? await ask({ limit: 1 })
            : await core.answer('findAccounts', { params, query: { limit: 1, after: next } });
        for (const { id } of page.accounts) joined.add(id);
        next = page.next ?? null;
      }
      const isWhole = next === null && joined.size === all.size;
      demand(isWhole, 'pages that end and are the list', `${joined.size} of ${all.size} accounts`);
    },
  }),
  check({
    id: 'accounts-amounts',
    title: 'has balances with the decimals of their currency',
    operation: 'findAccounts',
    hint: 'Write amounts from integers of minor units: "12.50" in EUR, "1250" in JPY, "12.500" in KWD.',
    needs: ['psuId'],
    run: async (trial) => {
      const accounts = await accountsOf(trial, trial.subject.psuId);
      for (const { balance, currency } of accounts)
        if (balance != null) minor(balance, currency, 'findAccounts');
    },
  }),
];
