/** The permissions: the list, one of them, and its withdrawal. A withdrawal acts at once, everywhere: it is one write in the store. */
import { type AskedConsent, findAsked, withdrawConsent } from '../../consent/decide.js';
import { statusAt } from '../../consent/lifecycle.js';
import type { ConsentStatus } from '../../consent/record.js';
import {
  accessesOf,
  applicationsOf,
  eachPermission,
  fundsAnswersOf,
  historyOf,
  usesOf,
} from '../../consent/watch.js';
import { type PageAnswer, seeOther } from '../../http/pages.js';
import { findOrder } from '../../payment/orders.js';
import type { PaymentOrder } from '../../payment/record.js';
import type { Queries } from '../../store/db.js';
import { groupOf, toldHistory } from './covers.js';
import { permissionFilterOf, permissionTest } from './filters.js';
import { type DashboardParts, type HolderVisit, permissionPath, type ShownPermission } from './parts.js';
import { notFoundPage } from './view/message.js';
import { permissionPage, withdrawPage } from './view/permission-page.js';
import { permissionsPage } from './view/permissions-page.js';
import { groups } from './words/words.js';

const PER_PAGE = 20;
const SHOWN_USES = 10;

interface Found {
  readonly id: string;
  readonly status: ConsentStatus;
}

/** All that fit, in the order of the page. Only what is needed to sort them is kept of each. */
const findAll = async (
  { db }: DashboardParts,
  { request, holder }: HolderVisit,
  bankNow: number,
): Promise<readonly Found[]> => {
  const isWanted = permissionTest(permissionFilterOf(request.query));
  const found: Found[] = [];
  for await (const line of eachPermission(db, holder.id)) {
    const status = statusAt(line, bankNow);
    if (isWanted(line, status)) found.push({ id: line.id, status });
  }
  return groups.flatMap((group) => found.filter(({ status }) => groupOf(status) === group));
};

const orderOf = async (db: Queries, asked: AskedConsent): Promise<PaymentOrder | undefined> =>
  asked.submittedAt === null ? undefined : findOrder(db, asked.id, asked);

export const listPermissions = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const { db } = parts;
  const { holder, request } = visit;
  const bankNow = await parts.bankTime();
  const [found, uses, applications] = await Promise.all([
    findAll(parts, visit, bankNow),
    usesOf(db, holder.id),
    applicationsOf(db, holder.id),
  ]);
  const start = found.findIndex(({ id }) => id === request.query.after) + 1;
  const shown = found.slice(start, start + PER_PAGE);
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
    isLater: start > 0,
    next: start + PER_PAGE < found.length ? shown.at(-1)?.id : undefined,
  });
};

const recordOf = async (
  { db }: DashboardParts,
  { request, holder }: HolderVisit,
  bankNow: number,
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
    history: toldHistory(asked, history, bankNow),
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
  const canWithdraw = status === 'Valid' && asked.submittedAt === null;
  return canWithdraw ? withdrawPage(visit, record) : tellOutcome(visit, asked.id);
};

export const withdraw = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const id = visit.request.params.id ?? '';
  const outcome = await withdrawConsent(parts.db, id, visit.holder.id, await parts.bankTime());
  // Done now, done before, over meanwhile: the page of the permission tells which.
  return outcome === 'unknown' ? notFoundPage(visit) : tellOutcome(visit, id);
};
