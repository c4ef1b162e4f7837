/** What a permission covers and what has happened to it, in whole sentences. */

import type { AskedConsent } from '../../consent/asked.js';
import { isFinal, statusAt, UNDECIDED_MS } from '../../consent/lifecycle.js';
import { type Ended, reasonAt } from '../../consent/reason.js';
import type { ConsentStatus, StatusReason } from '../../consent/record.js';
import type { HistoryStep } from '../../consent/watch.js';
import type { BankTime } from '../../lib/clock.js';
import { inFours } from '../../model/account-reference.js';
import type { Meaning } from '../../web/components/badge.js';
import { accountAccessOf, paymentOf } from '../approve/asked-for.js';
import { amountText, dateText } from '../approve/format.js';
import type { DashboardMessages, PaymentState, Step, Unsent } from './messages/messages.js';
import type { Visit } from './parts.js';

type Tongue = Pick<Visit, 'messages' | 'asking'>;

export const meanings: Readonly<Record<ConsentStatus, Meaning>> = {
  Received: 'notice',
  Valid: 'good',
  Rejected: 'quiet',
  RevokedByPsu: 'quiet',
  Expired: 'quiet',
  TerminatedByTpp: 'quiet',
};

/** The status in a few words: "ended by the app" would be wrong of what a newer permission has replaced. */
export const statusText = (
  { asked, status }: { readonly asked: Pick<AskedConsent, 'endReason'>; readonly status: ConsentStatus },
  { statuses, replaced, blocked }: Pick<DashboardMessages, 'statuses' | 'replaced' | 'blocked'>,
): string => {
  if (status === 'TerminatedByTpp' && asked.endReason === 'superseded') return replaced;
  return asked.endReason === 'blocked' ? blocked : statuses[status];
};

export const summaryOf = (
  asked: AskedConsent,
  status: ConsentStatus,
  { messages, asking }: Tongue,
): readonly string[] => {
  const { covers } = messages;
  const isPast = isFinal(status);
  const payment = paymentOf(asked);
  if (payment) return [covers.payment(amountText(payment.amount, asking.locale), payment.payee)];
  if (asked.kind === 'ConfirmationOfFunds') {
    const card = asked.cardLastFour === null ? [] : [asking.what.card(asked.cardLastFour)];
    return [covers.funds(isPast), ...card];
  }
  const { permissions, from, to, timesPerDay } = accountAccessOf(asked);
  const day = (date: string | undefined) => (date === undefined ? undefined : dateText(date, asking.locale));
  const isDated = permissions.some((each) => each.startsWith('Transactions')) && (from ?? to) !== undefined;
  return [
    ...permissions.map((permission) => covers.sees(asking.seen[permission], isPast)),
    ...(isDated ? [covers.transactions(day(from), day(to), isPast)] : []),
    timesPerDay === undefined ? covers.once : covers.recurring(timesPerDay, isPast),
  ];
};

/** In groups of four if it is an account number; a telephone number stays as it is. */
export const numberText = (number: string): string => (number.startsWith('+') ? number : inFours(number));

/** One line for each number, with its currencies. */
export const accountLines = (
  { accounts }: Pick<AskedConsent, 'accounts'>,
  write: (number: string) => string = numberText,
): readonly string[] => {
  const byNumber = new Map<string, string[]>();
  for (const { iban, bban, msisdn, currency } of accounts) {
    const number = iban ?? bban ?? msisdn;
    if (number === null) continue;
    const known = byNumber.get(number) ?? [];
    byNumber.set(number, currency === null ? known : [...known, currency]);
  }
  return [...byNumber].map(([number, currencies]) =>
    currencies.length > 1 ? `${write(number)} (${currencies.join(', ')})` : write(number),
  );
};

/** What the bank ends is over because a payment is done with, unless it has another reason. Older histories name the order's status. */
const endedByBank = (reason: string | null): Step => {
  if (reason === 'completed' || reason === 'payment order ACSC') return 'paid';
  if (reason === 'payment-cancelled' || reason === 'payment order CANC') return 'cancelled';
  return reason?.startsWith('payment') ? 'notPaid' : 'endedByBank';
};

const endedByTime = (reason: string | null): Step =>
  reason === 'completed' || reason === 'unused' ? reason : 'expired';

const stepOf = ({ to, by, reason }: Pick<HistoryStep, 'to' | 'by' | 'reason'>): Step => {
  switch (to) {
    case 'Received':
      return 'asked';
    case 'Valid':
      return reason === 'renewed' ? 'renewed' : 'approved';
    case 'RevokedByPsu':
      return reason === 'blocked' ? 'blocked' : 'withdrawn';
    case 'Expired':
      return by === 'bank' ? endedByBank(reason) : endedByTime(reason);
    case 'TerminatedByTpp':
      return reason?.startsWith('superseded') ? 'superseded' : 'ended';
    case 'Rejected':
      if (by === 'time') return 'late';
      if (by === 'bank') return 'closedByBank';
      return reason === 'blocked' ? 'blocked' : 'refused';
  }
};

/** When time alone has ended it. */
const endedAt = ({ createdAt, expiresAt, status }: AskedConsent): number =>
  Math.min(
    expiresAt ?? Number.POSITIVE_INFINITY,
    status === 'Received' ? createdAt + UNDECIDED_MS : Number.POSITIVE_INFINITY,
  );

export interface HistoryEntry {
  readonly at: number;
  readonly step: Step;
}

/** The history, with an end by time that is not stored yet. */
export const permissionHistory = (
  asked: AskedConsent,
  history: readonly HistoryStep[],
  bankNow: BankTime,
): readonly HistoryEntry[] => {
  const entries = history.map((step) => ({ at: step.at, step: stepOf(step) }));
  const known: readonly HistoryEntry[] =
    entries.length > 0 ? entries : [{ at: asked.createdAt, step: 'asked' }];
  const status = statusAt(asked, bankNow);
  if (status === asked.status) return known;
  const reason = reasonAt(asked, bankNow) ?? null;
  return [...known, { at: endedAt(asked), step: stepOf({ to: status, by: 'time', reason }) }];
};

/** Until when a request can be decided about. */
export const decideBy = ({ createdAt, expiresAt }: Pick<AskedConsent, 'createdAt' | 'expiresAt'>): number =>
  Math.min(createdAt + UNDECIDED_MS, expiresAt ?? Number.POSITIVE_INFINITY);

const stateOfOrder: Readonly<Partial<Record<string, PaymentState>>> = {
  ACSC: 'paid',
  RJCT: 'notPaid',
  CANC: 'cancelled',
};

/** What has become of a payment, by its consent and its order. */
export const paymentStateOf = (
  status: ConsentStatus,
  orderStatus: string | null | undefined,
): PaymentState => {
  if (orderStatus) return stateOfOrder[orderStatus] ?? 'underWay';
  if (status === 'Received') return 'waiting';
  return status === 'Valid' ? 'approved' : 'notPaid';
};

const unsentReasons: Readonly<Partial<Record<StatusReason, Unsent>>> = {
  rejected: 'refused',
  undecided: 'late',
  withdrawn: 'withdrawn',
  blocked: 'blocked',
  'ended-by-tpp': 'ended',
  unused: 'unused',
  expired: 'late',
};

/** Why a payment that was never sent is over. */
export const unsentReason = (consent: Ended, bankNow: BankTime): Unsent =>
  unsentReasons[reasonAt(consent, bankNow) ?? 'ended-by-bank'] ?? 'endedByBank';
