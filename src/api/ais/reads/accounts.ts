/** The accounts of a consent: the list, one of them, and its balances. */
import type { BankAccount } from '../../../bank/bank.js';
import { contextOf } from '../../../bank/consent-note.js';
import { type AccessAccount, checkPermission } from '../../../consent/access.js';
import type { Field, Operation } from '../../../http/operation.js';
import { inTurns } from '../../../lib/turn.js';
import { fieldFault } from '../../../problem/field.js';
import { Problem } from '../../../problem/problem.js';
import { accountExample, balanceExample } from './examples.js';
import {
  ACCOUNT_PATH,
  ACCOUNTS_PATH,
  answer,
  type DataParts,
  heldAccounts,
  hrefOf,
  type Opened,
  open,
  readAccount,
  readOperation,
} from './read.js';
import { AccountResponse, AccountsResponse, BalancesResponse } from './schema.js';
import { accountView, balanceView } from './views.js';

const withBalance: Field = {
  name: 'withBalance',
  schema: { type: 'boolean' },
  description: 'true adds the balances; it needs the permission Balances.',
  fault: (value) =>
    value === 'true' || value === 'false'
      ? undefined
      : fieldFault('not-allowed', 'must be true or false', { allowed: ['true', 'false'] }),
};

/** Balances that one call asks the bank for at once. */
const AT_ONCE = 8;

const opensAccounts = ['AccountsBasic', 'AccountsDetail'] as const;

const balancesOf = async ({ bank, timeZone }: DataParts, { access }: Opened, account: AccessAccount) =>
  (await bank.balances(account.accountId, contextOf(access, account))).map((balance) =>
    balanceView(balance, timeZone),
  );

const viewOf = async (
  parts: DataParts,
  opened: Opened,
  { held, ...account }: AccessAccount & { readonly held: BankAccount },
  isWithBalance: boolean,
) =>
  accountView({
    access: opened.access,
    resourceId: account.resourceId,
    held,
    balances: isWithBalance ? await balancesOf(parts, opened, account) : undefined,
    link: (...segments) => hrefOf(parts, account.resourceId, ...segments),
  });

export const getAccounts = (parts: DataParts): Operation =>
  readOperation({
    id: 'getAccounts',
    path: ACCOUNTS_PATH,
    summary: 'List accounts',
    description: 'The accounts that the consent covers. Needs AccountsBasic or AccountsDetail.',
    query: [withBalance],
    answer: 'The accounts.',
    schema: AccountsResponse,
    example: { accounts: [accountExample] },
    async handle(call) {
      const opened = await open(parts, call, opensAccounts);
      const isWithBalance = call.query.withBalance === 'true';
      if (isWithBalance) checkPermission(opened.access, ['Balances']);
      return answer(parts, call, opened, { kind: 'accounts' }, async () => {
        const held = await heldAccounts(parts, call, opened.access.accounts);
        const accounts = await inTurns(held, AT_ONCE, (each) => viewOf(parts, opened, each, isWithBalance));
        return { body: { accounts } };
      });
    },
  });

export const getAccount = (parts: DataParts): Operation =>
  readOperation({
    id: 'getAccount',
    path: ACCOUNT_PATH,
    summary: 'Get an account',
    description: 'One account of the consent. Needs AccountsBasic or AccountsDetail.',
    query: [withBalance],
    answer: 'The account.',
    schema: AccountResponse,
    example: { account: accountExample },
    handle: (call) =>
      readAccount(parts, call, opensAccounts, async (opened) => {
        const isWithBalance = call.query.withBalance === 'true';
        if (isWithBalance) checkPermission(opened.access, ['Balances']);
        return answer(parts, call, opened, { kind: 'account' }, async () => {
          const [held] = await heldAccounts(parts, call, [opened.account]);
          if (!held) throw new Problem('resource-not-found');
          return { body: { account: await viewOf(parts, opened, held, isWithBalance) } };
        });
      }),
  });

export const getBalances = (parts: DataParts): Operation =>
  readOperation({
    id: 'getBalances',
    path: `${ACCOUNT_PATH}/balances`,
    summary: 'Get the balances of an account',
    description: 'What the account has now. Needs Balances.',
    query: [],
    answer: 'The balances.',
    schema: BalancesResponse,
    example: balanceExample,
    handle: (call) =>
      readAccount(parts, call, ['Balances'], (opened) =>
        answer(parts, call, opened, { kind: 'balances' }, async () => ({
          body: {
            balances: await balancesOf(parts, opened, opened.account),
            _links: { account: hrefOf(parts, opened.account.resourceId) },
          },
        })),
      ),
  });
