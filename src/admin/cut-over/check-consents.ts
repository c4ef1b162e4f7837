/** Live consents of a cut-over: each comes as Valid, with its accounts and the history of its approval. */
import type { NewConsent } from '../../consent/consents.js';
import { type ConsentAccount, type ConsentKind, permissions, pickedDetails } from '../../consent/record.js';
import { MOST_UNATTENDED, unattendedReads } from '../../consent/unattended-reads.js';
import type { BankTime } from '../../lib/clock.js';
import { endOfDay } from '../../lib/day.js';
import { isUuid } from '../../lib/id.js';
import { isDate, parseInstant } from '../../lib/instant.js';
import type { Vault } from '../../lib/vault.js';
import {
  isBban,
  isCardNumber,
  isIban,
  isMsisdn,
  normalBban,
  normalCard,
  normalIban,
  normalMsisdn,
} from '../../model/account-reference.js';
import { isCurrency } from '../../model/amount.js';
import type { Role } from '../../model/caller.js';
import type { AccountId, ClientId, ConsentId, PsuId } from '../../model/ids.js';
import { type CutOverFaults, listIn, type SourceRecord, type SourceRecords } from './records.js';

export interface ConsentParts {
  readonly vault: Vault;
  readonly timeZone: string;
  readonly bankNow: BankTime;
  readonly rolesOf: ReadonlyMap<string, readonly Role[]>;
}

/** A payment lives for a day: it ends where it began. */
const roleOfKind: Readonly<Partial<Record<ConsentKind, Role>>> = {
  AccountAccess: 'PSP_AI',
  ConfirmationOfFunds: 'PSP_IC',
};
const kinds = Object.keys(roleOfKind) as readonly ConsentKind[];

const accountOf = (faults: CutOverFaults, record: SourceRecord): ConsentAccount => {
  const number = (field: string, isGood: (text: string) => boolean, normal: (text: string) => string) => {
    const value = faults.checked(record, field, isGood, `give a valid ${field.toUpperCase()}`);
    return value === undefined ? null : normal(value);
  };
  const iban = number('iban', isIban, normalIban);
  const bban = number('bban', isBban, normalBban);
  const msisdn = number('msisdn', isMsisdn, normalMsisdn);
  const { iban: i, bban: b, msisdn: m, resourceId } = record.values;
  if (!i && !b && !m) faults.add(record, 'iban', 'is missing', 'give iban, bban or msisdn');
  faults.required(record, 'currency');
  const currency =
    faults.checked(record, 'currency', isCurrency, 'give a code of ISO 4217, such as EUR') ?? null;
  const accountId = (faults.required(record, 'accountId') ?? null) as AccountId | null;
  return { accountId, iban, bban, msisdn, currency, ...(resourceId === undefined ? {} : { resourceId }) };
};

const accountsByConsent = (source: SourceRecords, faults: CutOverFaults): Map<string, ConsentAccount[]> => {
  const ids = new Set(source.consents.map(({ values }) => values.id?.toLowerCase()));
  const found = new Map<string, ConsentAccount[]>();
  const resources = new Map<string, SourceRecord>();
  for (const record of source.consentAccounts) {
    const id = faults.required(record, 'consentId')?.toLowerCase();
    const account = accountOf(faults, record);
    if (id === undefined) continue;
    if (!ids.has(id))
      faults.add(record, 'consentId', `there is no consent ${id}`, 'add it, or remove this account');
    if (account.resourceId !== undefined)
      faults.once(resources, `${id} ${account.resourceId}`, record, 'resourceId');
    const accounts = found.get(id);
    if (accounts) accounts.push(account);
    else found.set(id, [account]);
  }
  return found;
};

interface Times {
  readonly createdAt: BankTime;
  readonly approvedAt: BankTime;
  readonly expiresAt: BankTime | null;
}

const instantOf = (faults: CutOverFaults, record: SourceRecord, field: string): number => {
  faults.required(record, field);
  const isInstant = (text: string): boolean => parseInstant(text) !== undefined;
  const text = faults.checked(record, field, isInstant, 'give date and time with zone: 2026-01-31T09:30:00Z');
  return parseInstant(text ?? '') ?? 0;
};

const timesOf = (
  faults: CutOverFaults,
  record: SourceRecord,
  kind: ConsentKind,
  parts: ConsentParts,
): Times => {
  const createdAt = instantOf(faults, record, 'createdAt');
  const approvedAt = instantOf(faults, record, 'approvedAt');
  if (approvedAt < createdAt || approvedAt > parts.bankNow)
    faults.add(record, 'approvedAt', 'is before createdAt or in the future', 'correct the two times');
  if (kind === 'AccountAccess') faults.required(record, 'expirationDate');
  const last = faults.checked(record, 'expirationDate', isDate, 'give a date: 2027-01-31');
  const expiresAt = last === undefined ? null : endOfDay(last, parts.timeZone);
  if (expiresAt !== null && expiresAt <= parts.bankNow)
    faults.add(record, 'expirationDate', 'is over', 'leave this consent out');
  return { createdAt, approvedAt, expiresAt };
};

