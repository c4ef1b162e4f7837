/** Who may use a page of the console: a visitor with a form of ours, or an operator in one of its roles. */
import { type OperatorRole, operatorRoles } from '../acts/role.js';
import { messagePage } from '../console/frame.js';
import {
  CONSOLE,
  formTokenOf,
  type Guest,
  guestOf,
  SESSION_COOKIE,
  type Visit,
  visitOf,
} from '../console/visit.js';
import { type Audience, isForm } from '../http/audience.js';
import { cookieName, type PageAnswer, type PageRequest, seeOther } from '../http/pages.js';
import { formTokenIn, hasLoginToken } from '../web/form-token.js';
import type { ConsoleParts } from './parts.js';

export const sessionOf = ({ site }: ConsoleParts, { cookies }: PageRequest): string =>
  cookies[cookieName(site, SESSION_COOKIE)] ?? '';

export const toLogin = (parts: ConsoleParts, request: PageRequest): PageAnswer =>
  seeOther(guestOf(parts, request).frame.href(`${CONSOLE}/login`));

/** The page again, for a form that is not ours or too old. */
export type Stale = (parts: ConsoleParts, guest: Guest) => Promise<PageAnswer>;

export const guests = (parts: ConsoleParts, stale: Stale): Audience<Guest> => ({
  name: 'visitor',
  admit: async (request) => {
    const guest = guestOf(parts, request);
    const isOurs = !isForm(request) || hasLoginToken(parts, request);
    return isOurs ? { visitor: guest } : { answer: await stale(parts, guest) };
  },
});

export const everyRole = (_role: OperatorRole): boolean => true;

export const operators = (parts: ConsoleParts, isFor: (role: OperatorRole) => boolean): Audience<Visit> => ({
  name: 'operator',
  roles: operatorRoles.filter(isFor),
  admit: async (request) => {
    const session = sessionOf(parts, request);
    const operator = await parts.operators.find(session);
    if (!operator) return { answer: toLogin(parts, request) };
    const visit = visitOf(guestOf(parts, request), operator, session);
    const refuse = (text: string) => ({ answer: { ...messagePage(visit, 403, text), by: operator.name } });
    if (isForm(request) && formTokenIn(request) !== formTokenOf(session)) return refuse(visit.messages.stale);
    return isFor(operator.role) ? { visitor: visit } : refuse(visit.messages.notAllowed);
  },
});
