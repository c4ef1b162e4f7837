/** The instruction that waits with an order until a remote core has it. */
import { type TProperties, Type } from 'typebox';
import type { PaymentInstruction } from '../../bank/payments.js';
import { jsonColumn } from '../../store/json-column.js';

const text = Type.String();
const orNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const object = <P extends TProperties>(members: P) => Type.Object(members);
const charge = object({ currency: text, amountMinor: Type.Integer() });

export const instructionColumn = jsonColumn<PaymentInstruction>(
  'the instruction of a payment order',
  object({
    id: text,
    product: Type.Enum(['domestic', 'international']),
    bearer: Type.Enum(['sha', 'our', 'ben']),
    payer: object({ id: text, currency: text }),
    creditAccount: object({}),
    creditorName: text,
    currency: text,
    amountMinor: Type.Integer(),
    charge,
    quote: orNull(object({ payCurrency: text, payMinor: Type.Integer() })),
    endToEndId: orNull(text),
    remittance: orNull(text),
    at: Type.Integer(),
  }),
);
