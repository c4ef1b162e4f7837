/** The JSON columns of a consent. */
import { Type } from 'typebox';
import type { Quote } from '../model/quote.js';
import { jsonColumn } from '../store/json-column.js';
import { permissions } from './record.js';

/** The kind's own members, as they go to the wire. */
export const detailsColumn = jsonColumn<Readonly<Record<string, unknown>>>(
  'the details of a consent',
  Type.Record(Type.String(), Type.Unknown()),
);

const day = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const AccessDetailsSchema = Type.Object({
  permissions: Type.Array(Type.Enum([...permissions])),
  transactionFrom: day,
  transactionTo: day,
  recurring: Type.Optional(Type.Boolean()),
  frequencyPerDay: Type.Optional(Type.Integer()),
});
export type AccessDetails = Type.Static<typeof AccessDetailsSchema>;
export const accessDetailsColumn = jsonColumn<AccessDetails>(
  'the details of an account access',
  AccessDetailsSchema,
);

export const quoteColumn = jsonColumn<Quote>(
  'the quote of a payment',
  Type.Object({
    currency: Type.String(),
    amountMinor: Type.Integer(),
    payCurrency: Type.String(),
    payMinor: Type.Integer(),
    rateMicros: Type.Integer(),
    chargeMinor: Type.Integer(),
  }),
);
