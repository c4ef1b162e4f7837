/**
 * Balances of the accounts on a page that the bank listed without one. They help the person to choose: if the bank is late or
 * does not tell one, the page is shown without it.
 */

import type { Balance } from '../../bank/history.js';
import { ownLanguage } from '../../web/language.js';
import type { Offer } from './offer.js';
import type { ApprovalParts, HolderVisit } from './parts.js';
import { askAboutEach } from './verdicts.js';

/** Booked less pending debits, as in the list of accounts: a credit line is not the person's money. */
const shownOf = (balances: readonly Balance[]): number | undefined =>
  (['interimAvailable', 'interimBooked'] as const)
    .map((type) => balances.find((each) => each.type === type && !each.includesCreditLine))
    .find((each) => each !== undefined)?.amountMinor;

export const withBalances = async (
  { bank, patienceMs }: Pick<ApprovalParts, 'bank' | 'patienceMs'>,
  { holder, lang }: HolderVisit,
  offer: Offer,
): Promise<Offer> => {
  const unknown = offer.cards.flatMap(({ parts }) => parts).filter((each) => each.balanceMinor === null);
  const found = new Map<string, number>();
  await askAboutEach(unknown, patienceMs, async ({ id, currency }) => {
    const context = { psuId: holder.id, currency, language: ownLanguage(lang) };
    const shown = shownOf(await bank.balances(id, context));
    if (shown !== undefined) found.set(id, shown);
  });
  return {
    ...offer,
    cards: offer.cards.map((card) => ({
      ...card,
      parts: card.parts.map((each) => ({ ...each, balanceMinor: found.get(each.id) ?? each.balanceMinor })),
    })),
  };
};
