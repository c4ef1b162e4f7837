/** What the approval journey needs of the rest, and what each of its pages knows about its visitor. */

import type { Bank } from '../../bank/bank.js';
import { cookieName, type PageCookie, type PageReport, type PageRequest } from '../../http/pages.js';
import type { Site } from '../../http/render.js';
import type { BankTime } from '../../lib/clock.js';
import type { ConsentId } from '../../model/ids.js';
import type { Regime } from '../../model/regime.js';
import { SESSION_COOKIE, type Session } from '../../psu/sessions.js';
import type { Db } from '../../store/db.js';
import type { Frame } from '../../web/frame.js';
import { languageCookies, pageLanguageOf } from '../../web/language.js';
import type { FirstFactorParts } from '../login/guard/first-factor.js';
import { fields } from './choice.js';
import type { OneTimeCodes } from './codes/one-time-codes.js';
import { messages as allMessages } from './messages/index.js';
import type { ApprovalMessages } from './messages/messages.js';
import type { LowBalance } from './offer.js';

export interface ApprovalParts extends FirstFactorParts {
  readonly db: Db;
  readonly bank: Pick<Bank, 'accountsOf' | 'balances' | 'hasFunds' | 'termsFor'>;
  readonly lowBalance: LowBalance;
  /** As long as a page waits for what it can be shown without. */
  readonly patienceMs: number;
  readonly codes: OneTimeCodes;
  readonly bankTime: () => Promise<BankTime>;
  readonly site: Site;
  /** Asked for with every request: the address is known only once the service listens. */
  readonly frame: () => Frame;
  /** Where a calendar day begins and ends. */
  readonly timeZone: string;
  readonly regime: Regime;
  /** The longest term that an account holder can choose, unless it is open-ended. */
  readonly maxConsentDays: number;
  /** Where the authorization that a request belongs to leads in the end; undefined once it is over. */
  readonly waiting: (hash: string) => Promise<{ readonly redirectUri: string } | undefined>;
  /** Called for faults, because the account holder sees a page and not a problem body. */
  readonly report: PageReport;
}

/** One request to one of the pages of a consent. */
export interface Visit {
  readonly request: PageRequest;
  readonly consentId: ConsentId;
  readonly frame: Frame;
  readonly lang: string;
  readonly messages: ApprovalMessages;
  readonly timeZone: string;
  readonly session: Session | undefined;
  /** The language, if it was chosen just now. */
  readonly cookies: readonly PageCookie[];
}

export type Holder = Session['psu'];

/** A visit of an account holder who has logged in. */
export interface HolderVisit extends Visit {
  readonly session: Session;
  readonly holder: Holder;
  /** Set if the request began within an authorization that waits in this browser. */
  readonly within?: Within;
}

/** An authorization that waits for the decision. */
export interface Within {
  /** The address at which the authorization continues. */
  readonly back: string;
  /** The final address: the application's own, checked by the authorization server. */
  readonly redirectUri: string;
}

/** What is known without asking the store. */
export const strangerVisit = (parts: ApprovalParts, request: PageRequest): Visit => {
  const frame = parts.frame();
  const lang = pageLanguageOf(request, frame);
  const { texts } = frame.brand;
  return {
    request,
    consentId: request.params.id ?? '',
    frame,
    lang,
    messages: texts.in('approval', allMessages, lang),
    timeZone: parts.timeZone,
    session: undefined,
    cookies: languageCookies(request, frame),
  };
};

export const visitOf = async (parts: ApprovalParts, request: PageRequest): Promise<Visit> => ({
  ...strangerVisit(parts, request),
  session: await parts.sessions.find(request.cookies[cookieName(parts.site, SESSION_COOKIE)]),
});

/** The page of this consent, without the prefix under which the service may live. */
export const pathOf = ({ consentId }: Pick<Visit, 'consentId'>, step = ''): string =>
  `/authorise/${encodeURIComponent(consentId)}${step}`;

/** The page that waits for the app to confirm what was shown, or to which the browser comes back after it was confirmed. */
export const outsidePath = (
  visit: Pick<Visit, 'consentId'>,
  step: 'waiting' | 'returned',
  shownHash: string,
  methodId: string | undefined,
): string => {
  const method = methodId === undefined ? '' : `&${fields.method}=${encodeURIComponent(methodId)}`;
  return `${pathOf(visit, `/${step}`)}?shown=${encodeURIComponent(shownHash)}${method}`;
};

/** In full, for others who send the browser here. */
export const addressOf = ({ frame }: Pick<Visit, 'frame'>, path: string): string => `${frame.baseUrl}${path}`;
