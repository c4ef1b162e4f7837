/**
 * What the demo people have behind them: permissions that ended, payments that were paid, rejected and cancelled, balance checks and
 * reads of the last months. Made with a history that reaches back a year, so that the pages of a demo have something to show.
 */
import { type ClientId, DAY, derivedId, HOUR, type Queries, type RealTime } from 'trapeza/base';
import {
  addAccess,
  addFundsRecord,
  claimForSubmission,
  insertConsent,
  insertOrder,
  moveOrder,
  type NewConsent,
} from 'trapeza/extend';
import { demoApplications } from './applications.js';
import { type DemoAccount, type DemoPsu, demoPsus } from './bank/people.js';
import { demoResourceId } from './demo-consents.js';

const PEOPLE = 5;
const [FIRST = '', BUDGET = '', , ACCOUNTS = ''] = demoApplications.map(({ clientId }) => clientId);

type Step = NewConsent['history'][number];

interface Past extends Pick<NewConsent, 'kind' | 'status' | 'details' | 'purpose' | 'endReason'> {
  readonly name: string;
  readonly clientId: ClientId;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly last?: Omit<Step, 'to' | 'from'>;
}

const consentOf = (
  { id: psuId, username }: DemoPsu,
  { id: accountId, iban, bban, msisdn, currency }: DemoAccount,
  { name, last, createdAt, status, ...past }: Past,
): NewConsent => {
  const approvedAt = createdAt + HOUR / 10;
  return {
    ...past,
    id: derivedId(`past:${username}:${name}`),
    psuId,
    status,
    createdAt,
    approvedAt: status === 'Received' ? null : approvedAt,
    isRecurring: past.kind === 'AccountAccess',
    accounts: [
      {
        resourceId: demoResourceId({ clientId: past.clientId, psuId, accountId }),
        ...{ accountId, iban, bban, msisdn, currency },
      },
    ],
    history: [
      { from: null, to: 'Received', by: 'tpp', reason: 'created', at: createdAt },
      ...(status === 'Received'
        ? []
        : [{ from: 'Received', to: 'Valid', by: 'psu', reason: 'approved', at: approvedAt } as const]),
      ...(last ? [{ from: 'Valid', to: status, ...last } as const] : []),
    ],
  };
};

const access = {
  permissions: ['AccountsDetail', 'Balances', 'TransactionsDetail'],
  recurring: true,
} as const;

/** One that has ended by itself, one that was withdrawn, and one that waits. */
const accessesOf = (nowMs: RealTime): readonly Past[] => {
  const old = nowMs - 300 * DAY;
  const withdrawnAt = nowMs - 40 * DAY;
  const kind = { kind: 'AccountAccess', details: { ...access, frequencyPerDay: 4 } } as const;
  return [
    {
      ...kind,
      name: 'expired',
      clientId: ACCOUNTS,
      status: 'Expired',
      purpose: 'Σύνοψη των εξόδων του νοικοκυριού',
      createdAt: old,
      expiresAt: old + 180 * DAY,
      endReason: 'expired',
      last: { by: 'time', reason: 'expired', at: old + 180 * DAY },
    },
    {
      ...kind,
      name: 'withdrawn',
      clientId: BUDGET,
      status: 'RevokedByPsu',
      purpose: 'Μηνιαίος προϋπολογισμός',
      createdAt: nowMs - 150 * DAY,
      expiresAt: nowMs + 30 * DAY,
      endReason: 'withdrawn',
      last: { by: 'psu', reason: 'withdrawn', at: withdrawnAt },
    },
    {
      ...kind,
      name: 'waiting',
      clientId: ACCOUNTS,
      status: 'Received',
      purpose: 'Σύγκριση προσφορών δανείου',
      createdAt: nowMs - 2 * HOUR,
      expiresAt: nowMs + 90 * DAY,
    },
  ];
};

const outcomes = [
  { status: 'ACSC' },
  { status: 'RJCT', reason: { code: 'AM04', text: 'Insufficient funds' } },
  { status: 'CANC' },
] as const;

const payees = ['Ευδοκία Νερά & Ενέργεια', 'Βιβλιοπωλείο Αμοργός', 'Γυμναστήριο Ολυμπία'] as const;

const seedPayments = async (tx: Queries, psu: DemoPsu, account: DemoAccount, nowMs: RealTime) => {
  const caller = { clientId: BUDGET, psuId: psu.id };
  for (const [index, progress] of outcomes.entries()) {
    const createdAt = nowMs - (20 + 25 * index) * DAY;
    const name = `payment:${progress.status}`;
    const details = {
      paymentService: 'transfers',
      paymentProduct: 'domestic',
      debitAccount: { iban: account.iban, currency: 'EUR' },
      creditAccount: { iban: 'DE89370400440532013000' },
      creditorName: payees[index],
      instructedAmount: { currency: 'EUR', amount: 24.9 + index * 10 },
      chargeBearer: 'sha',
    };
    const purpose = 'Πληρωμή λογαριασμού';
    const kind = { kind: 'PaymentInitiation', status: 'Valid', details, purpose } as const;
    const expiresAt = createdAt + DAY;
    const consent = consentOf(psu, account, { ...kind, name, clientId: BUDGET, createdAt, expiresAt });
    await insertConsent(tx, consent);
    const at = createdAt + HOUR;
    await claimForSubmission(tx, consent.id, caller, at);
    const id = derivedId(`past-order:${psu.username}:${progress.status}`);
    const order = await insertOrder(tx, { id, consentId: consent.id, caller, at });
    await moveOrder(tx, order, progress, at + HOUR, progress.status === 'CANC' ? 'psu' : null);
  }
};

const CHECKS = 14;

/** Once a week, for the funds consent that the person has. */
const seedChecks = async (tx: Queries, psu: DemoPsu, account: DemoAccount, nowMs: RealTime) => {
  const consentId = derivedId(`consent:funds:${psu.username}:${account.iban}`);
  for (let week = 1; week <= CHECKS; week += 1) {
    const id = derivedId(`past-check:${psu.username}:${week}`);
    await addFundsRecord(tx, {
      id,
      consentId,
      clientId: FIRST,
      psuId: psu.id,
      accountId: account.id,
      payee: payees[week % payees.length] ?? null,
      amount: String(week * 9 + 0.5),
      currency: account.currency,
      available: week % 5 !== 0,
      requestId: id,
      sessionConsentId: null,
      askedAt: nowMs - week * 7 * DAY,
    });
  }
};

const seedReads = async (
  tx: Queries,
  { id: consentId, clientId, psuId, accounts, createdAt }: NewConsent,
) => {
  const [account] = accounts;
  for (let week = 1; week <= CHECKS; week += 1) {
    const kind = week % 2 === 0 ? 'balances' : 'transactions';
    const requestId = derivedId(`past-read:${consentId}:${week}`);
    await addAccess(tx, {
      ...{ consentId, clientId, psuId, kind, requestId },
      accountId: account?.accountId ?? null,
      isAttended: week % 3 === 0,
      at: createdAt + week * 6 * DAY,
    });
  }
};

export const seedPast = async (tx: Queries, nowMs: RealTime): Promise<void> => {
  for (const psu of demoPsus.slice(0, PEOPLE)) {
    const account = psu.accounts.find(({ currency, iban }) => currency === 'EUR' && iban !== null);
    if (!account) continue;
    for (const past of accessesOf(nowMs)) {
      const consent = consentOf(psu, account, past);
      await insertConsent(tx, consent);
      if (past.last) await seedReads(tx, consent);
    }
    await seedPayments(tx, psu, account, nowMs);
    await seedChecks(tx, psu, account, nowMs);
  }
};
