/** Stages a payment: a transfer inside the country or abroad, at the bank's charges, for the account holder to approve. */
import { Type } from 'typebox';
import { operation } from '../../http/operation.js';
import { fromMinor } from '../../model/amount.js';
import {
  type CreateParts,
  createConsent,
  createHeaders,
  type Drafting,
  resolveReference,
} from '../consents/create-consent.js';
import type { ConsentPlace } from '../consents/read-consent.js';
import { CreatedConsent } from '../consents/schema.js';
import { ExactAmountSchema, NamedAccountSchema, oneOf, shortText } from '../schema.js';

export const paymentConsents: ConsentPlace = {
  kind: 'PaymentInitiation',
  area: 'pis',
  path: '/pis/psd2/v1/:paymentConsentId',
  param: 'paymentConsentId',
  name: 'PaymentConsent',
  words: 'payment consent',
};

const TransferRequest = Type.Object(
  {
    endToEndId: Type.Optional(shortText(35, 'End-to-end identification.')),
    debitAccount: Type.Optional(NamedAccountSchema),
    creditAccount: NamedAccountSchema,
    creditorName: Type.String({ minLength: 1, maxLength: 70, description: 'Name of the payee.' }),
    instructedAmount: ExactAmountSchema,
    chargeBearer: Type.Optional(
      oneOf(['sha', 'our', 'ben'], 'Who bears the charges: shared, payer or payee; `sha`, if absent.'),
    ),
    remittanceInformation: Type.Optional(shortText(140, 'Information for the payee.')),
  },
  { additionalProperties: false },
);

export const paymentProducts = ['domestic', 'international'] as const;
type Product = (typeof paymentProducts)[number];

export const paymentDrafting = (product: Product): Drafting<typeof TransferRequest> => ({
  body: TransferRequest,
  async draft(parts, { psuId }, body) {
    const { debitAccount, chargeBearer: bearer = 'sha' } = body;
    const [charge, held] = await Promise.all([
      parts.bank.chargeFor({ product, bearer }),
      debitAccount ? parts.bank.accountsOf(psuId) : [],
    ]);
    const { currency } = charge;
    // An amount of the interface is greater than 0: no charge is no member.
    const expenses =
      charge.amountMinor > 0
        ? { expenses: { currency, amount: fromMinor(charge.amountMinor, currency) } }
        : {};
    return {
      kind: 'PaymentInitiation',
      path: '/pis/psd2/v1',
      details: {
        ...body,
        paymentService: 'transfers',
        paymentProduct: product,
        chargeBearer: bearer,
        ...expenses,
      },
      accounts: debitAccount ? resolveReference(debitAccount, held) : [],
      expirationDate: null,
    };
  },
});

export const createPaymentConsent = (parts: CreateParts, product: Product) =>
  operation({
    id: product === 'domestic' ? 'createDomesticTransfer' : 'createInternationalTransfer',
    method: 'POST',
    path: `/pis/psd2/v1/transfers/${product}`,
    area: 'pis',
    summary: `Stage ${product === 'domestic' ? 'a domestic' : 'an international'} transfer`,
    description: 'Stages a payment. Send the account holder to scaRedirect to decide about it.',
    headers: createHeaders,
    query: [],
    params: [],
    body: TransferRequest,
    bodyExample: {
      creditAccount: {
        iban: product === 'domestic' ? 'GR6899900010000000000001101' : 'DE89370400440532013000',
      },
      creditorName: 'Βασίλης Αλεξίου',
      instructedAmount: { currency: 'EUR', amount: 120.5 },
      remittanceInformation: 'Τιμολόγιο 2041',
    },
    success: { status: 201, description: 'Created.', schema: CreatedConsent },
    repeat: 'replayed',
    handle: (call) => createConsent(parts, call, paymentDrafting(product)),
  });
