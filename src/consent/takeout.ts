/** What is stored about a person's permissions and their uses, as a file for that person: every member of every record. */

import type { BankTime } from '../lib/clock.js';
import { instantText } from '../lib/instant.js';
import type { ClientId, PsuId } from '../model/ids.js';
import type { Queries, Reads } from '../store/db.js';
import { type AskedConsent, findAsked } from './asked.js';
import { blocksOf } from './blocks.js';
import { statusAt } from './lifecycle.js';
import {
  type AccessLine,
  eachAccess,
  eachFundsAnswer,
  type FundsLine,
  type Use,
  type UseFilter,
  useOf,
} from './uses.js';
import { eachPermission, historyOf, type OrderLine, orderOf } from './watch.js';

const instantOrNull = (ms: number | null): string | null => (ms === null ? null : instantText(ms));

/** A permission with what time has made of it, and how it was used. */
export interface PermissionRecord {
  readonly asked: AskedConsent;
  readonly status: AskedConsent['status'];
  readonly use: Use | undefined;
}

type Named = Pick<AskedConsent, 'id'>;

/** All permissions and payments of the person, or those that are named. */
export async function* eachPermissionRecord(
  db: Queries,
  psuId: PsuId,
  bankNow: BankTime,
  lines: Iterable<Named> | AsyncIterable<Named> = eachPermission(db, psuId),
): AsyncGenerator<PermissionRecord, void, undefined> {
  for await (const { id } of lines) {
    const asked = await findAsked(db, id, psuId);
    if (!asked) continue;
    const use = await useOf(db, id, psuId, asked.clientId);
    yield { asked, status: statusAt(asked, bankNow), use };
  }
}

const whoOf = (line: {
  readonly clientId: ClientId;
  readonly applicationName: string;
  readonly tppName: string;
}) => ({
  application: { clientId: line.clientId, name: line.applicationName },
  provider: line.tppName,
});

const orderObject = ({ createdAt, changedAt, ...order }: OrderLine): object => ({
  ...order,
  submittedAt: instantText(createdAt),
  changedAt: instantText(changedAt),
});

export async function* permissionObjects(
  db: Queries,
  psuId: PsuId,
  records: AsyncIterable<PermissionRecord>,
): AsyncGenerator<object, void, undefined> {
  for await (const { asked, status, use } of records) {
    const [history, order] = await Promise.all([
      historyOf(db, asked.id, psuId),
      orderOf(db, asked.id, psuId),
    ]);
    yield {
      id: asked.id,
      kind: asked.kind,
      status,
      ...whoOf(asked),
      purpose: asked.purpose,
      createdAt: instantText(asked.createdAt),
      approvedAt: instantOrNull(asked.approvedAt),
      expiresAt: instantOrNull(asked.expiresAt),
      ...(order ? { paymentOrder: orderObject(order) } : {}),
      recurring: asked.recurring === 1,
      cardLastFour: asked.cardLastFour,
      details: asked.details,
      ...(asked.notes ? { paymentNotes: asked.notes } : {}),
      accounts: asked.accounts,
      uses: use?.count ?? 0,
      lastUsedAt: instantOrNull(use?.lastAt ?? null),
      history: history.map((step) => ({ ...step, at: instantText(step.at) })),
    };
  }
}

export async function* blockObjects(db: Queries, psuId: PsuId): AsyncGenerator<object, void, undefined> {
  for (const { tpp, at } of await blocksOf(db, psuId))
    yield { thirdParty: tpp ?? 'all', blockedAt: instantText(at) };
}

const fundsObject = (line: FundsLine): object => ({
  id: line.id,
  askedAt: instantText(line.at),
  ...whoOf(line),
  payee: line.payee,
  amount: line.amount,
  currency: line.currency,
  account: line.account,
  fundsAvailable: line.available === 1,
  permission: line.consentId,
});

const accessObject = (line: AccessLine): object => ({
  id: line.id,
  accessedAt: instantText(line.at),
  ...whoOf(line),
  data: line.kind,
  account: line.account,
  attended: line.attended === 1,
  permission: line.consentId,
});

export async function* fundsObjects(
  db: Reads,
  psuId: PsuId,
  filter: UseFilter = {},
): AsyncGenerator<object, void, undefined> {
  for await (const line of eachFundsAnswer(db, psuId, filter)) yield fundsObject(line);
}

export async function* accessObjects(
  db: Reads,
  psuId: PsuId,
  filter: UseFilter = {},
): AsyncGenerator<object, void, undefined> {
  for await (const line of eachAccess(db, psuId, filter)) yield accessObject(line);
}
