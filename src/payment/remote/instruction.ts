/** The instruction that waits with an order until a remote core has it. */
import type { PaymentInstruction } from '../../bank/payments.js';
import { jsonColumn, members, oneOf, orNull, text, whole } from '../../store/json-column.js';

export const instructionColumn = jsonColumn<PaymentInstruction>(
  'the instruction of a payment order',
  members({
    id: text,
    product: oneOf(['domestic', 'international']),
    bearer: oneOf(['sha', 'our', 'ben']),
    payer: members({ id: text, currency: text }),
    creditAccount: members({}),
    creditorName: text,
    currency: text,
    amountMinor: whole,
    charge: members({ currency: text, amountMinor: whole }),
    quote: orNull(members({ payCurrency: text, payMinor: whole })),
    endToEndId: orNull(text),
    remittance: orNull(text),
    at: whole,
  }),
);
