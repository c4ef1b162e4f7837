/**
 * Makes a history end with the right balances. It runs from the last day to the first: the balances at the end are known, and
 * each event gives the balance before it. If an account would fall below its floor or rise far above its ceiling, a cash
 * withdrawal or a transfer is added. The rest at the first day is brought forward.
 */
import { decimalsOf } from 'trapeza/base';
import { internalId } from '../ledger/internal-accounts.js';
import type { Leg } from '../ledger/transfer.js';
import { machine, otherBank } from './counterparties.js';
import { type Life, partyOf } from './life.js';
import type { Random } from './random.js';
import type { Happening } from './scene.js';

interface Walker {
  readonly lives: ReadonlyMap<string, Life>;
  readonly balances: Map<string, number>;
  readonly random: Random;
}

/** What people move at once: tens, or hundreds if it is more. */
export const rounded = (amount: number, currency: string): number => {
  const ten = 10 ** ((decimalsOf(currency) ?? 2) + (currency === 'JPY' ? 3 : 1));
  const step = amount > 40 * ten ? 10 * ten : ten;
  return Math.ceil(amount / step) * step;
};

export const moved = (life: Life, amountMinor: number): Leg => {
  const { account } = life;
  const outside = internalId('nostro', account.currency);
  const size = Math.abs(amountMinor);
  const other = { ...otherBank, name: partyOf(account).name };
  const isCash = account.type === 'CACC' && amountMinor < 0 && size <= 60_000 && account.currency === 'EUR';
  if (isCash) {
    const text = 'Ανάληψη μετρητών από ΑΤΜ';
    const shared = { amountMinor: size, payer: partyOf(account), payee: machine, remittance: text };
    return { ...shared, debit: account.id, credit: outside, code: 'PMNT-CCRD-CWDL' };
  }
  const shared = { amountMinor: size, code: 'PMNT-ICDT-ESCT', remittance: 'Μεταφορά ίδιου δικαιούχου' };
  return amountMinor < 0
    ? { ...shared, debit: account.id, credit: outside, payer: partyOf(account), payee: other }
    : { ...shared, debit: outside, credit: account.id, payer: other, payee: partyOf(account) };
};

const changeOf = (legs: readonly Leg[], id: string): number =>
  legs.reduce(
    (sum, { debit, credit, amountMinor }) =>
      sum + (credit === id ? amountMinor : 0) - (debit === id ? amountMinor : 0),
    0,
  );

/** What must have followed the happening so that the account was within its bounds before it; 0 mostly. */
const correction = ({ balances, random }: Walker, life: Life, change: number): number => {
  const after = balances.get(life.account.id) ?? 0;
  const { floor, ceiling, account } = life;
  const room = ceiling - floor;
  const before = after - change;
  if (before < floor) return -rounded(floor - before + random.next() * room * 0.15, account.currency);
  if (before <= ceiling || change > 0) return 0;
  const most = after - floor;
  const wanted = rounded(before - ceiling + random.next() * room * 0.15, account.currency);
  return wanted <= most ? wanted : 0;
};

/** The happenings in their order, with those that were missing. Afterwards the balances are those of the first day. */
export const walkBackwards = (happenings: readonly Happening[], walker: Walker): readonly Happening[] => {
  const { lives, balances } = walker;
  const walked: Happening[] = [];
  const undo = (happening: Happening): void => {
    walked.push(happening);
    for (const { debit, credit, amountMinor } of happening.legs) {
      balances.set(debit, (balances.get(debit) ?? 0) + amountMinor);
      balances.set(credit, (balances.get(credit) ?? 0) - amountMinor);
    }
  };
  for (const happening of happenings.toReversed()) {
    const touched = new Set(happening.legs.flatMap(({ debit, credit }) => [debit, credit]));
    for (const id of touched) {
      const life = lives.get(id);
      const missing = life ? correction(walker, life, changeOf(happening.legs, id)) : 0;
      if (life && missing !== 0) undo({ ...happening, legs: [moved(life, missing)] });
    }
    undo(happening);
  }
  return walked.reverse();
};
