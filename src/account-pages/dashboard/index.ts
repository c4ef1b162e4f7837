/** The account holder's dashboard: permissions by app, payments, balance checks, accesses to data; withdraw, block, download everything. */
import { type Page, type PageAnswer, seeOther } from '../../http/pages.js';
import type { Eventual } from '../../lib/turn.js';
import { hasFormToken, holderVisit, logOut } from '../login/guard/log-in.js';
import { addBlock, confirmBlock, liftSteps, listBlocks } from './blocks.js';
import { exportFile } from './export.js';
import { listPayments, listPermissions, showParty } from './lists.js';
import { entranceSteps, logIn, loginPage } from './login.js';
import {
  DASHBOARD,
  type DashboardParts,
  type HolderVisit,
  strangerVisit,
  type Visit,
  visitOf,
} from './parts.js';
import { cancel, confirmCancellation, confirmWithdrawal, showPermission, withdraw } from './permissions.js';
import { listAccesses, listFunds } from './uses.js';
import { staleFormPage, unavailablePage } from './view/message.js';

export type { DashboardParts } from './parts.js';

type Render<V extends Visit> = (visit: V) => Eventual<PageAnswer>;
type RenderFor = (parts: DashboardParts, visit: HolderVisit) => Promise<PageAnswer>;

const toDashboard = (visit: Visit): PageAnswer => seeOther(visit.frame.href(DASHBOARD), visit.cookies);

/** Only a visitor with both factors in this session may continue. */
const steppedUp = (visit: Visit): HolderVisit | undefined =>
  visit.session?.scaAt === undefined ? undefined : holderVisit(visit);

export const createDashboardPages = (parts: DashboardParts): readonly Page[] => {
  const page = (method: Page['method'], path: string, render: Render<Visit>): Page => ({
    method,
    path: `${DASHBOARD}${path}`,
    render: async (request) => {
      try {
        return await render(await visitOf(parts, request));
      } catch (error) {
        parts.report(error);
        return unavailablePage(strangerVisit(parts, request), error);
      }
    },
  });
  const list = (path: string, render: RenderFor): Page =>
    page('GET', path, (visit) => {
      const holder = steppedUp(visit);
      return holder ? render(parts, holder) : toDashboard(visit);
    });
  /** A form of an account holder who has logged in. */
  const form = (path: string, find: (visit: Visit) => HolderVisit | undefined, render: RenderFor): Page =>
    page('POST', path, (visit) => {
      const holder = find(visit);
      if (!holder) return loginPage(parts, visit, { status: 403, error: 'expired' });
      return hasFormToken(holder) ? render(parts, holder) : staleFormPage(holder);
    });

  return [
    page('GET', '', (visit) => {
      const holder = holderVisit(visit);
      if (!holder) return loginPage(parts, visit);
      return steppedUp(visit) ? listPermissions(parts, holder) : entranceSteps.page(parts, holder);
    }),
    ...(['waiting', 'returned'] as const).flatMap((step) => [
      page('GET', `/${step}`, (visit) => {
        const holder = steppedUp(visit) ? undefined : holderVisit(visit);
        return holder ? entranceSteps[step](parts, holder) : toDashboard(visit);
      }),
      list(`/blocks/:id/lift/${step}`, liftSteps[step]),
    ]),
    page('POST', '/login', (visit) => logIn(parts, visit)),
    page('POST', '/logout', (visit) => logOut(parts, visit, DASHBOARD)),
    form('/code', holderVisit, entranceSteps.submit),
    list('/permissions/:id', showPermission),
    list('/permissions/:id/withdraw', confirmWithdrawal),
    form('/permissions/:id/withdraw', steppedUp, withdraw),
    list('/permissions/:id/cancel', confirmCancellation),
    form('/permissions/:id/cancel', steppedUp, cancel),
    list('/blocks', listBlocks),
    list('/blocks/:id/add', confirmBlock),
    form('/blocks/:id/add', steppedUp, addBlock),
    list('/blocks/:id/lift', liftSteps.page),
    form('/blocks/:id/lift', steppedUp, liftSteps.submit),
    list('/apps/:id', showParty),
    list('/payments', listPayments),
    list('/funds', listFunds),
    list('/accesses', listAccesses),
    list('/export/:file', exportFile),
    // The address bar may hold the address of a form.
    ...['/login', '/logout', '/code', '/permissions', '/apps'].map((path) => page('GET', path, toDashboard)),
  ];
};
