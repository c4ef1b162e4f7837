/**
 * What every read of account data has in common: the consent that the Consent-ID names, its state, the permission, the account;
 * at the end the record, before the answer. What lies between is the operation's own.
 */

import type { TSchema } from 'typebox';
import { type BankAccount, type HeldBank, NoSuchAccount } from '../../../bank/bank.js';
import type { Requester } from '../../../bank/consent-note.js';
import { accountsFor } from '../../../bank/guard/held-accounts.js';
import {
  type AccessAccount,
  type AccountAccess,
  checkFresh,
  checkPermission,
  checkUsable,
  findAccess,
  isOneOff,
} from '../../../consent/access.js';
import type { DataAccess, DataAccesses } from '../../../consent/data-accesses.js';
import type { Permission } from '../../../consent/record.js';
import { unattendedReads } from '../../../consent/unattended-reads.js';
import type { AccessKind } from '../../../consent/uses.js';
import type { Call, Field, Operation, Reply } from '../../../http/operation.js';
import type { BankTime } from '../../../lib/clock.js';
import { dateAt } from '../../../lib/day.js';
import type { Vault } from '../../../lib/vault.js';
import { Problem, type ProblemSlug } from '../../../problem/problem.js';
import { preferredLanguage } from '../../../web/language.js';
import {
  credentialHeaders,
  psuHeaders,
  requesterOf,
  requestId,
  signatureHeaders,
  uuidFault,
} from '../../headers.js';
import type { ConsentReadParts } from '../../parts.js';
import { openFrom } from './read-period.js';

export interface DataParts extends ConsentReadParts {
  readonly bank: HeldBank;
  readonly vault: Vault;
  readonly accesses: DataAccesses;
  readonly site: { readonly baseUrl: string };
  readonly timeZone: string;
  readonly onRead: (access: DataAccess, psuAddress: string | undefined) => void;
}

export const ACCOUNTS_PATH = '/ais/psd2/v1/accounts';
export const ACCOUNT_PATH = `${ACCOUNTS_PATH}/:accountId`;

const consentId: Field = {
  name: 'Consent-ID',
  required: true,
  schema: { type: 'string', format: 'uuid' },
  description: 'Id of the account access consent that covers this read.',
  example: '88413019-90f6-4216-a615-c3042e30d761',
  fault: uuidFault,
  hasEffect: true,
};

const accountId: Field = {
  name: 'accountId',
  schema: { type: 'string' },
  description: 'The resourceId of the account, as the list of accounts has it.',
};

const limited =
  ' Without PSU-IP-Address it is counted: RateLimit tells what is left for 24 hours. Repeated within ten minutes with the same X-Request-ID, it is not counted again.';

interface ReadSpec {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly query: readonly Field[];
  readonly params?: readonly Field[];
  readonly answer: string;
  readonly schema: TSchema;
  readonly example: unknown;
  readonly otherMedia?: readonly string[];
  /** Reads of days: those before the last 90 need an authentication. */
  readonly isHistory?: true;
  /** That only this read has. */
  readonly problems?: readonly ProblemSlug[];
  readonly handle: (call: Call) => Promise<Reply>;
}

export const readOperation = (spec: ReadSpec): Operation => ({
  id: spec.id,
  method: 'GET',
  path: spec.path,
  area: 'ais',
  summary: spec.summary,
  description: spec.description + limited,
  headers: [consentId, requestId, ...signatureHeaders, ...psuHeaders, ...credentialHeaders],
  query: spec.query,
  params: [...(spec.path.startsWith(ACCOUNT_PATH) ? [accountId] : []), ...(spec.params ?? [])],
  success: {
    status: 200,
    description: spec.answer,
    schema: spec.schema,
    example: spec.example,
    headers: ['RateLimit', 'RateLimit-Policy'],
  },
  ...(spec.otherMedia ? { otherMedia: spec.otherMedia } : {}),
  isCompressed: true,
  problems: [
    ...(spec.problems ?? []),
    'consent-required',
    'consent-not-valid',
    'sca-renewal-required',
    ...(spec.isHistory ? (['history-needs-authentication'] as const) : []),
    'processing-timeout',
    'access-exceeded',
  ],
  repeat: 'ignored',
  handle: spec.handle,
});

/** A read that may go on to ask the bank. */
export interface Opened {
  readonly access: AccountAccess & { readonly requester: Requester };
  readonly bankNow: BankTime;
}

export interface OpenedAccount extends Opened {
  readonly account: AccessAccount;
}

const find = async ({ db, bankTime }: DataParts, call: Call): Promise<Opened> => {
  const [bankNow, access] = await Promise.all([
    bankTime(),
    findAccess(db.batchedReads, call.headers['consent-id'] ?? '', call.caller),
  ]);
  // One answer for unknown, foreign and other kinds: callers cannot find out which consents exist.
  if (!access) throw new Problem('consent-required');
  return { access: { ...access, requester: requesterOf(call) }, bankNow };
};

const ruleOf = ({ site, regime }: DataParts) => ({ baseUrl: site.baseUrl, regime });

