/** The console of the bank's people, below `/operator` on the management listener. */
import { cookieName, type Page, type PageAnswer, type PageRequest, seeOther } from '../http/pages.js';
import { assets } from '../web/assets/index.js';
import { assetPage } from '../web/assets/page.js';
import { FORM_TOKEN } from '../web/form-token.js';
import { press } from './acts.js';
import { showAnnouncements } from './announcements.js';
import { MOST_UPLOADED, showAtms, showDraft, uploadAtms } from './atms.js';
import { showAudit } from './audit.js';
import { showCalls } from './calls.js';
import { showConsent, showPerson } from './consents.js';
import { showDeliveries } from './deliveries.js';
import { showEvents } from './events.js';
import { messagePage } from './frame.js';
import { enrol, logIn, SESSION_COOKIE, showEnrolment, showLogin } from './login.js';
import { showParties, showParty } from './parties.js';
import { showPayments } from './payments.js';
import { acts, type ConsoleAct, mayDo } from './roles.js';
import { showSearch } from './search.js';
import { showSettings } from './settings.js';
import { MOST_IMPORTED, showStatistics } from './statistics.js';
import {
  CONSOLE,
  type ConsoleParts,
  formTokenOf,
  type Guest,
  guestOf,
  type Visit,
  visitOf,
} from './visit.js';

type Render = (parts: ConsoleParts, visit: Visit) => Promise<PageAnswer>;
type RenderGuest = (parts: ConsoleParts, guest: Guest) => Promise<PageAnswer>;

const reads: Readonly<Record<string, Render>> = {
  '': showSearch,
  '/parties': showParties,
  '/parties/:id': showParty,
  '/calls': showCalls,
  '/consents/:id': showConsent,
  '/people/:id': showPerson,
  '/payments': showPayments,
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

export const createConsolePages = (parts: ConsoleParts): readonly Page[] => {
  const sessionOf = ({ cookies }: PageRequest): string =>
    cookies[cookieName(parts.site, SESSION_COOKIE)] ?? '';
  const toLogin = (request: PageRequest): PageAnswer =>
    seeOther(guestOf(parts, request).frame.href(`${CONSOLE}/login`));

  const open = (method: Page['method'], path: string, render: RenderGuest): Page => ({
    method,
    path: `${CONSOLE}${path}`,
    render: (request) => render(parts, guestOf(parts, request)),
  });
  const page = (method: Page['method'], path: string, render: Render): Page => ({
    method,
    path: `${CONSOLE}${path}`,
    render: async (request) => {
      const session = sessionOf(request);
      const operator = await parts.operators.find(session);
      if (!operator) return toLogin(request);
      const visit = visitOf(guestOf(parts, request), operator, session);
      const isOurs = method === 'GET' || request.form[FORM_TOKEN] === formTokenOf(session);
      return isOurs ? render(parts, visit) : messagePage(visit, 403, visit.messages.stale);
    },
  });
  const act = (name: ConsoleAct): Page =>
    page('POST', `/${pathOf(name)}`, async (_parts, visit) =>
      mayDo(visit.operator.role, name)
        ? press(parts, visit, name)
        : messagePage(visit, 403, visit.messages.notAllowed),
    );
  const leave: Render = async (_parts, { request }) => {
    await parts.operators.close(sessionOf(request));
    return { ...toLogin(request), cookies: [{ name: SESSION_COOKIE, value: '', maxAge: 0 }] };
  };
  const names = Object.keys(acts) as ConsoleAct[];
  return [
    open('GET', '/login', showLogin),
    open('POST', '/login', logIn),
    open('GET', '/enrol/:link', showEnrolment),
    open('POST', '/enrol/:link', enrol),
    page('POST', '/leave', leave),
    ...Object.entries(reads).map(([path, render]) => page('GET', path, render)),
    ...names.map((name) =>
      name === 'statistics/import' ? { ...act(name), uploadBytes: MOST_IMPORTED } : act(name),
    ),
    { ...page('POST', '/atms', uploadAtms), uploadBytes: MOST_UPLOADED },
    // The address bar may hold the address of a form.
    ...names.map((name) =>
      page('GET', `/${pathOf(name)}`, async (_parts, visit) =>
        messagePage(visit, 404, visit.messages.absent),
      ),
    ),
    ...assets.map(assetPage),
  ];
};
