/** The text about a submitted payment: exactly the status of its order, never more. */
import type { AskedConsent } from '../../../consent/asked.js';
import { dateAt } from '../../../lib/day.js';
import type { OrderStatus, PaymentOrder } from '../../../payment/record.js';
import type { Meaning } from '../../../web/components/badge.js';
import { paymentOf } from '../asked-for.js';
import { amountText, dateText } from '../format.js';
import type { ApprovalMessages, PageMessages } from '../messages/messages.js';

export interface OrderText extends PageMessages {
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

export const orderText = (
  asked: AskedConsent,
  { status, reasonCode, changedAt }: PaymentOrder,
  { orders, locale }: ApprovalMessages,
  timeZone: string,
): OrderText => {
  const state = states[status];
  const payment = paymentOf(asked);
  const amount = payment ? amountText(payment.amount, locale) : '';
  const payee = payment?.payee ?? '';
  const messages: Readonly<Record<State, () => PageMessages>> = {
    underWay: () => orders.underWay,
    paid: () => orders.paid(amount, payee, dateText(dateAt(changedAt, timeZone), locale)),
    notPaid: () => orders.notPaid(amount, payee, orders.reasons[reasonCode ?? ''] ?? orders.otherReason),
    cancelled: () => orders.cancelled(amount, payee),
  };
  return { ...messages[state](), badge: orders.badges[state], meaning: meanings[state] };
};
