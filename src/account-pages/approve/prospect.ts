/** A request as its account holder meets it now: the accounts on offer and, for a payment, the bank's terms for this person. */

import type { BankAccount } from '../../bank/bank.js';
import { accountsFor } from '../../bank/guard/held-accounts.js';
import type { AskedConsent } from '../../consent/asked.js';
import type { ShownTerms } from '../../model/payment-terms.js';
import { askPersonalTerms, type TermsRefusal } from '../../payment/personal-terms.js';
import { ownLanguage } from '../../web/language.js';
import { paymentOf } from './asked-for.js';
import type { FieldFault } from './choice.js';
import { candidatesOf, cardsOf, type Offer, offerOf } from './offer.js';
import type { ApprovalParts, HolderVisit } from './parts.js';
import { verdictsOn } from './verdicts.js';

export interface Prospect {
  /** At the terms of this person: what is shown, hashed and approved. */
  readonly asked: AskedConsent;
  readonly offer: Offer;
  readonly terms?: ShownTerms;
  /** The bank would not let the account that was picked pay; the others are open. */
  readonly refusedAccount?: { readonly id: string; readonly refusal: TermsRefusal };
}

/** Part of what is approved: who thinks that others sign too must not pay alone. */
const signaturesIn = (accounts: readonly BankAccount[]): readonly string[] =>
  accounts.flatMap(({ id, signaturesNeeded }) =>
    (signaturesNeeded ?? 1) > 1 ? [`${id} ${signaturesNeeded}`] : [],
  );

/**
 * The one decision about what can be chosen, for the page and for the form that comes back. `picked`: the account whose terms are shown; of
 * several none is, before one is picked.
 */
export const prospectOf = async (
  parts: ApprovalParts,
  { holder, lang }: HolderVisit,
  staged: AskedConsent,
  picked?: string,
): Promise<Prospect> => {
  const filter = { balances: true, language: ownLanguage(lang) };
  const held = await accountsFor(parts.bank, holder.id, staged.accounts, filter);
  const candidates = candidatesOf(staged, held).filter(({ status }) => status === 'enabled');
  const payer = candidates.length === 1 ? candidates[0] : candidates.find(({ id }) => id === picked);
  const signatures = signaturesIn(candidates);
  const ask = (payerAccountId?: string) =>
    askPersonalTerms(parts.bank, staged, { payerAccountId, language: ownLanguage(lang) }, signatures);
  const found = await ask(payer?.id);
  const refusedAccount =
    found.refusal && payer && candidates.length > 1 ? { id: payer.id, refusal: found.refusal } : undefined;
  const shown = refusedAccount ? await ask() : found;
  const cards = cardsOf(shown.asked, held);
  const isJudged = paymentOf(shown.asked) !== undefined && !shown.refusal;
  const able = isJudged ? cards.filter(({ fault }) => fault === undefined).flatMap((card) => card.parts) : [];
  const verdicts = await verdictsOn(parts, holder.id, able, async (account) =>
    account.id === payer?.id ? found : ask(account.id),
  );
  const { lowBalance } = parts;
  return {
    ...shown,
    offer: offerOf(shown.asked, held, cards, { refusal: shown.refusal, verdicts, lowBalance }),
    ...(refusedAccount ? { refusedAccount } : {}),
  };
};

export const accountFaults = ({ refusedAccount }: Prospect): readonly FieldFault[] =>
  refusedAccount ? [{ field: 'account', fault: refusedAccount.refusal }] : [];
