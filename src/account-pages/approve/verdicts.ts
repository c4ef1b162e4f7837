/**
 * What of a payment is known to fail, by account: the balance with its credit line, and what the bank refuses for this account. Asked
 * when the page is drawn and again when it is sent, so that both decide alike. An answer that is late or missing forbids nothing.
 */
import type { Bank, BankAccount } from '../../bank/bank.js';
import { within } from '../../lib/clock.js';
import { inTurns } from '../../lib/turn.js';
import type { AccountId, PsuId } from '../../model/ids.js';
import { payableIn } from '../../payment/payable.js';
import type { PersonalTerms, TermsRefusal } from '../../payment/personal-terms.js';
import { paymentOf } from './asked-for.js';
import type { ApprovalParts } from './parts.js';

/** Questions to the bank that one page may have open. */
const AT_ONCE = 8;

/** Asks the bank about each; what it does not answer in time is left out. */
export const askAboutEach = async <T>(
  items: readonly T[],
  patienceMs: number,
  ask: (item: T) => Promise<unknown>,
): Promise<void> => {
  let isOver = false;
  const asked = inTurns(items, AT_ONCE, async (item) => {
    if (!isOver) await ask(item).catch(() => undefined);
  });
  const late = () => new Error('the bank is late');
  await within(patienceMs, asked, late).catch(() => undefined);
  isOver = true;
};

export type Verdict = 'funds' | TermsRefusal;
export type Verdicts = ReadonlyMap<AccountId, Verdict>;

/** The bank is asked only if the balance alone does not tell. */
const isShort = async (
  bank: Pick<Bank, 'hasFunds'>,
  psuId: PsuId,
  { asked }: PersonalTerms,
  { id, currency, balanceMinor }: BankAccount,
): Promise<boolean> => {
  const payment = paymentOf(asked);
  const cost = payment && payableIn(payment.terms, currency);
  if (!cost) return false;
  const total = cost.amountMinor + cost.chargeMinor;
  if (balanceMinor !== null && balanceMinor >= total) return false;
  const context = { psuId, currency };
  return !(await bank.hasFunds({ accountId: id, currency, amountMinor: BigInt(total), context }));
};

/** `termsOf`: the bank's terms if this account pays. */
export const verdictsOn = async (
  { bank, patienceMs }: Pick<ApprovalParts, 'bank' | 'patienceMs'>,
  psuId: PsuId,
  accounts: readonly BankAccount[],
  termsOf: (account: BankAccount) => Promise<PersonalTerms>,
): Promise<Verdicts> => {
  const found = new Map<AccountId, Verdict>();
  await askAboutEach(accounts, patienceMs, async (account) => {
    const terms = await termsOf(account);
    if (terms.refusal) found.set(account.id, terms.refusal);
    else if (await isShort(bank, psuId, terms, account)) found.set(account.id, 'funds');
  });
  return new Map(found);
};