const accessDetails = (faults: CutOverFaults, record: SourceRecord): object => {
  const wanted = listIn(faults.required(record, 'permissions'));
  const held = permissions.filter((each) => wanted.includes(each));
  if (held.length !== wanted.length || !held.some((each) => each.startsWith('Accounts')))
    faults.add(
      record,
      'permissions',
      'has a word that is no permission, or neither AccountsBasic nor AccountsDetail',
      `use ${permissions.join(' ')}`,
    );
  const recurring =
    faults.checked(record, 'recurring', (text) => /^(true|false)$/.test(text), 'give true or false') ===
    'true';
  const isRate = (text: string): boolean => /^[1-9]\d{0,3}$/.test(text) && Number(text) <= MOST_UNATTENDED;
  const reads = faults.checked(record, 'frequencyPerDay', isRate, `give 1 to ${MOST_UNATTENDED}`);
  const day = (field: string) => {
    const value = faults.checked(record, field, isDate, 'give a date: 2027-01-31');
    return value === undefined ? {} : { [field]: value };
  };
  const wish = { recurring, ...(reads === undefined ? {} : { frequencyPerDay: Number(reads) }) };
  return {
    permissions: held,
    ...day('transactionFrom'),
    ...day('transactionTo'),
    recurring,
    frequencyPerDay: unattendedReads(wish),
  };
};

const cardOf = (faults: CutOverFaults, record: SourceRecord, { vault }: ConsentParts) => {
  const text = faults.checked(record, 'cardNumber', isCardNumber, 'give 8 to 19 digits');
  if (text === undefined) return undefined;
  const card = normalCard(text);
  const lastFour = card.slice(-4);
  return {
    cardHash: vault.mark('card-number', card),
    cardLastFour: lastFour,
    shown: `${'*'.repeat(card.length - 4)}${lastFour}`,
  };
};

const historyOf = ({ createdAt, approvedAt }: Times): NewConsent['history'] => [
  { from: null, to: 'Received', by: 'tpp', at: createdAt, reason: 'imported' },
  { from: 'Received', to: 'Valid', by: 'psu', at: approvedAt, reason: 'approved' },
];

const kindOf = (
  faults: CutOverFaults,
  record: SourceRecord,
  parts: ConsentParts,
): ConsentKind | undefined => {
  const kind = kinds.find((each) => each === faults.required(record, 'kind'));
  if (!kind && record.values.kind !== undefined)
    faults.add(
      record,
      'kind',
      'is not imported',
      `use ${kinds.join(' or ')}; payments end in the old gateway`,
    );
  const clientId = faults.required(record, 'clientId');
  const held = clientId === undefined ? undefined : parts.rolesOf.get(clientId);
  const role = kind && roleOfKind[kind];
  if (clientId !== undefined && !held)
    faults.add(record, 'clientId', `there is no application ${clientId}`, 'add it to the applications');
  else if (held && role && !held.includes(role))
    faults.add(
      record,
      'kind',
      `its third party has no role ${role}`,
      'correct the roles, or leave the consent out',
    );
  return kind;
};

const consentOf = (
  faults: CutOverFaults,
  record: SourceRecord,
  accounts: readonly ConsentAccount[],
  parts: ConsentParts,
): NewConsent | undefined => {
  const before = faults.all.length;
  const { values } = record;
  faults.required(record, 'id');
  const id = (
    faults.checked(record, 'id', isUuid, 'give the UUID that the third party knows') ?? ''
  ).toLowerCase();
  const psuId = faults.required(record, 'psuId') ?? '';
  const kind = kindOf(faults, record, parts);
  if (accounts.length === 0) faults.add(record, 'id', 'has no account', 'add it to the accounts of consents');
  if (!kind) return undefined;
  const times = timesOf(faults, record, kind, parts);
  const card = kind === 'ConfirmationOfFunds' ? cardOf(faults, record, parts) : undefined;
  const own = kind === 'AccountAccess' ? accessDetails(faults, record) : {};
  if (faults.all.length > before) return undefined;
  const { expirationDate, purpose = null, clientId = '' } = values;
  const details = {
    ...pickedDetails({ kind, details: {} }, accounts),
    ...own,
    ...(card ? { cardNumber: card.shown } : {}),
    ...(expirationDate === undefined ? {} : { expirationDate }),
  };
  const owner = { id: id as ConsentId, kind, clientId: clientId as ClientId, psuId: psuId as PsuId };
  return {
    ...owner,
    ...times,
    status: 'Valid',
    details,
    purpose,
    accounts,
    isRecurring: values.recurring === 'true',
    history: historyOf(times),
    ...(card ? { cardHash: card.cardHash, cardLastFour: card.cardLastFour } : {}),
  };
};

export const checkConsents = (
  source: SourceRecords,
  parts: ConsentParts,
  faults: CutOverFaults,
): { readonly record: SourceRecord; readonly consent: NewConsent }[] => {
  const accounts = accountsByConsent(source, faults);
  const seen = new Map<string, SourceRecord>();
  return source.consents.flatMap((record) => {
    const id = record.values.id?.toLowerCase() ?? '';
    const consent = consentOf(faults, record, accounts.get(id) ?? [], parts);
    if (id !== '' && !faults.once(seen, id, record, 'id')) return [];
    return consent ? [{ record, consent }] : [];
  });
};
