/** The accounts of a person, as far as a consent or a page needs them: a company may have a hundred thousand. */
import { inTurns } from '../../lib/turn.js';
import type { AccountId, PsuId } from '../../model/ids.js';
import { type AccountFilter, type Bank, type BankAccount, MANY_ACCOUNTS } from '../bank.js';
import { otherCurrency } from './answers.js';

/** Accounts that a consent knows: an id never changes its currency. Null if the consent names none. */
interface KnownAccount {
  readonly accountId: AccountId | null;
  readonly iban?: string | null;
  readonly currency: string | null;
}

const filterOf = ({ accountId, iban }: KnownAccount): AccountFilter => ({
  ...(accountId === null ? (iban ? { iban } : {}) : { accountId }),
});

/** Whether the filter names this account: one that names none fits all. */
export const isWanted = ({ accountId, iban }: AccountFilter, account: BankAccount): boolean =>
  (accountId ?? account.id) === account.id && (iban === undefined || account.iban === iban);

/** Questions to the bank that one call of ours may have open. */
const AT_ONCE = 8;

/** One question names one account; who has few accounts is asked about once. */
const listed = async (
  bank: Pick<Bank, 'accountsOf'>,
  psuId: PsuId,
  known: readonly KnownAccount[],
  balances: boolean,
): Promise<readonly BankAccount[]> => {
  const [only, ...others] = known.map(filterOf);
  const first = await bank.accountsOf(psuId, { ...(others.length === 0 ? only : {}), balances });
  if (first.length <= MANY_ACCOUNTS) return first;
  const found = new Map(first.map((account) => [account.id, account]));
  const missing = known.map(filterOf).filter((each) => !first.some((account) => isWanted(each, account)));
  await inTurns(missing, AT_ONCE, async (each) => {
    for (const account of await bank.accountsOf(psuId, { ...each, balances }))
      if (isWanted(each, account)) found.set(account.id, account);
  });
  return [...found.values()];
};

/** The accounts of a person, held against those that the consent knows. */
export const accountsFor = async (
  bank: Pick<Bank, 'accountsOf'>,
  psuId: PsuId,
  known: readonly KnownAccount[],
  { balances = false }: Pick<AccountFilter, 'balances'> = {},
): Promise<readonly BankAccount[]> => {
  const held = await listed(bank, psuId, known, balances);
  for (const { id, currency } of held) {
    const approved = known.find(({ accountId }) => accountId === id)?.currency ?? currency;
    if (approved !== currency) throw otherCurrency();
  }
  return held;
};
