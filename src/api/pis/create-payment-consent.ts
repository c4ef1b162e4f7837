/** Stages a payment: a transfer inside the country or abroad, at the bank's charges, for the account holder to approve. */
import { type Static, type TSchema, Type } from 'typebox';
import type { TransferQuestion, TransferTerms } from '../../bank/payments.js';
import { expensesOf } from '../../consent/asked.js';
import { operation } from '../../http/operation.js';
import { isSameAccount } from '../../model/account-reference.js';
import { decimalText, fromMinor, toMinor } from '../../model/amount.js';
import { bearersOf, chargeBearers } from '../../model/sepa.js';
import { type FieldErrors, fieldFault } from '../../problem/field.js';
import { Problem } from '../../problem/problem.js';
import {
  type CreateParts,
  createConsent,
  createHeaders,
  creationBody,
  type Drafting,
  type DraftParts,
  heldBy,
  resolveReference,
} from '../consents/create-consent.js';
import { createdAt } from '../consents/examples.js';
import type { ConsentPlace } from '../consents/read-consent.js';
import { ExactAmountSchema, NamedAccountSchema, nullableText, oneOf, shortText } from '../schema.js';

export const paymentConsents: ConsentPlace = {
  kind: 'PaymentInitiation',
  area: 'pis',
  path: '/pis/psd2/v1/:paymentConsentId',
  param: 'paymentConsentId',
  name: 'PaymentConsent',
  noun: 'payment consent',
};

const transferMembers = {
  endToEndId: Type.Optional(shortText(35, 'End-to-end identification.')),
  debitAccount: Type.Optional(
    Type.Unsafe<Static<typeof NamedAccountSchema>>({
      ...NamedAccountSchema,
      description: 'The account that pays. Absent: the account holder picks one.',
    }),
  ),
  creditAccount: NamedAccountSchema,
  creditorName: Type.String({ minLength: 1, maxLength: 70, description: 'Name of the payee.' }),
  instructedAmount: ExactAmountSchema,
  chargeBearer: Type.Optional(
    oneOf(
      chargeBearers,
      'Who bears the charges: shared, payer or payee. Absent: sha. In euro, between two accounts in the SEPA area: `sha` only, anything else is 400 (PSD2 Art. 62(2)).',
    ),
  ),
  remittanceInformation: Type.Optional(shortText(140, 'Information for the payee.')),
};

const CreditorAgentSchema = Type.Object(
  {
    bic: Type.Optional(nullableText('BIC of the bank.', { format: 'bic' })),
    name: Type.Optional(nullableText('Name of the bank.', { maxLength: 140 })),
    country: Type.String({ format: 'country', description: 'ISO 3166 alpha-2 country code of the bank.' }),
  },
  {
    additionalProperties: false,
    rule: 'creditor-agent',
    description: 'The bank of the payee, by `bic` or `name`. Required if `creditAccount` has no `iban`.',
  },
);

const strict = { additionalProperties: false } as const;
const InternationalRequest = Type.Object(
  { ...transferMembers, creditorAgent: Type.Optional(CreditorAgentSchema) },
  { ...strict, rule: 'international-payee' },
);
type TransferRequest = Static<typeof InternationalRequest>;

export const paymentProducts = ['domestic', 'international'] as const;
type Product = (typeof paymentProducts)[number];

const bodies = {
  domestic: Type.Unsafe<TransferRequest>(Type.Object(transferMembers, strict)),
  international: Type.Unsafe<TransferRequest>(InternationalRequest),
} satisfies Record<Product, TSchema>;

/** The largest amount of a SEPA credit transfer. */
const LARGEST = 999_999_999.99;

const refuse = (errors: FieldErrors): void => {
  if (Object.keys(errors).length > 0) throw new Problem('validation-failed', { errors });
};

/** What the bank would not carry out, in its own words. */
const refusedBy = ({ faults }: TransferTerms): FieldErrors =>
  Object.fromEntries(
    Object.entries(faults).map(([member, messages]) => [
      member,
      messages.map((message) => fieldFault('refused', message)),
    ]),
  );

/** More than anybody can pay now. */
const aboveLimit = (
  { limitMinor }: TransferTerms,
  { currency, amountMinor }: TransferQuestion,
): FieldErrors => {
  if (limitMinor == null || amountMinor <= limitMinor) return {};
  const sentence = `must be at most ${decimalText(limitMinor, currency)}`;
  const max = fromMinor(limitMinor, currency);
  return { 'instructedAmount.amount': [fieldFault('too-large', sentence, { max })] };
};

