/** The seeded consents: all three kinds in all six statuses, and a Valid funds consent for each account of the first application. */

import {
  type ClientId,
  DAY,
  derivedId,
  fromMinor,
  HOUR,
  instantText,
  type RealTime,
  type Vault,
} from 'trapeza/base';
import {
  type ConsentKind,
  type ConsentStatus,
  consentStatuses,
  type NewConsent,
  permissions,
} from 'trapeza/extend';
import { demoApplications } from './applications.js';
import type { DemoAccount, DemoPsu } from './bank/people.js';
import { demoPsus } from './bank/people.js';

/** An account with its sub-accounts: one IBAN or BBAN. */
interface Group {
  readonly psu: DemoPsu;
  readonly accounts: readonly [DemoAccount, ...DemoAccount[]];
}

const numberOf = (account: DemoAccount): string => account.iban ?? account.bban ?? '';

const groupsOf = (psu: DemoPsu): readonly Group[] => {
  const byNumber = new Map<string, [DemoAccount, ...DemoAccount[]]>();
  for (const account of psu.accounts) {
    const known = byNumber.get(numberOf(account));
    if (known) known.push(account);
    else byNumber.set(numberOf(account), [account]);
  }
  return [...byNumber.values()].map((accounts) => ({ psu, accounts }));
};

const groups: readonly Group[] = demoPsus.flatMap(groupsOf);

/** These savings accounts carry a funds consent in another status than Valid, one each. */
const statusOfGroup: ReadonlyMap<string, ConsentStatus> = new Map(
  (['Received', 'Rejected', 'RevokedByPsu', 'Expired', 'TerminatedByTpp'] as const).map((status, index) => {
    const owner = ['eleni', 'nikos', 'maria', 'giorgos', 'katerina'][index];
    const group = groups.find(
      ({ psu, accounts }) => psu.username === owner && accounts[0].product === 'Savings account',
    );
    return [group ? numberOf(group.accounts[0]) : '', status];
  }),
);

interface LastStep {
  readonly by: string;
  readonly from: ConsentStatus;
  readonly reason: string;
  readonly endReason?: NonNullable<NewConsent['endReason']>;
}

const ended = (endReason: NonNullable<NewConsent['endReason']>) => ({ reason: endReason, endReason });

/** How each status is reached, so that the history tells a true story. */
const actorOf: Readonly<Record<ConsentStatus, LastStep>> = {
  Received: { by: 'tpp', from: 'Received', reason: 'created' },
  Valid: { by: 'psu', from: 'Received', reason: 'approved' },
  Rejected: { by: 'psu', from: 'Received', ...ended('rejected') },
  RevokedByPsu: { by: 'psu', from: 'Valid', ...ended('withdrawn') },
  Expired: { by: 'time', from: 'Valid', ...ended('expired') },
  TerminatedByTpp: { by: 'tpp', from: 'Valid', ...ended('ended-by-tpp') },
};

const APPROVED_AFTER_MS = HOUR / 10;

const wasApproved = (status: ConsentStatus): boolean =>
  status === 'Valid' || actorOf[status].from === 'Valid';

const historyOf = (status: ConsentStatus, createdAt: number): NewConsent['history'] => {
  const created = { from: null, to: 'Received', by: 'tpp', at: createdAt } as const;
  if (status === 'Received') return [created];
  const { by, from, reason } = actorOf[status];
  const approved = {
    from: 'Received',
    to: 'Valid',
    by: 'psu',
    reason: 'approved',
    at: createdAt + APPROVED_AFTER_MS,
  } as const;
  const last = {
    from,
    to: status,
    by,
    reason,
    at: createdAt + (status === 'Valid' ? 1 : 2) * APPROVED_AFTER_MS,
  };
  return from === 'Valid' ? [created, approved, last] : [created, last];
};

interface Wanted {
  readonly name: string;
  readonly kind: ConsentKind;
  readonly status: ConsentStatus;
  readonly clientId: ClientId;
  readonly group: Group;
  readonly details: object;
}

const LASTS_MS: Readonly<Record<ConsentKind, number>> = {
  AccountAccess: 180 * DAY,
  PaymentInitiation: DAY,
  ConfirmationOfFunds: 365 * DAY,
};

/** The authentication for a Valid account access is some hours old: older history needs a renewal, whenever it is tried. */
const ageOf = ({ kind, status }: Wanted): number => {
  if (status === 'Received') return HOUR;
  if (status !== 'Valid') return 30 * DAY;
  return kind === 'AccountAccess' ? 3 * HOUR : HOUR;
};

/** Stands in for the secret one: the same on every machine. */
export const demoResourceId = (of: Record<'clientId' | 'psuId' | 'accountId', string>): string =>
  derivedId(`resource:${of.clientId}:${of.psuId}:${of.accountId}`);

