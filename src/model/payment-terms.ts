/** What the bank says about a payment to its payer: what it costs, whether the payee is who was named, when it is carried out. */
import type { Quote } from './quote.js';

/** What a payment costs the payer; with a quote in the currency of its `pay`, else in that of the payment. */
export interface Price {
  readonly charge: { readonly currency: string; readonly amountMinor: number };
  readonly quote: Quote | null;
}

export const payeeCheckResults = ['match', 'close', 'no-match', 'unavailable'] as const;

/** Whether the account of the payee has the name that the payer was given (Regulation (EU) 2024/886). */
export interface PayeeCheck {
  readonly result: (typeof payeeCheckResults)[number];
  /** The name of the account, for a close match alone. */
  readonly name?: string | null | undefined;
}

/** Everything beside the price. */
export interface PaymentNotes {
  readonly payeeCheck?: PayeeCheck | null | undefined;
  /** The day on which the payment is carried out. */
  readonly executionDate?: string | null | undefined;
  /** In bank time: submitted later, it is carried out later. */
  readonly cutOff?: number | null | undefined;
  /** The payee has it within seconds. */
  readonly instant?: boolean | null | undefined;
  /** Accounts from which others must sign too, each with the number of signatures. */
  readonly signatures?: readonly string[] | undefined;
}

export interface ShownTerms extends Price, PaymentNotes {
  /** The price in further currencies: an account in one of them pays this instead. */
  readonly otherPrices?: readonly Price[] | null | undefined;
}
