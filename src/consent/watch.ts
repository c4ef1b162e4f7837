/** What an account holder can watch: every permission with its history. Newest first, in batches, so a list of any length fits. */

import { setImmediate } from 'node:timers/promises';
import type { BankTime } from '../lib/clock.js';
import type { ClientId, ConsentId, PsuId } from '../model/ids.js';
import type { Queries } from '../store/db.js';
import type { Actor } from './lifecycle.js';
import { NEWEST, type Place } from './page.js';
import type { ConsentStatus } from './record.js';

const BATCH = 200;

/** All rows, a batch at a time; between them others have their turn. */
export async function* inBatches<Row>(
  read: (after: Place, limit: number) => Promise<readonly Row[]>,
  placeOf: (row: Row) => Place,
): AsyncGenerator<Row, void, undefined> {
  let after = NEWEST;
  for (;;) {
    const rows = await read(after, BATCH);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = placeOf(last);
    await setImmediate();
  }
}

export interface Application {
  readonly clientId: ClientId;
  readonly applicationName: string;
  readonly tppName: string;
}

const LINES = `
  select id, created_at as "at" from consents
  where psu_id = ? and (created_at < ? or (created_at = ? and id < ?)) order by created_at desc, id desc limit ?`;

/** Permissions and payments. */
export const eachPermission = (db: Queries, psuId: PsuId): AsyncGenerator<Place> =>
  inBatches(
    ({ at, id }, limit) => db.all<Place>(LINES, [psuId, at, at, id, limit]),
    (line) => line,
  );

export interface HistoryStep {
  readonly from: ConsentStatus | null;
  readonly to: ConsentStatus;
  readonly by: Actor;
  readonly reason: string | null;
  readonly at: BankTime;
}

const HISTORY = `
  select h.from_status as "from", h.to_status as "to", h.changed_by as "by", h.reason, h.changed_at as "at"
  from consent_history h join consents c on c.id = h.consent_id
  where h.consent_id = ? and c.psu_id = ? order by h.position`;

export const historyOf = (db: Queries, id: ConsentId, psuId: PsuId): Promise<HistoryStep[]> =>
  db.all<HistoryStep>(HISTORY, [id, psuId]);

/** The order of a payment, once it was submitted. */
export interface OrderLine {
  readonly id: string;
  readonly status: string;
  readonly reasonCode: string | null;
  readonly createdAt: BankTime;
  readonly changedAt: BankTime;
}

const ORDER = `
  select id, status, reason_code as "reasonCode", created_at as "createdAt", changed_at as "changedAt"
  from payment_orders where consent_id = ? and psu_id = ?`;

export const orderOf = (db: Queries, consentId: ConsentId, psuId: PsuId): Promise<OrderLine | undefined> =>
  db.one<OrderLine>(ORDER, [consentId, psuId]);
