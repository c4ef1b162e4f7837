/** Why the demo bank rejects an order, in the codes of ISO 20022 (ExternalStatusReason1Code). */
import type { PaymentProgress, RejectReason } from 'trapeza/bank';

const reasons = {
  'payer-unusable': { code: 'AC02', text: 'The account of the payer cannot be used.' },
  'payer-closed': { code: 'AC04', text: 'The account of the payer is closed.' },
  'payer-blocked': { code: 'AC06', text: 'The account of the payer is blocked.' },
  'payee-unknown': { code: 'AC03', text: 'The payee has no such account.' },
  'payee-unknown-there': { code: 'AC03', text: 'The bank of the payee has no such account.' },
  'payee-closed': { code: 'AC04', text: 'The account of the payee is closed.' },
  'payee-blocked': { code: 'AC06', text: 'The account of the payee is blocked.' },
  'payee-currency': { code: 'AM03', text: 'The account of the payee does not have this currency.' },
  'same-account': { code: 'AG01', text: 'Payer and payee are the same account.' },
  'daily-limit': { code: 'AM14', text: 'The amount exceeds what the account can pay in a day.' },
  'no-funds': { code: 'AM04', text: 'The account does not have the amount and its charges.' },
} as const satisfies Record<string, RejectReason>;

export type Rejection = Extract<PaymentProgress, { status: 'RJCT' }>;

/** One of each code. */
export const rejectReasons: readonly RejectReason[] = [
  ...new Map(Object.values(reasons).map((reason) => [reason.code, reason])).values(),
];

export type OpenStatus = Extract<PaymentProgress, { readonly lookAgainAt: number }>['status'];

/** What a test wants to become of an order, whatever its accounts are. */
export type OrderWish =
  | { readonly status: OpenStatus }
  | { readonly status: 'ACSC' }
  | { readonly status: 'CANC' }
  | { readonly status: 'RJCT'; readonly reason: RejectReason };

export type Reason = keyof typeof reasons;

export const isReason = (text: string): text is Reason => Object.hasOwn(reasons, text);

export const reject = (reason: Reason): Rejection => ({
  status: 'RJCT',
  reason: reasons[reason],
});