/** A member of the interface's own, so that a core need not know the rule. */
const wrongBearer = (question: TransferQuestion): FieldErrors => {
  const allowed = bearersOf(question);
  if (allowed.includes(question.bearer)) return {};
  const message = `must be ${allowed.join(' or ')}: in euro, between two accounts in the SEPA area, each side bears the charges of its own bank (PSD2 Art. 62(2))`;
  return { chargeBearer: [fieldFault('not-allowed', message, { allowed })] };
};

const isDebitAccount = fieldFault('conflict', 'must be another account than debitAccount', {
  with: 'debitAccount',
});

const questionOf = (product: Product, body: TransferRequest): TransferQuestion => {
  const { creditAccount, creditorName, creditorAgent, chargeBearer: bearer = 'sha', instructedAmount } = body;
  const { currency, amount } = instructedAmount;
  if (amount > LARGEST)
    refuse({
      'instructedAmount.amount': [fieldFault('too-large', 'must be at most 999999999.99', { max: LARGEST })],
    });
  const amountMinor = Number(toMinor(amount, currency));
  return { product, bearer, creditAccount, creditorName, creditorAgent, currency, amountMinor };
};

/** The bank's terms. The account holder is asked only about what can be carried out; all faults are reported at once. */
const termsOf = async (
  { bank, language, requester }: Pick<DraftParts, 'bank' | 'language' | 'requester'>,
  product: Product,
  body: TransferRequest,
): Promise<TransferTerms> => {
  const { debitAccount, creditAccount, instructedAmount } = body;
  const isSame =
    debitAccount !== undefined && isSameAccount(debitAccount, creditAccount, instructedAmount.currency);
  const question = { ...questionOf(product, body), language, requester };
  const terms = await bank.termsFor(question);
  refuse({
    ...aboveLimit(terms, question),
    ...refusedBy(terms),
    ...wrongBearer(question),
    ...(isSame ? { creditAccount: [isDebitAccount] } : {}),
  });
  return terms;
};

export const paymentDrafting = (product: Product): Drafting<(typeof bodies)[Product]> => ({
  body: bodies[product],
  async check(parts, body) {
    await termsOf(parts, product, body);
  },
  async draft(parts, { psuId }, body) {
    const { debitAccount, chargeBearer = 'sha' } = body;
    const [{ charge, quote }, held] = await Promise.all([
      termsOf(parts, product, body),
      heldBy(parts.bank, psuId, debitAccount ? [debitAccount] : []),
    ]);
    return {
      kind: 'PaymentInitiation',
      path: '/pis/psd2/v1',
      details: {
        ...body,
        paymentService: 'transfers',
        paymentProduct: product,
        chargeBearer,
        ...expensesOf(charge),
      },
      accounts: debitAccount ? resolveReference(debitAccount, held) : [],
      expirationDate: null,
      quote,
    };
  },
});

const usedFor: Readonly<Record<Product, string>> = {
  domestic:
    'Stages a transfer in euro to an account in the SEPA area, whichever country that is in. Another currency, or an account outside the area, needs `POST /pis/psd2/v1/transfers/international`: staged here it is 400, and `errors` says so.',
  international:
    'Stages a transfer in another currency than euro, to an account outside the SEPA area, or to one without IBAN. Euro to an IBAN in the area is `POST /pis/psd2/v1/transfers/domestic`, at the charges of a transfer at home: staged here it is 400, and `errors` says so.',
};

export const createPaymentConsent = (parts: CreateParts, product: Product) =>
  operation({
    id: product === 'domestic' ? 'createDomesticTransfer' : 'createInternationalTransfer',
    method: 'POST',
    path: `/pis/psd2/v1/transfers/${product}`,
    area: 'pis',
    summary: `Stage ${product === 'domestic' ? 'a domestic' : 'an international'} transfer`,
    description: `${usedFor[product]} Send the account holder to scaRedirect to decide about it.`,
    headers: createHeaders,
    query: [],
    params: [],
    body: creationBody(paymentDrafting(product)),
    bodyExample: {
      creditAccount: {
        iban: product === 'domestic' ? 'GR6899900010000000000001101' : 'GB29NWBK60161331926819',
      },
      creditorName: 'Βασίλης Αλεξίου',
      instructedAmount: { currency: product === 'domestic' ? 'EUR' : 'USD', amount: 120.5 },
      remittanceInformation: 'Τιμολόγιο 2041',
      purpose: 'Πληρωμή του τιμολογίου 2041',
    },
    success: createdAt('/pis/psd2/v1'),
    problems: ['too-many-open-consents'],
    repeat: 'replayed',
    handle: (call) => createConsent(parts, call, paymentDrafting(product)),
  });
