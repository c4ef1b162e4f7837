/** The permissions: the list, one of them, and its withdrawal. A withdrawal acts at once, everywhere: it is one write in the store. */

import { type AskedConsent, findAsked } from '../../consent/asked.js';
import { canWithdraw, withdrawConsent } from '../../consent/decide.js';
import { statusAt } from '../../consent/lifecycle.js';
import type { ConsentStatus } from '../../consent/record.js';
import {
  accessesOf,
  applicationsOf,
  eachEndedPermission,
  fundsAnswersOf,
  historyOf,
  openPermissions,
  type PermissionLine,
  usesOf,
} from '../../consent/watch.js';
import { type PageAnswer, seeOther } from '../../http/pages.js';
import type { BankTime } from '../../lib/clock.js';
import type { PsuId } from '../../model/ids.js';
import { findWatchedOrder } from '../../payment/orders.js';
import type { WatchedOrder } from '../../payment/record.js';
import type { Queries } from '../../store/db.js';
import { permissionFilterOf, permissionTest } from './filters.js';
import { groups } from './messages/messages.js';
import { type DashboardParts, type HolderVisit, permissionPath, type ShownPermission } from './parts.js';
import { groupOf, permissionHistory } from './permission-summary.js';
import { notFoundPage } from './view/message.js';
import { permissionPage, withdrawPage } from './view/permission-page.js';
import { permissionsPage } from './view/permissions-page.js';

const PER_PAGE = 20;
const SHOWN_USES = 10;

interface Found {
  readonly id: string;
  readonly status: ConsentStatus;
}

const isBefore = (a: PermissionLine, b: PermissionLine): boolean =>
  a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.id > b.id);

/** The past ones, newest first: what time has ended may still wait to be written down among those that were ended. */
async function* pastOnes(
  timedOut: readonly PermissionLine[],
  ended: AsyncIterable<PermissionLine>,
): AsyncGenerator<PermissionLine, void, undefined> {
  const waiting = [...timedOut];
  for await (const line of ended) {
    for (let first = waiting[0]; first && isBefore(first, line); first = waiting[0]) {
      waiting.shift();
      yield first;
    }
    yield line;
  }
  yield* waiting;
}

/** Those after the last one that was seen, in the order of the groups. Of the past ones only as many are read as are asked for. */
async function* permissionsAfter(
  { db }: DashboardParts,
  psuId: PsuId,
  last: PermissionLine | undefined,
  bankNow: BankTime,
): AsyncGenerator<PermissionLine, void, undefined> {
  const open = await openPermissions(db, psuId);
  const [active = [], waiting = [], timedOut = []] = groups.map((group) =>
    open.filter((line) => groupOf(statusAt(line, bankNow)) === group),
  );
  const first = [...active, ...waiting];
  const seen = first.findIndex(({ id }) => id === last?.id) + 1;
  const past = last && seen === 0 ? last : undefined;
  if (!past) yield* first.slice(seen);
  const ended = eachEndedPermission(db, psuId, past && { at: past.createdAt, id: past.id });
  yield* pastOnes(
    timedOut.filter((line) => !past || isBefore(past, line)),
    ended,
  );
}

/** A page, and whether others come before and after it. */
const findPage = async (parts: DashboardParts, { request, holder }: HolderVisit, bankNow: BankTime) => {
  const isWanted = permissionTest(permissionFilterOf(request.query));
  const last = await findAsked(parts.db, request.query.after ?? '', holder.id);
  const found: Found[] = [];
  for await (const line of permissionsAfter(parts, holder.id, last, bankNow)) {
    const status = statusAt(line, bankNow);
    if (isWanted(line, status)) found.push({ id: line.id, status });
    if (found.length > PER_PAGE) break;
  }
  return { shown: found.slice(0, PER_PAGE), isLater: last !== undefined, isMore: found.length > PER_PAGE };
};

const orderOf = async (db: Queries, asked: AskedConsent): Promise<WatchedOrder | undefined> =>
  asked.submittedAt === null ? undefined : findWatchedOrder(db, asked.id, asked);

export const listPermissions = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const { db } = parts;
  const { holder, request } = visit;
  const bankNow = await parts.bankTime();
  const [{ shown, isLater, isMore }, uses, applications] = await Promise.all([
    findPage(parts, visit, bankNow),
    usesOf(db, holder.id),
    applicationsOf(db, holder.id),
  ]);
  const loaded = await Promise.all(
    shown.map(async ({ id, status }): Promise<ShownPermission | undefined> => {
      const asked = await findAsked(db, id, holder.id);
      return asked && { asked, status, use: uses.get(id), order: await orderOf(db, asked) };
    }),
  );
  return permissionsPage({
    visit,
    filter: permissionFilterOf(request.query),
    applications,
    records: loaded.filter((record) => record !== undefined),
    isLater,
    next: isMore ? shown.at(-1)?.id : undefined,
  });
};

const recordOf = async (
  { db }: DashboardParts,
  { request, holder }: HolderVisit,
  bankNow: BankTime,
): Promise<ShownPermission | undefined> => {
  const asked = await findAsked(db, request.params.id ?? '', holder.id);
  if (!asked) return undefined;
  const uses = await usesOf(db, holder.id);
  const order = await orderOf(db, asked);
  return { asked, status: statusAt(asked, bankNow), use: uses.get(asked.id), order };
};

/** Says that a withdrawal was tried: the page then tells what came of it. */
const TRIED = 'tried';

export const showPermission = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const { db } = parts;
  const { holder, request } = visit;
  const bankNow = await parts.bankTime();
  const record = await recordOf(parts, visit, bankNow);
  if (!record) return notFoundPage(visit);
  const { asked } = record;
  const filter = { consentId: asked.id };
  const [history, funds, accesses] = await Promise.all([
    historyOf(db, asked.id, holder.id),
    fundsAnswersOf(db, holder.id, filter, undefined, SHOWN_USES),
    accessesOf(db, holder.id, filter, undefined, SHOWN_USES),
  ]);
  return permissionPage({
    visit,
    record,
    history: permissionHistory(asked, history, bankNow),
    funds,
    accesses,
    isTried: request.query[TRIED] !== undefined,
  });
};

const tellOutcome = ({ frame }: HolderVisit, id: string): PageAnswer =>
  seeOther(frame.href(`${permissionPath(id)}?${TRIED}=yes`));

export const confirmWithdrawal = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const record = await recordOf(parts, visit, await parts.bankTime());
  if (!record) return notFoundPage(visit);
  const { asked, status } = record;
  return canWithdraw(asked, status) ? withdrawPage(visit, record) : tellOutcome(visit, asked.id);
};

export const withdraw = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const id = visit.request.params.id ?? '';
  const outcome = await withdrawConsent(parts.db, id, visit.holder.id, await parts.bankTime());
  // Done now, done before, over meanwhile: the page of the permission tells which.
  return outcome === 'unknown' ? notFoundPage(visit) : tellOutcome(visit, id);
};
