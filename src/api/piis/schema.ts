/** Bodies of the funds confirmation (interface: "Funds confirmation request" and "response"). */
import { Type } from 'typebox';
import { AccountReferenceSchema, AmountSchema, nullableText } from '../schema.js';

export const FundsConfirmationRequest = Type.Object(
  {
    cardNumber: Type.Optional(
      nullableText('Card number of the card issued by the caller.', { format: 'card-number' }),
    ),
    account: AccountReferenceSchema,
    payee: Type.Optional(
      nullableText('Merchant name shown to the account holder.', { minLength: 1, maxLength: 70 }),
    ),
    instructedAmount: AmountSchema,
  },
  {
    additionalProperties: false,
    rule: 'named-account',
    description: 'The amount to be checked, and the account to check it on.',
  },
);

export const FundsConfirmationResponse = Type.Object(
  {
    fundsAvailable: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description: 'True if sufficient funds are available at the time of the request.',
    }),
  },
  { additionalProperties: false },
);
