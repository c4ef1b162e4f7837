/** What the account holder entered: accounts, term, code. Reads the form, and says what is wrong with it. */
import type { MethodKind } from '../../bank/account-holders.js';
import type { AskedConsent } from '../../consent/asked.js';
import { type ChosenTerm, choosesTerm } from '../../consent/decide.js';
import type { PageRequest } from '../../http/pages.js';
import { type BankTime, DAY } from '../../lib/clock.js';
import { dateAt } from '../../lib/day.js';
import { isDate } from '../../lib/instant.js';
import type { TermsRefusal } from '../../payment/personal-terms.js';
import { lastDay } from './format.js';
import type { FormFault } from './messages/messages.js';
import { type AccountCard, type Offer, pickedCards, presetOf } from './offer.js';

/** As it stands in the form, right or wrong. */
export interface Entered {
  readonly accounts: readonly string[];
  readonly term: 'date' | 'open' | undefined;
  readonly date: string;
  readonly code: string;
  /** What the browser gave in the place of a code. */
  readonly answer?: string;
}

/** Fields by the names they have in the form. */
export const fields = {
  accounts: 'account',
  term: 'term',
  date: 'date',
  code: 'code',
  shown: 'shown',
  decision: 'decision',
  /** The way to confirm that the page shows, and the one that the person wants. */
  method: 'method',
  change: 'change',
  answer: 'answer',
} as const;

/** No code until then: too many were wrong, too many were sent, or the last one was sent just now. */
export interface CodeClosed {
  readonly closed: 'paused' | 'full' | 'early';
  readonly until: number;
}

export interface FieldFault {
  readonly field: 'account' | 'term' | 'date' | 'code';
  readonly fault:
    | FormFault
    | { readonly attemptsLeft: number; readonly kind: MethodKind }
    | { readonly latest: string }
    | CodeClosed
    | TermsRefusal;
}

const MAX_CODE = 64;

/** The form before any entry: what the third party proposed or the address names, and nothing beyond. */
export const presetEntries = (
  asked: AskedConsent,
  offer: Offer,
  timeZone: string,
  picked: string | undefined,
): Entered => ({
  accounts: picked !== undefined && pickedCards(offer, [picked]) ? [picked] : presetOf(offer),
  term: asked.expiresAt === null ? undefined : 'date',
  date: asked.expiresAt === null ? '' : lastDay(asked.expiresAt, timeZone),
  code: '',
});

export const readEntries = ({ form, formLists }: PageRequest): Entered => {
  const term = form[fields.term];
  return {
    accounts: formLists[fields.accounts] ?? [],
    term: term === 'date' || term === 'open' ? term : undefined,
    date: (form[fields.date] ?? '').trim(),
    code: (form[fields.code] ?? '').replace(/\s/g, '').slice(0, MAX_CODE),
    answer: form[fields.answer] ?? '',
  };
};

export interface Choice {
  readonly cards: readonly AccountCard[];
  readonly term: ChosenTerm | undefined;
}

/** Between which days a term may end. */
export interface Calendar {
  readonly timeZone: string;
  readonly today: string;
  readonly latest: string;
}

export const calendarAt = (
  bankNow: BankTime,
  { timeZone, maxConsentDays }: { readonly timeZone: string; readonly maxConsentDays: number },
): Calendar => ({
  timeZone,
  today: dateAt(bankNow, timeZone),
  latest: dateAt(bankNow + maxConsentDays * DAY, timeZone),
});

const termFault = ({ term, date }: Entered, { today, latest }: Calendar): FieldFault | undefined => {
  if (term === undefined) return { field: 'term', fault: 'term' };
  if (term === 'open') return undefined;
  if (!isDate(date)) return { field: 'date', fault: 'date' };
  if (date < today) return { field: 'date', fault: 'datePast' };
  return date > latest ? { field: 'date', fault: { latest } } : undefined;
};

/** Every fault at once, in the order of the page. */
export const choose = (
  asked: Pick<AskedConsent, 'kind'>,
  offer: Offer,
  entered: Entered,
  calendar: Calendar,
  /** What is missing of the confirmation. */
  missing: FieldFault | undefined,
): { readonly choice?: Choice; readonly faults: readonly FieldFault[] } => {
  const cards = pickedCards(offer, entered.accounts);
  const badTerm = choosesTerm(asked) ? termFault(entered, calendar) : undefined;
  const faults: FieldFault[] = [
    ...(cards ? [] : [{ field: 'account', fault: 'account' } as const]),
    ...(badTerm ? [badTerm] : []),
    ...(missing ? [missing] : []),
  ];
  if (!cards || faults.length > 0) return { faults };
  const { timeZone } = calendar;
  const lastDay = entered.term === 'open' ? null : entered.date;
  return { choice: { cards, term: choosesTerm(asked) ? { lastDay, timeZone } : undefined }, faults };
};
