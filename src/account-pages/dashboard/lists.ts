/** The lists of permissions and payments: by app, of one app, and what a search finds. */

import { blocksOf } from '../../consent/blocks.js';
import { listedOnes, waitingOnes } from '../../consent/listed.js';
import { findLines } from '../../consent/lists.js';
import { activeOnes, partiesOf, standingsOf } from '../../consent/parties.js';
import type { PageAnswer } from '../../http/pages.js';
import {
  type Filter,
  isInverted,
  isNarrowed,
  listFilter,
  paymentFilterOf,
  permissionFilterOf,
  spotOf,
} from './filters.js';
import { appPath, DASHBOARD, type DashboardParts, type HolderVisit } from './parts.js';
import { sectionPath } from './view/board.js';
import { type LinesView, partyPage, paymentsPage, resultsPage } from './view/lists.js';
import { notFoundPage } from './view/message.js';
import { overviewPage } from './view/overview.js';

const PER_PAGE = 10;
const PARTIES_PER_PAGE = 10;
const WAITING_SHOWN = 20;

const PAGE = /^[1-9]\d{0,4}$/;

const overview = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const { db } = parts;
  const psuId = visit.holder.id;
  const bankNow = await parts.bankTime();
  const [parties, blocks, waiting] = await Promise.all([
    partiesOf(db, psuId, bankNow),
    blocksOf(db, psuId),
    waitingOnes(db, psuId, bankNow, WAITING_SHOWN),
  ]);
  const last = Math.max(1, Math.ceil(parties.length / PARTIES_PER_PAGE));
  const { page: asked = '' } = visit.request.query;
  const page = Math.min(PAGE.test(asked) ? Number(asked) : 1, last);
  const skipped = (page - 1) * PARTIES_PER_PAGE;
  const onPage = parties.slice(skipped, skipped + PARTIES_PER_PAGE);
  const [shown, active] = await Promise.all([
    standingsOf(db, psuId, bankNow, onPage),
    activeOnes(db, psuId, bankNow, onPage),
  ]);
  const lines = await listedOnes(db, psuId, [...new Set([...waiting, ...[...active.values()].flat()])]);
  const byId = new Map(lines.map((line) => [line.id, line]));
  const linesOf = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? []);
  return overviewPage({
    visit,
    bankNow,
    waiting: linesOf(waiting),
    parties,
    skipped,
    shown,
    active: new Map([...active].map(([clientId, ids]) => [clientId, linesOf(ids)])),
    blocks,
    page,
  });
};

interface Wanted {
  readonly list: 'permissions' | 'payments';
  readonly path: string;
  readonly filter: Filter;
  /** Of one app only. */
  readonly clientId?: string;
}

const linesView = async (
  { db, timeZone, ...parts }: DashboardParts,
  visit: HolderVisit,
  { list, path, filter, clientId = filter.app }: Wanted,
): Promise<LinesView> => {
  const psuId = visit.holder.id;
  const bankNow = await parts.bankTime();
  const parties = await partiesOf(db, psuId, bankNow);
  const errors = isInverted(filter) ? [{ field: 'filter-to', text: visit.messages.board.inverted }] : [];
  const found = await findLines(db, {
    list,
    psuId,
    filter: listFilter({ ...filter, app: clientId }, timeZone, parties, bankNow),
    spot: spotOf(visit.request.query),
    size: PER_PAGE,
  });
  const ids = errors.length > 0 ? [] : found.rows.map(({ id }) => id);
  const lines = await listedOnes(db, psuId, ids);
  return { visit, bankNow, list, path, filter, clientId, errors, parties, found, lines };
};

/** By app; as one list if it is searched or narrowed. */
export const listPermissions = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const filter = permissionFilterOf(visit.request.query);
  if (!isNarrowed(filter)) return overview(parts, visit);
  return resultsPage(await linesView(parts, visit, { list: 'permissions', path: DASHBOARD, filter }));
};

export const showParty = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const clientId = visit.request.params.id ?? '';
  const filter = { ...permissionFilterOf(visit.request.query), app: undefined };
  const path = appPath(clientId);
  const view = await linesView(parts, visit, { list: 'permissions', path, filter, clientId });
  const psuId = visit.holder.id;
  const known = view.parties.filter((each) => each.clientId === clientId);
  const [[party], blocks] = await Promise.all([
    standingsOf(parts.db, psuId, view.bankNow, known),
    blocksOf(parts.db, psuId),
  ]);
  return party ? partyPage(view, party, blocks) : notFoundPage(visit);
};

export const listPayments = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> =>
  paymentsPage(
    await linesView(parts, visit, {
      list: 'payments',
      path: sectionPath.payments,
      filter: paymentFilterOf(visit.request.query),
    }),
  );
