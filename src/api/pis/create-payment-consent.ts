/** Stages a payment: a transfer inside the country or abroad, at the bank's charges, for the account holder to approve. */
import { type Static, Type } from 'typebox';
import type { Bank } from '../../bank/bank.js';
import { operation } from '../../http/operation.js';
import { isSameAccount } from '../../model/account-reference.js';
import { fromMinor, toMinor } from '../../model/amount.js';
import { type FieldErrors, Problem } from '../../problem.js';
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

/** The largest amount of a SEPA credit transfer. */
const LARGEST = 999_999_999.99;

/** Faults by the names of the request's members; the account holder is asked only about what can be carried out. */
const faultsOf = (
  { payments }: Pick<Bank, 'payments'>,
  product: Product,
  body: Static<typeof TransferRequest>,
): FieldErrors => {
  const { debitAccount, creditAccount, chargeBearer: bearer = 'sha', instructedAmount } = body;
  const { currency, amount } = instructedAmount;
  if (amount > LARGEST) return { 'instructedAmount.amount': ['must be at most 999999999.99'] };
  const amountMinor = Number(toMinor(amount, currency));
  const transfer = { product, bearer, creditAccount, currency, amountMinor };
  const isSame = debitAccount !== undefined && isSameAccount(debitAccount, creditAccount, currency);
  return {
    ...payments?.faultsOf(transfer),
    ...(isSame ? { creditAccount: ['must be another account than debitAccount'] } : {}),
  };
};

export const paymentDrafting = (product: Product): Drafting<typeof TransferRequest> => ({
  body: TransferRequest,
  check({ bank }, body) {
    const errors = faultsOf(bank, product, body);
    if (Object.keys(errors).length > 0) throw new Problem('validation-failed', { errors });
  },
  async draft(parts, { psuId }, body) {
    const { debitAccount, creditAccount, instructedAmount, chargeBearer: bearer = 'sha' } = body;
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
    const amountMinor = Number(toMinor(instructedAmount.amount, instructedAmount.currency));
    const transfer = { product, bearer, creditAccount, currency: instructedAmount.currency, amountMinor };
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
      quote: (await parts.bank.payments?.quote(transfer, charge)) ?? null,
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
