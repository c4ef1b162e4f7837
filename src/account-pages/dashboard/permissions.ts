/** One permission or payment, its withdrawal, and the cancellation of a payment. Each acts at once, everywhere: it is one write in the store. */

import { type AskedConsent, findAsked } from '../../consent/asked.js';
import { canWithdraw, withdrawConsent } from '../../consent/decide.js';
import { statusAt } from '../../consent/lifecycle.js';
import type { ListPage } from '../../consent/page.js';
import { type AccessLine, accessesOf, type FundsLine, fundsAnswersOf } from '../../consent/uses.js';
import { historyOf } from '../../consent/watch.js';
import { type PageAnswer, seeOther } from '../../http/pages.js';
import type { BankTime } from '../../lib/clock.js';
import { cancelPayment, NotCancelled } from '../../payment/cancel.js';
import { isOver } from '../../payment/lifecycle.js';
import { findOrder, findWatchedOrder } from '../../payment/orders.js';
import type { WatchedOrder } from '../../payment/record.js';
import type { Queries } from '../../store/db.js';
import { type DashboardParts, type HolderVisit, permissionPath, type ShownPermission } from './parts.js';
import { permissionHistory } from './permission-summary.js';
import { cancelPage, withdrawPage } from './view/confirm-pages.js';
import { notFoundPage } from './view/message.js';
import { permissionPage } from './view/permission-page.js';

const SHOWN_USES = 10;

const orderOf = async (db: Queries, asked: AskedConsent): Promise<WatchedOrder | undefined> =>
  asked.submittedAt === null ? undefined : findWatchedOrder(db, asked.id, asked);

const recordOf = async (
  { db }: DashboardParts,
  { request, holder }: HolderVisit,
  bankNow: BankTime,
): Promise<ShownPermission | undefined> => {
  const asked = await findAsked(db, request.params.id ?? '', holder.id);
  if (!asked) return undefined;
  const order = await orderOf(db, asked);
  return { asked, status: statusAt(asked, bankNow), use: undefined, order };
};

/** How often it was used, and when last; a payment is used by its submission. */
const useOf = (
  { order }: ShownPermission,
  funds: ListPage<FundsLine>,
  accesses: ListPage<AccessLine>,
): ShownPermission['use'] => {
  const count = funds.total + accesses.total + (order ? 1 : 0);
  const last = [funds.rows[0]?.at, accesses.rows[0]?.at, order?.createdAt];
  return count === 0 ? undefined : { count, lastAt: Math.max(...last.map((at) => at ?? 0)) };
};

/** Whether it has left is known to the bank alone, which is asked in the end. */
const canCancel = ({ books }: DashboardParts, { order }: ShownPermission): boolean =>
  books !== undefined && order !== undefined && !isOver(order.status);

/** Says that a withdrawal was tried: the page then tells what came of it. */
const TRIED = 'tried';

const showNow = async (parts: DashboardParts, visit: HolderVisit, isLate: boolean): Promise<PageAnswer> => {
  const { db } = parts;
  const { holder, request } = visit;
  const bankNow = await parts.bankTime();
  const record = await recordOf(parts, visit, bankNow);
  if (!record) return notFoundPage(visit);
  const { asked } = record;
  const filter = { consentId: asked.id };
  const [history, funds, accesses] = await Promise.all([
    historyOf(db, asked.id, holder.id),
    fundsAnswersOf(db, holder.id, filter, {}, SHOWN_USES),
    accessesOf(db, holder.id, filter, {}, SHOWN_USES),
  ]);
  return permissionPage({
    visit,
    record: { ...record, use: useOf(record, funds, accesses) },
    history: permissionHistory(asked, history, bankNow),
    funds: funds.rows,
    accesses: accesses.rows,
    isTried: request.query[TRIED] !== undefined,
    canCancel: canCancel(parts, record),
    isLate,
  });
};

export const showPermission = (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> =>
  showNow(parts, visit, false);

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

export const confirmCancellation = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const record = await recordOf(parts, visit, await parts.bankTime());
  if (!record?.order) return notFoundPage(visit);
  return canCancel(parts, record) ? cancelPage(visit, record) : tellOutcome(visit, record.asked.id);
};

/** As the third party does it, and with the same events for it. */
export const cancel = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const { db, books, bankTime } = parts;
  const asked = await findAsked(db, visit.request.params.id ?? '', visit.holder.id);
  const order = asked && (await orderOf(db, asked));
  if (!order || !books) return notFoundPage(visit);
  const find = async () => (await findOrder(db, order.consentId, order)) ?? order;
  try {
    await cancelPayment({ books, bankTime, by: 'psu', find, commit: (change) => db.transaction(change) });
  } catch (error) {
    if (error instanceof NotCancelled) return showNow(parts, visit, true);
    throw error;
  }
  return tellOutcome(visit, order.consentId);
};
