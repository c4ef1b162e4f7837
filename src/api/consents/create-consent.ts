/** Creating a consent: what the three areas share, from the redirect addresses to the answer. */
import { type Static, type TSchema, Type } from 'typebox';
import type { Bank, BankAccount } from '../../bank/bank.js';
import type { Requester } from '../../bank/consent-note.js';
import { accountsFor } from '../../bank/guard/held-accounts.js';
import { type NewConsent, receiveConsent } from '../../consent/consents.js';
import { type ConsentAccount, type ConsentKind, consentAccount } from '../../consent/record.js';
import type { UnattendedParts } from '../../consent/unattended-reads.js';
import { once, type ReplayParts, replayOf } from '../../gate/request-ids.js';
import type { Call, Field, Reply } from '../../http/operation.js';
import { type BankTime, DAY } from '../../lib/clock.js';
import { dateAt, endOfDay } from '../../lib/day.js';
import { newId } from '../../lib/id.js';
import { redirectFault } from '../../lib/net/redirect.js';
import type { Reach } from '../../lib/net/strangers.js';
import type { Completion, Eventual } from '../../lib/turn.js';
import type { Vault } from '../../lib/vault.js';
import {
  type AccountReference,
  namesAccount,
  normalBban,
  normalIban,
  normalMsisdn,
} from '../../model/account-reference.js';
import type { Caller } from '../../model/caller.js';
import type { ClientId, PsuId } from '../../model/ids.js';
import type { Quote } from '../../model/quote.js';
import { type FieldFault, fieldFault } from '../../problem/field.js';
import { fieldProblem, Problem } from '../../problem/problem.js';
import { type Language, preferredLanguage } from '../../web/language.js';
import { notificationHeader, notificationOf } from '../events/notification.js';
import { credentialHeaders, psuHeaders, requesterOf, requestId, signatureHeaders } from '../headers.js';
import type { ConsentReadParts } from '../parts.js';
import { nullableText } from '../schema.js';

/** What turns a body into a draft. */
export interface DraftParts extends UnattendedParts {
  readonly bank: Bank;
  readonly vault: Vault;
  readonly timeZone: string;
  readonly maxConsentDays: number;
  /** A sandbox may live on an http address of a local network. */
  readonly isTest: boolean;
  readonly reach: Pick<Reach, 'allowsLoopback'>;
  /** Who sends the request, for the bank. */
  readonly requester?: Requester | undefined;
  /** In which the caller reads the bank's sentences, if it said so. */
  readonly language?: Language | undefined;
}

export interface CreateParts extends DraftParts, ConsentReadParts, ReplayParts {
  readonly db: ReplayParts['db'];
  readonly site: { readonly baseUrl: string };
}

const MAX_STATE = 256;
const uri = { type: 'string', format: 'uri' };

export const createHeaders: readonly Field[] = [
  requestId,
  {
    name: 'TPP-Redirect-URI',
    schema: uri,
    description:
      'Where the account holder is sent back to; one of the registered addresses, exactly. The first registered one, if absent. `consentId`, `state` (if TPP-State was sent) and `result` are added: `approved`, `refused`, `failed` or `expired`. A browser carries them, so confirm the outcome by reading the status.',
    hasEffect: true,
  },
  {
    name: 'TPP-Nok-Redirect-URI',
    schema: uri,
    description: 'The same for a refusal; TPP-Redirect-URI, if absent.',
    hasEffect: true,
  },
  {
    name: 'TPP-State',
    schema: { type: 'string', maxLength: MAX_STATE },
    description: 'Returned as `state` with the account holder.',
    fault: (value) =>
      value.length <= MAX_STATE
        ? undefined
        : fieldFault('too-long', `must have at most ${MAX_STATE} characters`, { max: MAX_STATE }),
    hasEffect: true,
  },
  notificationHeader,
  ...signatureHeaders,
  ...psuHeaders,
  ...credentialHeaders,
];

/** The addresses of the third party that the call names, all faults together. */
export const addressesOf = (
  call: Call,
  { isTest, reach }: Pick<DraftParts, 'isTest' | 'reach'>,
): Required<Pick<NewConsent, 'redirectUri' | 'nokRedirectUri' | 'notificationUri'>> => {
  const registered = call.access?.redirectUris ?? [];
  const errors: Record<string, FieldFault[]> = {};
  const check = (name: string): string | null => {
    const value = call.headers[name.toLowerCase()];
    if (value === undefined || value === '') return null;
    // The exact text: anything cleverer is how open redirects are made.
    const unusable = redirectFault(value, isTest);
    if (!registered.includes(value))
      errors[`header.${name}`] = [
        fieldFault('not-registered', 'must be one of the registered addresses of the application'),
      ];
    else if (unusable !== undefined)
      errors[`header.${name}`] = [fieldFault('format', unusable, { format: 'uri' })];
    return value;
  };
  const usable = registered.find((each) => redirectFault(each, isTest) === undefined);
  const redirectUri = check('TPP-Redirect-URI') ?? usable ?? null;
  const nokRedirectUri = check('TPP-Nok-Redirect-URI');
  const notificationUri = notificationOf(call, reach, errors);
  if (Object.keys(errors).length > 0) throw new Problem('invalid-header', { errors });
  return { redirectUri, nokRedirectUri, notificationUri };
};

const bareReference = ({ iban, bban, msisdn, currency = null }: AccountReference): ConsentAccount => ({
  accountId: null,
  iban: iban ? normalIban(iban) : null,
  bban: bban ? normalBban(bban) : null,
  msisdn: msisdn ? normalMsisdn(msisdn) : null,
  currency,
});

