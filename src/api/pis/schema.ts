/** The details of a payment consent (interface: "Payment consent record"). */
import { Type } from 'typebox';
import { chargeBearers } from '../../model/sepa.js';
import { AccountReferenceSchema, AmountSchema, nullableText, oneOf } from '../schema.js';

export const PaymentDetailsSchema = Type.Object(
  {
    endToEndId: Type.Optional(nullableText('End-to-end identification.')),
    paymentService: oneOf(['transfers'], 'Payment service.'),
    paymentProduct: oneOf(['domestic', 'international'], 'Payment product.'),
    debitAccount: Type.Optional(AccountReferenceSchema),
    creditAccount: Type.Optional(AccountReferenceSchema),
    instructedAmount: Type.Optional(AmountSchema),
    chargeBearer: Type.Optional(oneOf(chargeBearers, 'Who bears the charges: shared, payer or payee.')),
    remittanceInformation: Type.Optional(nullableText('Information for the payee.')),
    creditorName: Type.Optional(nullableText('Name of the payee.')),
    expenses: Type.Optional(AmountSchema),
  },
  { additionalProperties: false, description: 'What is to be paid.' },
);
