/** A person who has used many apps for years, and what they have left behind. */
import { randomUUID } from 'node:crypto';
import { insertConsent } from '../../../src/consent/consents.js';
import { type ConsentKind, type ConsentStatus, consentAccount } from '../../../src/consent/record.js';
import { DAY } from '../../../src/lib/clock.js';
import type { Queries } from '../../../src/store/db.js';
import { createApplication, createTpp } from '../../../src/tpp/registry.js';
import { account, psuId } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';
import { accessDetails, paymentDetails } from '../approve-support.js';

export interface Past {
  readonly psu: string;
  readonly account: number;
  readonly permissions: number;
  readonly payments: number;
  readonly records: number;
  /** All permissions are of one app, and have this state and kind. */
  readonly alike?: { readonly status: ConsentStatus; readonly kind: UsedKind };
}

/** Where its pages are to be found. */
export interface Known {
  /** The app with most uses, and one with very few. */
  readonly busyApp: string;
  readonly rareApp: string;
  readonly busyPermission: string;
  readonly rarePermission: string;
  readonly payment: string;
  /** What the number of its account ends with. */
  readonly account: number;
}

export const addApplications = (service: Service, count: number): Promise<string[]> =>
  withStore(service, (db) =>
    db.transaction(async (tx) => {
      const made: string[] = [];
      for (let index = 1; index <= count; index += 1) {
        const name = `Εταιρεία ${index}`;
        const tppId = await createTpp(
          tx,
          { name, registration: `PSDGR-BOG-Y${index}`, roles: ['PSP_AI', 'PSP_PI', 'PSP_IC'] },
          1,
        );
        const app = { tppId, name: `Εφαρμογή ${String(index).padStart(2, '0')}`, redirectUris: [] };
        made.push((await createApplication(tx, app, 1)).clientId);
      }
      return made;
    }),
  );

const used = ['ConfirmationOfFunds', 'AccountAccess'] as const;
type UsedKind = (typeof used)[number];

const BUSY = 2;
const ends: readonly ConsentStatus[] = ['Valid', 'RevokedByPsu', 'Expired', 'TerminatedByTpp', 'Rejected'];
const details = { AccountAccess: accessDetails, ConfirmationOfFunds: {}, PaymentInitiation: paymentDetails };

/** The last app has one permission. */
const consentOf = (past: Past, apps: readonly string[], kind: ConsentKind, index: number, now: number) => {
  const createdAt = now - 5 * DAY - index * (DAY / 3);
  const isRare = index === 0 && past.alike === undefined;
  const app = past.alike ? BUSY : isRare ? apps.length - 1 : index % (apps.length - 1);
  const status =
    past.alike?.status ??
    (past.permissions > ends.length * 2
      ? ends[Math.floor(index / (apps.length - 1)) % ends.length]
      : 'Valid');
  return {
    id: randomUUID(),
    kind,
    clientId: apps[app] ?? '',
    psuId: psuId(past.psu),
    status: kind === 'PaymentInitiation' ? 'Expired' : (status ?? 'Valid'),
    createdAt,
    approvedAt: createdAt,
    expiresAt: kind === 'PaymentInitiation' ? createdAt + DAY : now + 300 * DAY,
    details: details[kind],
    accounts: [consentAccount(account(past.psu, past.account))],
    history: [{ from: null, to: 'Received' as const, by: 'tpp' as const, at: createdAt }],
  } as const;
};

const NUMBERS = 'with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)';
const WHOSE = `cast(? as text) || n.i, c.id, c.client_id, c.psu_id, cast(? as text)`;
const WHEN = 'cast(? as bigint) - n.i * cast(? as bigint) from n, consents c where c.id = ?';
const ADD_FUNDS = `
  insert into funds_confirmations (id, consent_id, client_id, psu_id, account_id, payee, amount, currency, available, request_id, asked_at)
  ${NUMBERS} select ${WHOSE}, 'Shop', '12.5', 'EUR', 1, 'r', ${WHEN}`;
const ADD_ACCESSES = `
  insert into data_accesses (id, consent_id, client_id, psu_id, account_id, kind, attended, request_id, accessed_at)
  ${NUMBERS} select ${WHOSE}, 'balances', 1, 'r', ${WHEN}`;

const YEARS = 700 * DAY;

/** Most are of one permission; the first of all was used twice, long ago. */
const addUses = async (
  tx: Queries,
  past: Past,
  kind: UsedKind,
  ids: readonly string[],
  now: number,
): Promise<void> => {
  const isFunds = kind === 'ConfirmationOfFunds';
  const records = isFunds ? past.records : Math.ceil(past.records / 5);
  const ofOthers = Math.max(1, Math.floor((records * 0.3) / ids.length));
  for (const [place, id] of ids.entries()) {
    const count = place === 0 ? 2 : place === 1 ? Math.ceil(records * 0.7) : ofOthers;
    const [from, step] = place === 0 ? [now - YEARS, DAY] : [now, Math.floor(YEARS / count) - place];
    const accountId = account(past.psu, past.account).id;
    await tx.run(isFunds ? ADD_FUNDS : ADD_ACCESSES, [count, `${id}-`, accountId, from, step, id]);
  }
};

/** In one large transaction. */
export const addPast = (service: Service, past: Past, apps: readonly string[]): Promise<Known> =>
  withStore(service, async (db) => {
    const now = service.clock.now();
    const ids: Record<ConsentKind, string[]> = {
      ConfirmationOfFunds: [],
      AccountAccess: [],
      PaymentInitiation: [],
    };
    await db.transaction(async (tx) => {
      for (let index = 0; index < past.permissions + past.payments; index += 1) {
        const isPayment = index >= past.permissions;
        const kind = isPayment
          ? 'PaymentInitiation'
          : (past.alike?.kind ?? used[(index + Math.floor(index / 10)) % 2] ?? 'AccountAccess');
        const consent = consentOf(past, apps, kind, isPayment ? index - past.permissions : index, now);
        await insertConsent(tx, consent);
        ids[kind].push(consent.id);
      }
      for (const kind of used) if (ids[kind].length > 0) await addUses(tx, past, kind, ids[kind], now);
    });
    return {
      busyApp: apps[BUSY] ?? '',
      rareApp: apps.at(-1) ?? '',
      busyPermission: ids.ConfirmationOfFunds[1] ?? '',
      rarePermission: ids.ConfirmationOfFunds[0] ?? '',
      payment: ids.PaymentInitiation[0] ?? '',
      account: past.account,
    };
  });