export const open = async (parts: DataParts, call: Call, anyOf: readonly Permission[]): Promise<Opened> => {
  const opened = await find(parts, call);
  checkUsable(opened.access, opened.bankNow, ruleOf(parts));
  checkPermission(opened.access, anyOf);
  return opened;
};

const openAccount = async (
  parts: DataParts,
  call: Call,
  anyOf: readonly Permission[],
): Promise<OpenedAccount> => {
  const opened = await find(parts, call);
  const account = opened.access.accounts.find(({ resourceId }) => resourceId === call.params.accountId);
  if (!account) throw new Problem('resource-not-found');
  checkUsable(opened.access, opened.bankNow, ruleOf(parts));
  checkPermission(opened.access, anyOf);
  return { ...opened, account };
};

/** A person who no longer holds the account gets the answer of an account that never existed. */
export const checkHolder = async (
  { bank }: DataParts,
  call: Call,
  { account }: OpenedAccount,
): Promise<void> => {
  if (!(await bank.holds(call.caller.psuId, account.accountId))) throw new Problem('resource-not-found');
};

/** A refusal that would tell that there is such an account. What the bank does not answer tells nothing. */
const isTelling = (error: unknown): boolean =>
  error instanceof Problem &&
  error.kind.status < 500 &&
  error.slug !== 'resource-not-found' &&
  error.slug !== 'processing-timeout';

/**
 * One account of the consent. The bank answers questions about it to its holder alone, so `read` need not wait for another question before;
 * if it asks nothing, it calls `checkHolder`.
 */
export const readAccount = async (
  parts: DataParts,
  call: Call,
  anyOf: readonly Permission[],
  read: (opened: OpenedAccount) => Promise<Reply>,
): Promise<Reply> => {
  const opened = await openAccount(parts, call, anyOf);
  try {
    return await read(opened);
  } catch (error) {
    if (isTelling(error)) await checkHolder(parts, call, opened);
    throw error;
  }
};

/** Throws unless the account holder has just authenticated: the days before the last 90 are open only then. */
export const checkHistory = ({ site, timeZone }: DataParts, { access, bankNow }: Opened): void =>
  checkFresh(access, bankNow, {
    baseUrl: site.baseUrl,
    dateFrom: openFrom(access.details, dateAt(bankNow, timeZone)),
  });

/** Those accounts of the consent that the bank still has, in the order of the consent. */
export const heldAccounts = async (
  { bank }: DataParts,
  call: Call,
  accounts: readonly AccessAccount[],
): Promise<readonly (AccessAccount & { readonly held: BankAccount })[]> => {
  const { 'psu-accept-language': ofPerson, 'accept-language': ofApplication } = call.headers;
  const language = preferredLanguage(ofPerson || ofApplication);
  const all = await accountsFor(bank, call.caller.psuId, accounts, { language });
  return accounts.flatMap((account) => {
    const held = all.find(({ id }) => id === account.accountId);
    return held ? [{ ...account, held }] : [];
  });
};

export interface Reading {
  readonly kind: AccessKind;
  readonly page?: number;
}

const dataAccessOf = (
  call: Call,
  opened: Opened | OpenedAccount,
  { kind, page = 1 }: Reading,
): DataAccess => ({
  consentId: opened.access.id,
  ...call.caller,
  accountId: 'account' in opened ? opened.account.accountId : null,
  kind,
  isAttended: Boolean(call.headers['psu-ip-address']),
  page,
  limit: unattendedReads(opened.access.details),
  isOneOff: isOneOff(opened.access),
  requestId: call.requestId.toLowerCase(),
  fingerprint: call.fingerprint,
  at: opened.bankNow,
});

/** Asks the bank and answers: counted, recorded, and only then sent. */
export const answer = async (
  parts: DataParts,
  call: Call,
  opened: Opened | OpenedAccount,
  reading: Reading,
  ask: () => Promise<Pick<Reply, 'body' | 'bytes' | 'headers'>>,
): Promise<Reply> => {
  const access = dataAccessOf(call, opened, reading);
  await parts.accesses.check(access);
  const result = await ask().catch((error: unknown) => {
    throw error instanceof NoSuchAccount ? new Problem('resource-not-found') : error;
  });
  if (call.isLate()) throw new Problem('processing-timeout');
  const headers = await parts.accesses.record(access);
  if (!headers) {
    // Ended while the bank was asked: its new state answers.
    const { access: now, bankNow } = await find(parts, call);
    checkUsable(now, bankNow, ruleOf(parts));
    throw new Error('an access was not recorded, although its consent is Valid');
  }
  parts.onRead(access, call.headers['psu-ip-address']);
  return { status: 200, ...result, headers: { ...headers, ...result.headers } };
};

export const hrefOf = (
  { site }: Pick<DataParts, 'site'>,
  ...segments: readonly string[]
): { href: string } => ({
  href: [`${site.baseUrl}${ACCOUNTS_PATH}`, ...segments.map(encodeURIComponent)].join('/'),
});