/** The accounts of the person, those that the references name among them. */
export const heldBy = (
  bank: Pick<Bank, 'accountsOf'>,
  psuId: PsuId,
  references: readonly AccountReference[],
): Eventual<readonly BankAccount[]> =>
  references.length === 0
    ? []
    : accountsFor(
        bank,
        psuId,
        references.map((each) => ({ ...bareReference(each), currency: null })),
      );

/** The sub-accounts a reference names among those the person holds; else the bare reference, so that nothing can be probed. */
export const resolveReference = (
  reference: AccountReference,
  held: readonly BankAccount[],
): ConsentAccount[] => {
  const found = held.filter((account) => namesAccount(reference, account)).map(consentAccount);
  if (found.length > 0) return found;
  return [bareReference(reference)];
};

/** A last day in the bank's zone, shortened to the longest the bank allows. Throws if it is in the past. */
export const lastDay = (parts: DraftParts, wanted: string, bankNow: BankTime): string => {
  if (endOfDay(wanted, parts.timeZone) <= bankNow) {
    throw fieldProblem(
      'expirationDate',
      fieldFault('out-of-range', 'must not be in the past', { from: dateAt(bankNow, parts.timeZone) }),
    );
  }
  const longest = dateAt(bankNow + parts.maxConsentDays * DAY, parts.timeZone);
  return wanted > longest ? longest : wanted;
};

export interface Draft {
  readonly kind: ConsentKind;
  /** Below which the new consent is read. */
  readonly path: string;
  readonly details: object;
  readonly accounts: readonly ConsentAccount[];
  readonly expirationDate: string | null;
  readonly recurring?: boolean;
  /** What a payment costs in another currency. */
  readonly quote?: Quote | null;
  readonly card?: { readonly hash: string; readonly lastFour: string };
}

/** From a body to a draft: one source for the operation and for the authorization request. */
export interface Drafting<Body extends TSchema = TSchema> {
  readonly body: Body;
  /** Rules that a schema cannot say, before anybody has logged in. Throws `validation-failed`, and so does the draft. */
  check?(parts: DraftParts, body: Static<Body>, bankNow: BankTime, clientId: ClientId): Completion;
  draft(parts: DraftParts, caller: Caller, body: Static<Body>, bankNow: BankTime): Promise<Draft>;
}

interface Purposed {
  readonly purpose?: string | null;
}

const PurposeSchema = nullableText(
  'Why you ask, in your own words and in the language of the account holder. Shown to them as a quotation when they decide, and beside the permission. Not part of the record of the consent.',
  { maxLength: 140, format: 'plain-text' },
);

/** The body of a creation: what the draft is made of, and why the third party asks. */
export const creationBody = <Body extends TSchema>({ body }: Drafting<Body>) => {
  const { title: _title, properties, ...rest } = body as TSchema & { title?: string; properties?: object };
  return Type.Unsafe<Static<Body> & Purposed>({
    ...rest,
    properties: { ...properties, purpose: PurposeSchema },
  });
};

/** The purpose is kept beside the consent, because the record of the contract has no such member. */
export const withoutPurpose = ({ purpose = null, ...body }: Purposed) => ({ purpose, body });

/** The draft as a Received consent of the caller. */
export const receivedConsent = (
  { kind, details, accounts, expirationDate, recurring = false, card, quote = null }: Draft,
  caller: Caller,
  { timeZone }: Pick<DraftParts, 'timeZone'>,
  bankNow: BankTime,
): Omit<NewConsent, 'history'> & { readonly status: 'Received' } => ({
  id: newId(),
  kind,
  ...caller,
  status: 'Received',
  createdAt: bankNow,
  expiresAt: expirationDate === null ? null : endOfDay(expirationDate, timeZone),
  details,
  accounts,
  isRecurring: recurring,
  quote,
  ...(card ? { cardHash: card.hash, cardLastFour: card.lastFour } : {}),
});

/** Stores the draft as a Received consent and answers where to go next. */
export const createConsent = async <Body extends TSchema>(
  parts: CreateParts,
  call: Call<Static<Body> & Purposed>,
  drafting: Drafting<Body>,
): Promise<Reply> => {
  const addresses = addressesOf(call, parts);
  const earlier = await replayOf(parts, call);
  if (earlier) return earlier;
  const bankNow = await parts.bankTime();
  const language = preferredLanguage(call.headers['accept-language']);
  const { purpose, body } = withoutPurpose(call.body as Purposed);
  const draft = await drafting.draft(
    { ...parts, language, requester: requesterOf(call) },
    call.caller,
    body as Static<Body>,
    bankNow,
  );
  const consent = receivedConsent(draft, call.caller, parts, bankNow);
  const { id } = consent;
  return once(parts, call, async (tx) => {
    await receiveConsent(parts.db.engine, tx, {
      ...consent,
      ...addresses,
      purpose,
      tppState: call.headers['tpp-state'] || null,
      history: [
        { from: null, to: 'Received', by: 'tpp', reason: 'created', at: bankNow, requestId: call.requestId },
      ],
    });
    const { baseUrl } = parts.site;
    const self = `${baseUrl}${draft.path}/${id}`;
    const _links = {
      self: { href: self },
      status: { href: `${self}/status` },
      scaRedirect: { href: `${baseUrl}/authorise/${id}` },
    };
    const dated = draft.expirationDate === null ? {} : { expirationDate: draft.expirationDate };
    const headers = { Location: self, 'ASPSP-SCA-Approach': 'REDIRECT' };
    return { status: 201, headers, body: { consentId: id, consentStatus: 'Received', ...dated, _links } };
  });
};
