/** Creates an account access consent: which data, of which accounts, from when to when, until when. */
import { type Static, Type } from 'typebox';
import { unattendedReads } from '../../consent/access.js';
import { permissions } from '../../consent/record.js';
import { operation } from '../../http/operation.js';
import { DAY } from '../../lib/clock.js';
import { dateAt } from '../../lib/day.js';
import { fieldProblem } from '../../problem/problem.js';
import {
  type CreateParts,
  createConsent,
  createHeaders,
  type Drafting,
  lastDay,
  resolveReference,
} from '../consents/create-consent.js';
import type { ConsentPlace } from '../consents/read-consent.js';
import { CreatedConsent } from '../consents/schema.js';
import { date, NamedAccountSchema, oneOf } from '../schema.js';

export const accountConsents: ConsentPlace = {
  kind: 'AccountAccess',
  area: 'ais',
  path: '/ais/psd2/v1/consents/:consentId',
  param: 'consentId',
  name: 'Consent',
  noun: 'account access consent',
};

export const AccountConsentDetails = Type.Object(
  {
    permissions: Type.Array(oneOf(permissions, 'A kind of data.'), {
      minItems: 1,
      uniqueItems: true,
      description: 'Which data may be read.',
    }),
    accounts: Type.Optional(
      Type.Array(NamedAccountSchema, {
        minItems: 1,
        maxItems: 50,
        description: 'Absent: the account holder picks.',
      }),
    ),
    expirationDate: Type.Optional(date('Last day of the consent.')),
    transactionFrom: Type.Optional(date('First day of the history that may be read.')),
    transactionTo: Type.Optional(date('Last day of the history that may be read.')),
    recurring: Type.Optional(Type.Boolean({ description: 'Whether data may be read more than once.' })),
    frequencyPerDay: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 4, description: 'Reads a day without the account holder.' }),
    ),
  },
  { additionalProperties: false },
);

/** Without a date the consent lasts as long as a strong authentication does. */
const DEFAULT_DAYS = 180;

const checkWindow = ({ transactionFrom, transactionTo }: Static<typeof AccountConsentDetails>): void => {
  if (transactionFrom && transactionTo && transactionFrom > transactionTo)
    throw fieldProblem('transactionTo', 'must not be before transactionFrom');
};

export const accountDrafting: Drafting<typeof AccountConsentDetails> = {
  body: AccountConsentDetails,
  check(parts, body, bankNow) {
    checkWindow(body);
    if (body.expirationDate) lastDay(parts, body.expirationDate, bankNow);
  },
  async draft(parts, { psuId }, body, bankNow) {
    checkWindow(body);
    const { accounts, expirationDate, recurring = false } = body;
    const wanted = expirationDate ?? dateAt(bankNow + DEFAULT_DAYS * DAY, parts.timeZone);
    const last = lastDay(parts, wanted, bankNow);
    const held = accounts ? await parts.bank.accountsOf(psuId) : [];
    const frequencyPerDay = unattendedReads({ ...body, recurring });
    return {
      kind: 'AccountAccess',
      path: '/ais/psd2/v1/consents',
      details: { ...body, recurring, frequencyPerDay, expirationDate: last },
      accounts: (accounts ?? []).flatMap((reference) => resolveReference(reference, held)),
      expirationDate: last,
      recurring,
    };
  },
};

export const createAccountConsent = (parts: CreateParts) =>
  operation({
    id: 'createConsent',
    method: 'POST',
    path: '/ais/psd2/v1/consents',
    area: 'ais',
    summary: 'Create an account access consent',
    description: 'Registers the wish to read account data. Send the account holder to scaRedirect to decide.',
    headers: createHeaders,
    query: [],
    params: [],
    body: AccountConsentDetails,
    bodyExample: {
      permissions: ['AccountsBasic', 'Balances'],
      recurring: true,
      frequencyPerDay: 4,
      expirationDate: '2027-05-31',
    },
    success: { status: 201, description: 'Created.', schema: CreatedConsent },
    repeat: 'replayed',
    handle: (call) => createConsent(parts, call, accountDrafting),
  });
