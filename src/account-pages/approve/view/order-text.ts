/** The text about a submitted payment: exactly the status of its order, never more. */
import type { AskedConsent } from '../../../consent/asked.js';
import type { OrderStatus, WatchedOrder } from '../../../payment/record.js';
import type { Meaning } from '../../../web/components/badge.js';
import { paymentOf } from '../asked-for.js';
import { amountText, momentText } from '../format.js';
import type { ApprovalMessages, CancelledBy, OrderSentences } from '../messages/messages.js';

export interface OrderText extends OrderSentences {
  readonly badge: string;
  readonly meaning: Meaning;
}

type State = keyof ApprovalMessages['orders']['badges'];

const states: Readonly<Record<OrderStatus, State>> = {
  RCVD: 'underWay',
  PDNG: 'underWay',
  ACTC: 'underWay',
  ACSP: 'underWay',
  ACSC: 'paid',
  RJCT: 'notPaid',
  CANC: 'cancelled',
};

const meanings: Readonly<Record<State, Meaning>> = {
  underWay: 'notice',
  paid: 'good',
  notPaid: 'bad',
  cancelled: 'quiet',
};

const cancellers: readonly CancelledBy[] = ['psu', 'tpp'];

export const orderText = (
  asked: Pick<AskedConsent, 'kind' | 'details'>,
  {
    status,
    reasonCode,
    changedAt,
    cancelledBy,
  }: Pick<WatchedOrder, 'status' | 'reasonCode' | 'changedAt' | 'cancelledBy'>,
  { orders, locale }: ApprovalMessages,
  timeZone: string,
): OrderText => {
  const state = states[status];
  const payment = paymentOf(asked);
  const amount = payment ? amountText(payment.amount, locale) : '';
  const payee = payment?.payee ?? '';
  const moment = momentText(changedAt, locale, timeZone);
  const by = cancellers.find((each) => each === cancelledBy) ?? 'bank';
  const sentences: Readonly<Record<State, () => OrderSentences>> = {
    underWay: () => orders.underWay(amount, payee),
    paid: () => orders.paid(amount, payee, moment),
    notPaid: () => orders.notPaid(amount, payee, orders.reasons[reasonCode ?? ''] ?? orders.otherReason),
    cancelled: () => orders.cancelled(amount, payee, by, moment),
  };
  return { ...sentences[state](), badge: orders.badges[state], meaning: meanings[state] };
};
