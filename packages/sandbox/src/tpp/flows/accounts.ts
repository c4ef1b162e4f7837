/** The account information service: may it read accounts? Then it reads what the service offers to read. */
import type { Walk } from '../walk.js';
import type { Flow } from './flow.js';

const permissions = [
  { value: 'AccountsBasic', label: 'The list of accounts' },
  { value: 'AccountsDetail', label: 'Their holders and products' },
  { value: 'Balances', label: 'Balances' },
  { value: 'TransactionsBasic', label: 'Transactions: dates and amounts' },
  { value: 'TransactionsDetail', label: 'Transactions: who and what for' },
] as const;

/** The first account of the list, by the id under which it is read. */
const firstAccount = (answer: unknown): string | undefined => {
  const { accounts } = (answer ?? {}) as { accounts?: unknown };
  const [first] = Array.isArray(accounts) ? (accounts as Readonly<Record<string, unknown>>[]) : [];
  const id = first?.resourceId;
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : undefined;
};

const ofAccount = ({ accountId }: Walk) => (accountId === undefined ? undefined : { params: { accountId } });

export const accounts: Flow = {
  id: 'accounts',
  title: 'Account information service',
  audience: 'Account information',
  words:
    'Asks for permission to read accounts; the account holder chooses which ones at the bank. Then it reads accounts, balances and transactions until the permission is withdrawn.',
  scope: 'ais',
  details: { type: 'account_access' },
  operations: { create: 'createConsent', status: 'getConsentStatus', end: 'endConsent' },
  idName: 'consentId',
  permission: 'to read accounts',
  fields: [
    {
      name: 'permissions',
      label: 'Data to read',
      preset: ['AccountsBasic', 'Balances', 'TransactionsBasic'],
      choices: permissions,
    },
  ],
  body: (entries) => ({
    permissions: [...(entries.permissions ?? [])].slice(0, permissions.length),
    recurring: true,
    frequencyPerDay: 4,
  }),
  steps: ['Read the accounts', 'End the permission'],
  next: [
    'Read the list of accounts, then the balances and transactions of the first one.',
    'Read again, up to four times a day without the account holder. Then withdraw the permission and read once more: the bank refuses.',
    'Read once more to see the refusal, or try another flow.',
  ],
  calls: [
    {
      id: 'accounts',
      label: 'Read the accounts',
      words: 'The accounts that the account holder has ticked, each with an id for the calls that follow.',
      operation: 'getAccounts',
      place: () => ({}),
      step: 'use',
      namesConsent: true,
      learn: (walk, answer) => {
        const accountId = firstAccount(answer);
        return accountId === undefined ? walk : { ...walk, accountId };
      },
    },
    {
      id: 'balances',
      label: 'Read the balances',
      words: 'The balances of the first of those accounts.',
      operation: 'getBalances',
      place: ofAccount,
      step: 'use',
      namesConsent: true,
    },
    {
      id: 'transactions',
      label: 'Read the transactions',
      words: 'The latest transactions of the first of those accounts.',
      operation: 'getTransactions',
      place: (walk) => {
        const account = ofAccount(walk);
        return account && { ...account, query: { bookingStatus: 'both', limit: 3 } };
      },
      step: 'use',
      namesConsent: true,
    },
  ],
};
