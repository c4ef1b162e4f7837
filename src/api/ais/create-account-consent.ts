/** Creates an account access consent: which data, of which accounts, from when to when, until when. */
import { type Static, Type } from 'typebox';
import { permissions } from '../../consent/record.js';
import {
  checkUnattended,
  MOST_UNATTENDED,
  UNATTENDED_BY_LAW,
  unattendedReads,
} from '../../consent/unattended-reads.js';
import { operation } from '../../http/operation.js';
import { DAY } from '../../lib/clock.js';
import { dateAt } from '../../lib/day.js';
import type { Regime } from '../../model/regime.js';
import { fieldFault } from '../../problem/field.js';
import { fieldProblem } from '../../problem/problem.js';
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
import { date, NamedAccountSchema, oneOf } from '../schema.js';

export const accountConsents: ConsentPlace = {
  kind: 'AccountAccess',
  area: 'ais',
  path: '/ais/psd2/v1/consents/:consentId',
  param: 'consentId',
  name: 'Consent',
  noun: 'account access consent',
};

/** The term of a consent without a date, in both regimes. */
const DEFAULT_DAYS = 180;

export const AccountConsentDetails = Type.Object(
  {
    permissions: Type.Array(oneOf(permissions, 'A kind of data.'), {
      minItems: 1,
      uniqueItems: true,
      description:
        'Which data may be read. AccountsBasic or AccountsDetail must be among them: the list of accounts gives the ids that all other reads need.',
    }),
    accounts: Type.Optional(
      Type.Array(NamedAccountSchema, {
        minItems: 1,
        maxItems: 50,
        description: 'Absent: the account holder picks.',
      }),
    ),
    expirationDate: Type.Optional(
      date(
        `Last day of the consent, in the time zone of the bank. Absent: ${DEFAULT_DAYS} days from now. The bank shortens a date that is too far away, and the answer has the one that counts.`,
      ),
    ),
    transactionFrom: Type.Optional(
      date(
        'First day of the history that may be read, in the time zone of the bank. Absent: as far back as the bank has it.',
      ),
    ),
    transactionTo: Type.Optional(
      date('Last day of the history that may be read, in the time zone of the bank. Absent: no last day.'),
    ),
    recurring: Type.Optional(
      Type.Boolean({
        description:
          'Whether data may be read more than once. Absent: false. If not, the consent ends an hour after its first read. A recurring consent takes the place of older recurring ones of the same application and account holder that share an account with it; they end with the reason superseded.',
      }),
    ),
    frequencyPerDay: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_UNATTENDED,
        description: `Reads of one kind of data and account in 24 hours without the account holder. Absent: ${UNATTENDED_BY_LAW} if recurring, else 1. More than the bank allows your application (${UNATTENDED_BY_LAW}, unless it allows more) is 400; \`max\` says what it allows.`,
      }),
    ),
  },
  { title: 'AccountAccess', additionalProperties: false },
);

const checkWindow = ({ transactionFrom, transactionTo }: Static<typeof AccountConsentDetails>): void => {
  if (transactionFrom && transactionTo && transactionFrom > transactionTo)
    throw fieldProblem(
      'transactionTo',
      fieldFault('out-of-range', 'must not be before transactionFrom', { from: transactionFrom }),
    );
};

/** Without the list of accounts there is no resourceId, and so nothing that could be read. */
const checkPermissions = ({ permissions: wanted }: Static<typeof AccountConsentDetails>): void => {
  if (!wanted.includes('AccountsBasic') && !wanted.includes('AccountsDetail'))
    throw fieldProblem(
      'permissions',
      fieldFault(
        'required',
        'must have AccountsBasic or AccountsDetail: without the list of accounts nothing can be read',
      ),
    );
};

export const accountDrafting: Drafting<typeof AccountConsentDetails> = {
  body: AccountConsentDetails,
  async check(parts, body, bankNow, clientId) {
    checkPermissions(body);
    checkWindow(body);
    if (body.expirationDate) lastDay(parts, body.expirationDate, bankNow);
    await checkUnattended(parts, clientId, body);
  },
  async draft(parts, { psuId, clientId }, body, bankNow) {
    checkPermissions(body);
    checkWindow(body);
    await checkUnattended(parts, clientId, body);
    const { accounts, expirationDate, recurring = false } = body;
    const wanted = expirationDate ?? dateAt(bankNow + DEFAULT_DAYS * DAY, parts.timeZone);
    const last = lastDay(parts, wanted, bankNow);
    const held = await heldBy(parts.bank, psuId, accounts ?? []);
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

const bodyExample = {
  permissions: ['AccountsBasic', 'Balances'],
  recurring: true,
  frequencyPerDay: 4,
  expirationDate: '2027-05-31',
};

export const accountConsentExample = (regime: Regime): object =>
  exampleRecord(
    'AccountAccess',
    bodyExample,
    regime === 'psr' ? {} : { scaValidUntil: '2027-05-14T09:30:00.000Z' },
  );

export const createAccountConsent = (parts: CreateParts) =>
  operation({
    id: 'createConsent',
    method: 'POST',
    path: '/ais/psd2/v1/consents',
    area: 'ais',
    summary: 'Create an account access consent',
    description:
      'Registers the wish to read account data. Send the account holder to scaRedirect to decide. Once approved, a recurring consent takes the place of older recurring ones of the same application and account holder that share an account with it; they become TerminatedByTpp with the reason superseded. For other accounts both hold.',
    headers: createHeaders,
    query: [],
    params: [],
    body: creationBody(accountDrafting),
    bodyExample: { ...bodyExample, purpose: 'Συγκεντρώνουμε όλους τους λογαριασμούς σας σε μία εικόνα.' },
    success: createdAt('/ais/psd2/v1/consents', { expirationDate: '2027-05-31' }),
    problems: ['too-many-open-consents'],
    repeat: 'replayed',
    handle: (call) => createConsent(parts, call, accountDrafting),
  });
