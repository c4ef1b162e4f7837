/** The JSON columns of a consent. */
import { type PaymentNotes, payeeCheckResults } from '../model/payment-terms.js';
import type { Quote } from '../model/quote.js';
import {
  flag,
  jsonColumn,
  listOf,
  members,
  oneOf,
  optional,
  orNull,
  type Shape,
  text,
  whole,
} from '../store/json-column.js';
import { type Permission, permissions } from './record.js';

/** The kind's own members, as they go to the wire. */
export const detailsColumn = jsonColumn<Readonly<Record<string, unknown>>>(
  'the details of a consent',
  members({}),
);

export interface AccessDetails {
  readonly permissions: readonly Permission[];
  readonly transactionFrom?: string | null;
  readonly transactionTo?: string | null;
  readonly recurring?: boolean;
  readonly frequencyPerDay?: number;
}

const day = optional(orNull(text));
export const accessDetailsColumn = jsonColumn<AccessDetails>(
  'the details of an account access',
  members({
    permissions: listOf(oneOf(permissions)),
    transactionFrom: day,
    transactionTo: day,
    recurring: optional(flag),
    frequencyPerDay: optional(whole),
  }),
);

export const quoteColumn = jsonColumn<Quote>(
  'the quote of a payment',
  members({
    currency: text,
    amountMinor: whole,
    payCurrency: text,
    payMinor: whole,
    rateMicros: whole,
    chargeMinor: whole,
  }),
);

const given = (shape: Shape): Shape => optional(orNull(shape));
export const notesColumn = jsonColumn<PaymentNotes>(
  'what the bank said about a payment',
  members({
    payeeCheck: given(members({ result: oneOf(payeeCheckResults), name: given(text) })),
    executionDate: given(text),
    cutOff: given(whole),
    instant: given(flag),
    signatures: given(listOf(text)),
  }),
);
