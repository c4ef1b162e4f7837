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

const below = (walk: Walk, part: string): string | undefined =>
  walk.accountId === undefined ? undefined : `/ais/psd2/v1/accounts/${walk.accountId}/${part}`;

export const accounts: Flow = {
  id: 'accounts',
  title: 'Account information service',
  audience: 'Account information',
  words:
    'Asks an account holder to open accounts for reading; which ones is decided at the bank. Then it follows the permission and reads what it covers, until the account holder withdraws it.',
  scope: 'ais',
  details: { type: 'account_access' },
  createPath: '/ais/psd2/v1/consents',
  consentPath: (id) => `/ais/psd2/v1/consents/${id}`,
  permission: 'to read accounts',
  fields: [
    {
      name: 'permissions',
      label: 'What shall be read',
      preset: ['AccountsBasic', 'Balances', 'TransactionsBasic'],
      choices: permissions,
    },
  ],
  body: (entries) => ({
    permissions: [...(entries.permissions ?? [])].slice(0, permissions.length),
    recurring: true,
    frequencyPerDay: 4,
  }),
  calls: [
    {
      id: 'accounts',
      label: 'Read the accounts',
      words: 'The accounts that the account holder has ticked, each with an id for the calls that follow.',
      method: 'GET',
      template: '/ais/psd2/v1/accounts',
      path: () => '/ais/psd2/v1/accounts',
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
      method: 'GET',
      template: '/ais/psd2/v1/accounts/{}/balances',
      path: (walk) => below(walk, 'balances'),
      namesConsent: true,
    },
    {
      id: 'transactions',
      label: 'Read the transactions',
      words: 'The latest transactions of the first of those accounts.',
      method: 'GET',
      template: '/ais/psd2/v1/accounts/{}/transactions',
      path: (walk) => below(walk, 'transactions?bookingStatus=both&limit=3'),
      namesConsent: true,
    },
  ],
};