const consentOf = (wanted: Wanted, nowMs: RealTime, vault: Vault): NewConsent => {
  const { kind, status, group } = wanted;
  const createdAt = nowMs - ageOf(wanted);
  const [{ cardNumber }] = group.accounts;
  const withCard = kind === 'ConfirmationOfFunds' && cardNumber !== null;
  return {
    id: derivedId(`consent:${wanted.name}`),
    kind,
    clientId: wanted.clientId,
    psuId: group.psu.id,
    status,
    createdAt,
    expiresAt: status === 'Expired' ? nowMs - DAY : createdAt + LASTS_MS[kind],
    ...(withCard
      ? { cardHash: vault.mark('card-number', cardNumber), cardLastFour: cardNumber.slice(-4) }
      : {}),
    details: wanted.details,
    approvedAt: wasApproved(status) ? createdAt + APPROVED_AFTER_MS : null,
    accounts: group.accounts.map(({ id, iban, bban, msisdn, currency }) => ({
      resourceId: demoResourceId({ clientId: wanted.clientId, psuId: group.psu.id, accountId: id }),
      accountId: id,
      iban,
      bban,
      msisdn,
      currency,
    })),
    endReason: actorOf[status].endReason ?? null,
    history: historyOf(status, createdAt),
  };
};

const first = demoApplications[0]?.clientId ?? '';
const others = demoApplications.slice(1).map(({ clientId }) => clientId);

const referenceOf = ({ accounts: [account] }: Group): object =>
  account.iban ? { iban: account.iban } : { bban: account.bban };

const fundsConsents = (of: readonly Group[]): Wanted[] =>
  of.map((group): Wanted => {
    const number = numberOf(group.accounts[0]);
    const status = statusOfGroup.get(number) ?? 'Valid';
    const name = `funds:${group.psu.username}:${number}`;
    return {
      name,
      kind: 'ConfirmationOfFunds',
      status,
      clientId: first,
      group,
      details: { account: referenceOf(group) },
    };
  });

const paymentDetails = (group: Group, index: number): object => {
  const currency = 'EUR';
  return {
    endToEndId: `DEMO-${1001 + index}`,
    paymentService: 'transfers',
    paymentProduct: index % 2 === 0 ? 'domestic' : 'international',
    debitAccount: { ...referenceOf(group), currency },
    creditAccount:
      index % 2 === 0
        ? { iban: numberOf((groups.at(-1) ?? group).accounts[0]) }
        : { iban: 'TR330006100519786457841326' },
    instructedAmount: { currency, amount: fromMinor(12_050 + index * 1_000, currency) },
    chargeBearer: 'sha',
    remittanceInformation: `Τιμολόγιο ${2041 + index}`,
    creditorName: index % 2 === 0 ? 'Βασίλης Αλεξίου' : 'Sabah Kitabevi',
    expenses: { currency, amount: index % 2 === 0 ? 0.3 : 12 },
  };
};

const accessDetails = (group: Group, nowMs: RealTime): object => ({
  permissions,
  accounts: [referenceOf(group)],
  expirationDate: instantText(nowMs + 179 * DAY).slice(0, 10),
  transactionFrom: instantText(nowMs - 365 * DAY).slice(0, 10),
  recurring: true,
  frequencyPerDay: 4,
});

/** Each status of both kinds for the first account holder and application, and one Valid of each for the others. */
const readableConsents = (nowMs: RealTime): Wanted[] => {
  const [group] = groups;
  if (!group) return [];
  const of = (clientId: ClientId, status: ConsentStatus, index: number): Wanted[] => [
    {
      name: `access:${clientId}:${status}`,
      kind: 'AccountAccess',
      status,
      clientId,
      group,
      details: accessDetails(group, nowMs),
    },
    {
      name: `payment:${clientId}:${status}`,
      kind: 'PaymentInitiation',
      status,
      clientId,
      group,
      details: paymentDetails(group, index),
    },
  ];
  const ofFirst = consentStatuses.flatMap((status, index) => of(first, status, index));
  const second = others[0] ?? '';
  const card = others[1] ?? '';
  const fundsOfOthers = [second, card].map(
    (clientId): Wanted => ({
      name: `funds:${clientId}`,
      kind: 'ConfirmationOfFunds',
      status: 'Valid',
      clientId,
      group,
      details: { account: referenceOf(group) },
    }),
  );
  return [...ofFirst, ...of(second, 'Valid', 0), ...fundsOfOthers];
};

/** The README's first calls use the Valid ones of the first application. */
export const demoConsents = (nowMs: RealTime, vault: Vault): NewConsent[] =>
  [...readableConsents(nowMs), ...fundsConsents(groups)].map((wanted) => consentOf(wanted, nowMs, vault));

/** What each account of a person from a file has: a Valid funds consent of the first application. */
export const fundsConsentsOf = (psu: DemoPsu, nowMs: RealTime, vault: Vault): NewConsent[] =>
  fundsConsents(groupsOf(psu)).map((wanted) => consentOf(wanted, nowMs, vault));
