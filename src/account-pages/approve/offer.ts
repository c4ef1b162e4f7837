/**
 * The accounts that a request can be approved for: what the third party named, else what its account holder has. A card is
 * one account number with its currencies; for a payment it is one currency, because one of them pays. One that is blocked or
 * closed is shown with the reason why it cannot be picked.
 */
import { type BankAccount, MANY_ACCOUNTS } from '../../bank/bank.js';
import type { AskedConsent } from '../../consent/asked.js';
import { type ConsentAccount, consentAccount } from '../../consent/record.js';
import { type PaymentTerms, payableIn, payerFault } from '../../payment/payable.js';
import type { TermsRefusal } from '../../payment/personal-terms.js';
import { paymentOf } from './asked-for.js';
import type { CardFault } from './messages/messages.js';
import type { Verdict, Verdicts } from './verdicts.js';

/** Whether an account with too low a balance can pay: the bank decides. */
export type LowBalance = 'forbid' | 'warn';

export interface AccountCard {
  /** What the form sends. */
  readonly value: string;
  readonly name: string;
  readonly number: string;
  readonly parts: readonly BankAccount[];
  /** Why it cannot be picked. */
  readonly fault: CardFault | Verdict | undefined;
  /** What may fail although it can be picked. */
  readonly warning?: 'funds' | undefined;
}

export interface Offer {
  readonly cards: readonly AccountCard[];
  /** The third party named them; the account holder may leave some out. */
  readonly isNamed: boolean;
  /** The third party named an account that this person does not hold. */
  readonly hasForeign: boolean;
  readonly isSingle: boolean;
  readonly isPayment: boolean;
  /** The person has more accounts than the page shows. */
  readonly isCut: boolean;
  /** The bank would not carry out this payment for this person. */
  readonly refusal?: TermsRefusal | undefined;
}

const numberOf = ({ iban, bban, id }: BankAccount): string => iban ?? bban ?? id;

/** Every part of a reference must fit: two that name different accounts fit none. */
const fits = (account: BankAccount, named: ConsentAccount): boolean => {
  if (named.accountId !== null) return account.id === named.accountId;
  const members = ['iban', 'bban', 'msisdn'] as const;
  const given = members.filter((member) => named[member] !== null);
  return (
    given.length > 0 &&
    given.every((member) => account[member] === named[member]) &&
    (named.currency === null || account.currency === named.currency)
  );
};

const faultOf = (parts: readonly BankAccount[], terms: PaymentTerms | undefined): CardFault | undefined => {
  const [usable] = parts.filter(({ status }) => status === 'enabled');
  if (!usable) return parts[0]?.status === 'closed' ? 'closed' : 'blocked';
  return terms && payerFault(terms, usable);
};

const cardOf = (parts: readonly BankAccount[], terms?: PaymentTerms): AccountCard[] => {
  const [first] = parts;
  if (!first) return [];
  const usable = parts.filter(({ status }) => status === 'enabled');
  return [
    {
      value: first.id,
      name: first.name,
      number: numberOf(first),
      parts: usable.length > 0 ? usable : parts,
      fault: faultOf(parts, terms),
    },
  ];
};

/** In the order in which they come. */
const grouped = (accounts: readonly BankAccount[]): readonly BankAccount[][] => {
  const groups = new Map<string, BankAccount[]>();
  for (const account of accounts) {
    const known = groups.get(numberOf(account));
    if (known) known.push(account);
    else groups.set(numberOf(account), [account]);
  }
  return [...groups.values()];
};

/** What the bank says about a payment, as the person meets it. */
export interface BankSays {
  readonly refusal?: TermsRefusal | undefined;
  readonly verdicts: Verdicts;
  /** What a balance that is too low does. */
  readonly lowBalance: LowBalance;
}

const judged = (card: AccountCard, { verdicts, lowBalance }: BankSays): AccountCard => {
  const verdict = card.fault ? undefined : card.parts[0] && verdicts.get(card.parts[0].id);
  if (verdict === undefined) return card;
  return verdict === 'funds' && lowBalance === 'warn'
    ? { ...card, warning: verdict }
    : { ...card, fault: verdict };
};

const paymentCards = (accounts: readonly BankAccount[], terms: PaymentTerms): AccountCard[] => {
  const able = accounts.filter(({ currency }) => payableIn(terms, currency) !== undefined);
  // If none can pay, the others are shown with the reason.
  return (able.length > 0 ? able : accounts).flatMap((each) => cardOf([each], terms));
};

/** What can be picked comes first, in the order of the bank. */
const inOrder = (cards: readonly AccountCard[]): readonly AccountCard[] =>
  cards.toSorted((a, b) => Number(a.fault !== undefined) - Number(b.fault !== undefined));

/** Those that the third party named, else all. */
export const candidatesOf = ({ accounts }: AskedConsent, held: readonly BankAccount[]) =>
  accounts.length > 0 ? held.filter((account) => accounts.some((named) => fits(account, named))) : held;

/** Those that one page can show, before the bank is asked about each. */
export const cardsOf = (asked: AskedConsent, held: readonly BankAccount[]): readonly AccountCard[] => {
  const candidates = candidatesOf(asked, held);
  const payment = paymentOf(asked);
  const cards = payment
    ? paymentCards(candidates, payment.terms)
    : grouped(candidates).flatMap((parts) => cardOf(parts));
  return inOrder(cards).slice(0, asked.accounts.length > 0 ? undefined : MANY_ACCOUNTS);
};

export const offerOf = (
  asked: AskedConsent,
  held: readonly BankAccount[],
  cards: readonly AccountCard[],
  says: BankSays,
): Offer => {
  const { refusal } = says;
  const isNamed = asked.accounts.length > 0;
  const hasForeign = asked.accounts.some((named) => !held.some((account) => fits(account, named)));
  return {
    cards: hasForeign || refusal ? [] : inOrder(cards.map((card) => judged(card, says))),
    isCut: !isNamed && held.length > MANY_ACCOUNTS,
    isNamed,
    hasForeign,
    isSingle: asked.kind !== 'AccountAccess',
    isPayment: paymentOf(asked) !== undefined,
    refusal,
  };
};

export const canApprove = ({ cards }: Offer): boolean => cards.some(({ fault }) => fault === undefined);

/** Ticked when the page is first shown: only what the third party named, and never one of several alternatives. */
export const presetOf = ({ cards, isNamed, isSingle }: Offer): readonly string[] => {
  const usable = cards.filter(({ fault }) => fault === undefined).map(({ value }) => value);
  return isNamed && (!isSingle || usable.length === 1) ? usable : [];
};

/** The picked cards; undefined if none, too many, or one that was not offered was sent. */
export const pickedCards = (offer: Offer, values: readonly string[]): readonly AccountCard[] | undefined => {
  const picked = offer.cards.filter(({ value, fault }) => fault === undefined && values.includes(value));
  const isWhole = picked.length === new Set(values).size;
  const isCount = offer.isSingle ? picked.length === 1 : picked.length > 0;
  return isWhole && isCount ? picked : undefined;
};

/** One entry for each sub-account, as the consent keeps them. */
export const consentAccountsOf = (cards: readonly AccountCard[]): readonly ConsentAccount[] =>
  cards.flatMap(({ parts }) => parts.map(consentAccount));
