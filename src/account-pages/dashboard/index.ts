/** The account holder's dashboard: permissions by app, payments, balance checks, accesses to data; withdraw, block, download everything. */
import type { Audience } from '../../http/audience.js';
import { type Page, type PageAnswer, seeOther } from '../../http/pages.js';
import type { Eventual } from '../../lib/turn.js';
import { holderVisit, roomOf, steppedUp } from '../login/guard/audiences.js';
import { logOut } from '../login/guard/log-in.js';
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

type Render = (visit: Visit) => Eventual<PageAnswer>;
type RenderFor = (parts: DashboardParts, visit: HolderVisit) => Promise<PageAnswer>;

const toDashboard = (visit: Visit): PageAnswer => seeOther(visit.frame.href(DASHBOARD), visit.cookies);

/** The kinds of pages by who may use them. */
const kindsOf = (parts: DashboardParts) => {
  const { page, everybody, loggingIn, holders, leaving } = roomOf<Visit>(parts, {
    path: DASHBOARD,
    visitOf: (request) => visitOf(parts, request),
    showLogin: (visit, attempt) => loginPage(parts, visit, attempt),
    showStale: staleFormPage,
    showFault: (request, error) => unavailablePage(strangerVisit(parts, request), error),
  });
  const get = (path: string, render: Render): Page => page('GET', path, everybody, render);
  const list = (path: string, render: RenderFor): Page =>
    page('GET', path, holders('account holder with both factors', toDashboard), (visit) =>
      render(parts, visit),
    );
  /** A form of an account holder who has logged in. */
  const form = (path: string, audience: Audience<HolderVisit>, render: RenderFor): Page =>
    page('POST', path, audience, (visit) => render(parts, visit));
  const logout = page(
    'POST',
    '/logout',
    leaving(() => DASHBOARD),
    (visit) => logOut(parts, visit, DASHBOARD),
  );
  const login = page('POST', '/login', loggingIn, (visit) => logIn(parts, visit));
  return {
    get,
    list,
    login,
    logout,
    form: (path: string, render: RenderFor): Page =>
      form(path, holders('account holder with both factors'), render),
    codeForm: (path: string, render: RenderFor): Page => form(path, holders('account holder'), render),
  };
};

export const createDashboardPages = (parts: DashboardParts): readonly Page[] => {
  const { get, list, login, logout, form, codeForm } = kindsOf(parts);
  return [
    get('', (visit) => {
      const holder = holderVisit(visit);
      if (!holder) return loginPage(parts, visit);
      return steppedUp(visit) ? listPermissions(parts, holder) : entranceSteps.page(parts, holder);
    }),
    ...(['waiting', 'returned'] as const).flatMap((step) => [
      get(`/${step}`, (visit) => {
        const holder = steppedUp(visit) ? undefined : holderVisit(visit);
        return holder ? entranceSteps[step](parts, holder) : toDashboard(visit);
      }),
      list(`/blocks/:id/lift/${step}`, liftSteps[step]),
    ]),
    login,
    logout,
    codeForm('/code', entranceSteps.submit),
    list('/permissions/:id', showPermission),
    list('/permissions/:id/withdraw', confirmWithdrawal),
    form('/permissions/:id/withdraw', withdraw),
    list('/permissions/:id/cancel', confirmCancellation),
    form('/permissions/:id/cancel', cancel),
    list('/blocks', listBlocks),
    list('/blocks/:id/add', confirmBlock),
    form('/blocks/:id/add', addBlock),
    list('/blocks/:id/lift', liftSteps.page),
    form('/blocks/:id/lift', liftSteps.submit),
    list('/apps/:id', showParty),
    list('/payments', listPayments),
    list('/funds', listFunds),
    list('/accesses', listAccesses),
    list('/export/:file', exportFile),
    // The address bar may hold the address of a form.
    ...['/login', '/logout', '/code', '/permissions', '/apps'].map((path) => get(path, toDashboard)),
  ];
};
