/** The accounts of a person, as far as a consent or a page needs them: a company may have a hundred thousand. */
import { inTurns } from '../../lib/turn.js';
import type { AccountId, PsuId } from '../../model/ids.js';
import { type AccountFilter, type Bank, type BankAccount, MANY_ACCOUNTS } from '../bank.js';
import { otherCurrency } from './answers.js';

const numbers = ['iban', 'bban', 'msisdn'] as const;

/** Accounts that a consent knows: an id never changes its currency. Null if the consent names none. */
interface KnownAccount extends Partial<Readonly<Record<(typeof numbers)[number], string | null>>> {
  readonly accountId: AccountId | null;
  readonly currency: string | null;
}

/** One name is enough for the bank to find it; the others are compared with what it answers. */
const filterOf = ({ accountId, ...known }: KnownAccount): AccountFilter => {
  if (accountId !== null) return { accountId };
  const name = numbers.find((each) => known[each]);
  return name === undefined ? {} : { [name]: known[name] };
};

/** Whether it asks for certain accounts, not for all. */
export const namesSome = ({ balances: _, language: __, ...names }: AccountFilter): boolean =>
  Object.keys(names).length > 0;

/** Whether the filter names this account: one that names none fits all. */
export const isWanted = ({ accountId, ...named }: AccountFilter, account: BankAccount): boolean =>
  (accountId ?? account.id) === account.id &&
  numbers.every((name) => (named[name] ?? account[name]) === account[name]);

/** Questions to the bank that one call of ours may have open. */
const AT_ONCE = 8;

/** One question names one account; who has few accounts is asked about once. */
const listed = async (
  bank: Pick<Bank, 'accountsOf'>,
  psuId: PsuId,
  known: readonly KnownAccount[],
  shown: Pick<AccountFilter, 'balances' | 'language'>,
): Promise<readonly BankAccount[]> => {
  const [only, ...others] = known.map(filterOf);
  const first = await bank.accountsOf(psuId, { ...(others.length === 0 ? only : {}), ...shown });
  if (others.length === 0 || first.length <= MANY_ACCOUNTS) return first;
  const found = new Map(first.map((account) => [account.id, account]));
  const missing = known.map(filterOf).filter((each) => !first.some((account) => isWanted(each, account)));
  await inTurns(missing, AT_ONCE, async (each) => {
    for (const account of await bank.accountsOf(psuId, { ...each, ...shown }))
      if (isWanted(each, account)) found.set(account.id, account);
  });
  return [...found.values()];
};

/** The accounts of a person, held against those that the consent knows. */
export const accountsFor = async (
  bank: Pick<Bank, 'accountsOf'>,
  psuId: PsuId,
  known: readonly KnownAccount[],
  shown: Pick<AccountFilter, 'balances' | 'language'> = {},
): Promise<readonly BankAccount[]> => {
  const held = await listed(bank, psuId, known, shown);
  for (const { id, currency } of held) {
    const approved = known.find(({ accountId }) => accountId === id)?.currency ?? currency;
    if (approved !== currency) throw otherCurrency();
  }
  return held;
};
