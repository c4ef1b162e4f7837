/** Creates a funds confirmation consent: the account holder decides about it, and about its last day, on the approval page. */
import { Type } from 'typebox';
import { operation } from '../../http/operation.js';
import { normalCard } from '../../model/account-reference.js';
import {
  type CreateParts,
  createConsent,
  createHeaders,
  creationBody,
  type Drafting,
  heldBy,
  lastDay,
  resolveReference,
} from '../consents/create-consent.js';
import { createdAt, exampleRecord } from '../consents/examples.js';
import type { ConsentPlace } from '../consents/read-consent.js';
import { date, NamedAccountSchema, nullableText, shortText } from '../schema.js';

export const fundsConsents: ConsentPlace = {
  kind: 'ConfirmationOfFunds',
  area: 'piis',
  path: '/piis/psd2/v1/consents/:consentId',
  param: 'consentId',
  name: 'FundsConsent',
  noun: 'funds confirmation consent',
};

const members = {
  account: NamedAccountSchema,
  cardNumber: Type.Optional(
    nullableText('Card number of the card issued by the caller.', { format: 'card-number' }),
  ),
  cardExpiryDate: Type.Optional(date('Last day of the card.')),
  cardInformation: Type.Optional(shortText(140, 'What the card is, for the account holder.')),
  registrationInformation: Type.Optional(shortText(140, 'How the caller registered the card.')),
  expirationDate: Type.Optional(
    date(
      'Proposed last day, in the time zone of the bank; the account holder may change it. Absent: open-ended.',
    ),
  ),
};

const FundsConsentRequest = Type.Object(members, { additionalProperties: false });

/** As it is read back: the card number masked but for its last four digits. */
export const FundsConsentDetails = Type.Object(
  { ...members, cardNumber: Type.Optional(nullableText('Masked card number.')) },
  { additionalProperties: false },
);

export const fundsDrafting: Drafting<typeof FundsConsentRequest> = {
  body: FundsConsentRequest,
  check(parts, { expirationDate }, bankNow) {
    if (expirationDate) lastDay(parts, expirationDate, bankNow);
  },
  async draft(parts, { psuId }, body, bankNow) {
    const { cardNumber, account, expirationDate, ...rest } = body;
    const card = cardNumber ? normalCard(cardNumber) : undefined;
    const last = expirationDate ? lastDay(parts, expirationDate, bankNow) : null;
    const masked = card && `${'*'.repeat(card.length - 4)}${card.slice(-4)}`;
    return {
      kind: 'ConfirmationOfFunds',
      path: '/piis/psd2/v1/consents',
      details: {
        account,
        ...(masked ? { cardNumber: masked } : {}),
        ...rest,
        ...(last ? { expirationDate: last } : {}),
      },
      accounts: resolveReference(account, await heldBy(parts.bank, psuId, [account])),
      expirationDate: last,
      ...(card ? { card: { hash: parts.vault.mark('card-number', card), lastFour: card.slice(-4) } } : {}),
    };
  },
};

const bodyExample = {
  account: { iban: 'GR0599900010000000000000101' },
  cardInformation: 'Kyma Card',
  expirationDate: '2027-12-31',
};

export const fundsConsentExample = exampleRecord('ConfirmationOfFunds', bodyExample);

export const createFundsConsent = (parts: CreateParts) =>
  operation({
    id: 'createFundsConsent',
    method: 'POST',
    path: '/piis/psd2/v1/consents',
    area: 'piis',
    summary: 'Create a funds confirmation consent',
    description:
      'Registers the wish to ask for funds on an account. Send the account holder to scaRedirect to decide.',
    headers: createHeaders,
    query: [],
    params: [],
    body: creationBody(fundsDrafting),
    bodyExample: { ...bodyExample, purpose: 'Ελέγχουμε το ποσό πριν από κάθε πληρωμή με την κάρτα.' },
    success: createdAt('/piis/psd2/v1/consents', { expirationDate: '2027-12-31' }),
    problems: ['too-many-open-consents'],
    repeat: 'replayed',
    handle: (call) => createConsent(parts, call, fundsDrafting),
  });
