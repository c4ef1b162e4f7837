/**
 * Balances of the accounts on a page that the bank listed without one. They help the person to choose: if the bank is late or
 * does not tell one, the page is shown without it.
 */

import type { BankAccount } from '../../bank/bank.js';
import type { Balance } from '../../bank/history.js';
import { SECOND, within } from '../../lib/clock.js';
import { inTurns } from '../../lib/turn.js';
import { ownLanguage } from '../../web/language.js';
import type { Offer } from './offer.js';
import type { ApprovalParts, HolderVisit } from './parts.js';

/** Questions to the bank that one page may have open. */
const AT_ONCE = 8;
/** As long as a page waits for all of them. */
const PATIENCE_MS = SECOND;

/** Booked less pending debits, as in the list of accounts: a credit line is not the person's money. */
const shownOf = (balances: readonly Balance[]): number | undefined =>
  (['interimAvailable', 'interimBooked'] as const)
    .map((type) => balances.find((each) => each.type === type && !each.includesCreditLine))
    .find((each) => each !== undefined)?.amountMinor;

export const withBalances = async (
  { bank }: Pick<ApprovalParts, 'bank'>,
  { holder, lang }: HolderVisit,
  offer: Offer,
): Promise<Offer> => {
  const unknown = offer.cards.flatMap(({ parts }) => parts).filter((each) => each.balanceMinor === null);
  const found = new Map<string, number>();
  let isOver = false;
  const ask = async ({ id, currency }: BankAccount): Promise<void> => {
    if (isOver) return;
    const context = { psuId: holder.id, currency, language: ownLanguage(lang) };
    const shown = shownOf(await bank.balances(id, context).catch(() => []));
    if (shown !== undefined) found.set(id, shown);
  };
  const late = () => new Error('the balances are late');
  await within(PATIENCE_MS, inTurns(unknown, AT_ONCE, ask), late).catch(() => undefined);
  isOver = true;
  return {
    ...offer,
    cards: offer.cards.map((card) => ({
      ...card,
      parts: card.parts.map((each) => ({ ...each, balanceMinor: found.get(each.id) ?? each.balanceMinor })),
    })),
  };
};
