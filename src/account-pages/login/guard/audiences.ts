/** The pages of account holders by who may use them: everybody, everybody with our login form, those who have logged in with one factor or both. */
import { type Audience, isForm } from '../../../http/audience.js';
import {
  type Page,
  type PageAnswer,
  type PageReport,
  type PageRequest,
  pageFor,
  seeOther,
} from '../../../http/pages.js';
import type { Eventual } from '../../../lib/turn.js';
import type { Session } from '../../../psu/sessions.js';
import { type FormTokenParts, formTokenIn, hasLoginToken } from '../../../web/form-token.js';
import { type Attempt, type LoginVisit, noSession } from './log-in.js';

/** The visit of an account holder who has logged in. */
export type Holding<V extends LoginVisit> = V & {
  readonly session: Session;
  readonly holder: Session['psu'];
};

export const holderVisit = <V extends LoginVisit>(visit: V): Holding<V> | undefined => {
  const { session } = visit;
  return session && { ...visit, session, holder: session.psu };
};

/** Only a visitor with both factors in this session. */
export const steppedUp = <V extends LoginVisit>(visit: V): Holding<V> | undefined =>
  visit.session?.scaAt === undefined ? undefined : holderVisit(visit);

const finds = { 'account holder': holderVisit, 'account holder with both factors': steppedUp } as const;

/** What a room shows to those who may not use a page, or when a page fails. */
export interface Doors<V extends LoginVisit> {
  /** Of the room; those of its pages are below it. */
  readonly path: string;
  readonly visitOf: (request: PageRequest) => Promise<V>;
  readonly showLogin: (visit: V, attempt: Attempt) => PageAnswer;
  /** For a form that was not made for this session. */
  readonly showStale: (visit: Holding<V>) => PageAnswer;
  readonly showFault: (request: PageRequest, error: unknown) => PageAnswer;
}

export interface RoomParts extends FormTokenParts {
  readonly report: PageReport;
}

const expired = { status: 403, error: 'expired' } as const;

export const roomOf = <V extends LoginVisit>(parts: RoomParts, doors: Doors<V>) => {
  const { visitOf, showLogin } = doors;
  const page = <Admitted extends V>(
    method: Page['method'],
    path: string,
    audience: Audience<Admitted>,
    render: (visit: Admitted) => Eventual<PageAnswer>,
  ): Page =>
    pageFor({
      method,
      path: `${doors.path}${path}`,
      audience,
      // The audience has seen the request without its form.
      render: (request, visit) => render({ ...visit, request }),
      onFault: (request, error) => {
        parts.report(error, request);
        return doors.showFault(request, error);
      },
    });
  const holders = (
    name: keyof typeof finds,
    otherwise = (visit: V): PageAnswer => showLogin(visit, expired),
    showStale = doors.showStale,
  ): Audience<Holding<V>> => ({
    name,
    admit: async (request) => {
      const visit = await visitOf(request);
      const holder = finds[name](visit);
      if (!holder) return { answer: otherwise(visit) };
      const isOurs = !isForm(request) || formTokenIn(request) === holder.session.formToken;
      return isOurs ? { visitor: holder } : { answer: showStale(holder) };
    },
  });
  const everybody: Audience<V> = {
    name: 'everybody',
    admit: async (request) => ({ visitor: await visitOf(request) }),
  };
  const loggingIn: Audience<V> = {
    name: 'visitor',
    admit: async (request) => {
      const visit = await visitOf(request);
      return hasLoginToken(parts, request) ? { visitor: visit } : { answer: showLogin(visit, expired) };
    },
  };
  /** A logout that is not ours forgets the cookie and ends nothing. */
  const leaving = (pathOf: (visit: V) => string): Audience<Holding<V>> => {
    const forget = (visit: V): PageAnswer => seeOther(visit.frame.href(pathOf(visit)), [noSession]);
    return holders('account holder', forget, forget);
  };
  return { page, everybody, loggingIn, holders, leaving };
};
