/** What the dashboard needs of the rest, and what each of its pages knows about its visitor. */

import type { PermissionRecord } from '../../consent/takeout.js';
import { cookieName, type PageCookie, type PageReport, type PageRequest } from '../../http/pages.js';
import type { Site } from '../../http/render.js';
import type { BankTime } from '../../lib/clock.js';
import type { OrderBooks } from '../../payment/order-books.js';
import type { WatchedOrder } from '../../payment/record.js';
import { SESSION_COOKIE, type Session } from '../../psu/sessions.js';
import type { Db } from '../../store/db.js';
import type { Frame } from '../../web/frame.js';
import { languageCookies, pageLanguageOf } from '../../web/language.js';
import type { OneTimeCodes } from '../approve/codes/one-time-codes.js';
import { messages as approvalMessages } from '../approve/messages/index.js';
import type { ApprovalMessages } from '../approve/messages/messages.js';
import type { FirstFactorParts } from '../login/guard/first-factor.js';
import { messages as allMessages } from './messages/index.js';
import type { DashboardMessages } from './messages/messages.js';

export interface DashboardParts extends FirstFactorParts {
  readonly db: Db;
  readonly codes: OneTimeCodes;
  /** Undefined if the bank carries out no payments. */
  readonly books: OrderBooks | undefined;
  readonly bankTime: () => Promise<BankTime>;
  readonly site: Site;
  /** Asked for with every request: the address is known only once the service listens. */
  readonly frame: () => Frame;
  readonly timeZone: string;
  /** Called for faults, because the account holder sees a page and not a problem body. */
  readonly report: PageReport;
}

/** One request to one of the pages. */
export interface Visit {
  readonly request: PageRequest;
  readonly frame: Frame;
  readonly lang: string;
  readonly messages: DashboardMessages;
  /** The words of the approval journey, for what both say. */
  readonly asking: ApprovalMessages;
  readonly timeZone: string;
  readonly session: Session | undefined;
  /** The browser has a cookie of a session that is over. */
  readonly isStale: boolean;
  /** The language, if it was chosen just now. */
  readonly cookies: readonly PageCookie[];
}

/** A visit of an account holder who has given the first factor. */
export interface HolderVisit extends Visit {
  readonly session: Session;
  readonly holder: Session['psu'];
}

export const DASHBOARD = '/dashboard';
export const appPath = (clientId: string): string => `${DASHBOARD}/apps/${encodeURIComponent(clientId)}`;
export const BLOCKS = `${DASHBOARD}/blocks`;
/** In the place of a third party: all of them. */
export const EVERYONE = 'all';
export const blockPath = (id: string, step: '/add' | '/lift'): string =>
  `${BLOCKS}/${encodeURIComponent(id)}${step}`;
export const permissionPath = (id: string, step = ''): string =>
  `${DASHBOARD}/permissions/${encodeURIComponent(id)}${step}`;

/** What is known without asking the store. */
export const strangerVisit = (parts: DashboardParts, request: PageRequest): Visit => {
  const frame = parts.frame();
  const lang = pageLanguageOf(request, frame);
  const { texts } = frame.brand;
  return {
    request,
    frame,
    lang,
    messages: texts.in('dashboard', allMessages, lang),
    asking: texts.in('approval', approvalMessages, lang),
    timeZone: parts.timeZone,
    session: undefined,
    isStale: false,
    cookies: languageCookies(request, frame),
  };
};

export const visitOf = async (parts: DashboardParts, request: PageRequest): Promise<Visit> => {
  const secret = request.cookies[cookieName(parts.site, SESSION_COOKIE)];
  const session = await parts.sessions.find(secret);
  return { ...strangerVisit(parts, request), session, isStale: Boolean(secret) && session === undefined };
};

/** A permission as the pages show it. */
export interface ShownPermission extends PermissionRecord {
  /** Of a payment that was submitted. */
  readonly order?: WatchedOrder | undefined;
}
