/** The JSON columns of a consent. */
import type { Quote } from '../model/quote.js';
import {
  flag,
  jsonColumn,
  listOf,
  members,
  oneOf,
  optional,
  orNull,
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
