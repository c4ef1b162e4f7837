/** The console of the bank's people, below `/operator` on the management listener. */

import { type AnyAct, verbOf } from '../acts/act.js';
import { isAmong } from '../acts/role.js';
import { derivedActs } from '../admin/derived.js';
import { pageOf } from '../console/derived-form.js';
import { messagePage } from '../console/frame.js';
import { type ConsolePath, maySee } from '../console/pages.js';
import { pressAct } from '../console/press.js';
import { CONSOLE, type Guest, SESSION_COOKIE, type Visit } from '../console/visit.js';
import { type Page, type PageAnswer, pageFor } from '../http/pages.js';
import { assets } from '../web/assets/index.js';
import { assetPage } from '../web/assets/page.js';
import { showAnnouncements } from './announcements.js';
import { showAtms, showDraft, uploadAtms } from './atms.js';
import { everyRole, guests, operators, type Stale, sessionOf, toLogin } from './audience.js';
import { showAudit } from './audit.js';
import { press } from './buttons.js';
import { showCalls } from './calls.js';
import { showConsent, showPerson } from './consents.js';
import { showDeliveries } from './deliveries.js';
import { showEvents } from './events.js';
import {
  enrol,
  logIn,
  lostAuthenticator,
  showEnrolment,
  showLogin,
  staleEnrolment,
  staleLogin,
} from './login.js';
import { showParties, showParty } from './parties.js';
import type { ConsoleParts } from './parts.js';
import { showPayments } from './payments.js';
import { showProposals } from './proposals.js';
import { acts, type ConsoleAct, mayDo } from './roles.js';
import { showSearch } from './search.js';
import { showSettings } from './settings.js';
import { showStatistics } from './statistics.js';
import { uploads } from './uploads.js';

type Render = (parts: ConsoleParts, visit: Visit) => Promise<PageAnswer>;
type RenderGuest = (parts: ConsoleParts, guest: Guest) => Promise<PageAnswer>;

/** Those with a form. */
const pageActs = derivedActs.flatMap(([, each]) => (each.page ? [each] : []));

const reads: Readonly<Record<ConsolePath, Render>> = {
  '': showSearch,
  '/parties': showParties,
  '/parties/:id': showParty,
  '/calls': showCalls,
  '/consents/:id': showConsent,
  '/people/:id': showPerson,
  '/payments': showPayments,
  '/proposals': showProposals,
  '/events': showEvents,
  '/events/:id': showDeliveries,
  '/atms': showAtms,
  '/atms/:id': showDraft,
  '/statistics': showStatistics,
  '/announcements': showAnnouncements,
  '/settings': showSettings,
  '/audit': showAudit,
};

const pathOf = (act: ConsoleAct): string => act.replace('/', '/:id/');

/** Its form is sent there. */
const pathOfAct = (act: AnyAct): string => `/${pageOf(act).things}/:id/${verbOf(act)}`;

export const createConsolePages = (parts: ConsoleParts): readonly Page[] => {
  const open = (method: Page['method'], path: string, render: RenderGuest, stale: Stale): Page =>
    pageFor({
      method,
      path: `${CONSOLE}${path}`,
      audience: guests(parts, stale),
      render: (request, guest) => render(parts, { ...guest, request }),
      onFault: (request, error) => lostAuthenticator(parts, request, error),
    });
  const page = (method: Page['method'], path: string, render: Render, isFor = everyRole): Page =>
    pageFor({
      method,
      path: `${CONSOLE}${path}`,
      audience: operators(parts, isFor),
      render: async (request, visit) => ({
        ...(await render(parts, { ...visit, request })),
        by: visit.operator.name,
      }),
    });
  const read = (path: ConsolePath): Page => page('GET', path, reads[path], (role) => maySee(role, path));
  const act = (name: ConsoleAct): Page =>
    page(
      'POST',
      `/${pathOf(name)}`,
      (_parts, visit) => press(parts, visit, name),
      (role) => mayDo(role, name),
    );
  const derivedAct = (each: AnyAct): Page => {
    const show = reads[pageOf(each).path as ConsolePath];
    const to = page(
      'POST',
      pathOfAct(each),
      (_parts, visit) =>
        pressAct({ context: parts.context, show: (again) => show(parts, again) }, visit, each),
      (role) => isAmong(each.roles, role),
    );
    const upload = Object.values(each.input).find((field) => field.upload)?.upload;
    return upload ? { ...to, upload } : to;
  };
  const leave: Render = async (_parts, { request }) => {
    await parts.operators.close(sessionOf(parts, request));
    return { ...toLogin(parts, request), cookies: [{ name: SESSION_COOKIE, value: '', maxAge: 0 }] };
  };
  const names = Object.keys(acts) as ConsoleAct[];
  return [
    open('GET', '/login', showLogin, staleLogin),
    open('POST', '/login', logIn, staleLogin),
    open('GET', '/enrol/:link', showEnrolment, staleEnrolment),
    open('POST', '/enrol/:link', enrol, staleEnrolment),
    page('POST', '/leave', leave),
    ...(Object.keys(reads) as ConsolePath[]).map(read),
    ...names.map(act),
    ...pageActs.map(derivedAct),
    {
      ...page('POST', '/atms', uploadAtms, (role) => mayDo(role, 'atms/publish')),
      upload: uploads.atms,
    },
    // The address bar may hold the address of a form.
    ...[...names.map(pathOf), ...pageActs.map((each) => pathOfAct(each).slice(1))].map((path) =>
      page('GET', `/${path}`, async (_parts, visit) => messagePage(visit, 404, visit.messages.absent)),
    ),
    ...assets.map(assetPage),
  ];
};
