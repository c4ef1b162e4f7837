/**
 * In and out of our own pages. A right login leads back to its page with a new session, a wrong one shows the form again.
 */
import { type PageAnswer, type PageCookie, type PageRequest, seeOther } from '../../../http/pages.js';
import { SESSION_COOKIE, type Session } from '../../../psu/sessions.js';
import { FORM_TOKEN, type FormTokenParts, hasLoginToken } from '../../../web/form-token.js';
import type { Frame } from '../../../web/frame.js';
import { isLanguageChange } from '../../../web/language.js';
import type { LoginError } from '../login-texts.js';
import { type FirstFactorParts, MAX_NAME, passFirstFactor } from './first-factor.js';
import { tooManyPage } from './too-many-page.js';

/** A request to one of our own pages. */
export interface LoginVisit {
  readonly request: PageRequest;
  readonly frame: Frame;
  readonly lang: string;
  readonly session: Session | undefined;
  readonly cookies: readonly PageCookie[];
}

/** What the form shows of an attempt that failed. */
export interface Attempt {
  readonly status?: number;
  readonly error?: LoginError | undefined;
  readonly username?: string;
}

export const logIn = async (
  parts: FirstFactorParts & FormTokenParts,
  { request, session, frame, lang, cookies }: LoginVisit,
  path: string,
  showAgain: (attempt: Attempt) => PageAnswer,
): Promise<PageAnswer> => {
  const username = (request.form.username ?? '').slice(0, MAX_NAME);
  if (!hasLoginToken(parts, request)) return showAgain({ status: 403, error: 'expired', username });
  if (isLanguageChange(request)) return showAgain({ username });
  const outcome = await passFirstFactor(parts, request, session?.secret);
  switch (outcome.kind) {
    case 'wait':
      return tooManyPage({ frame, lang, path, wait: outcome.wait });
    case 'refused':
      return showAgain({ status: 400, error: 'refused', username });
    case 'passed':
      return seeOther(frame.href(path), [...cookies, { name: SESSION_COOKIE, value: outcome.secret }]);
  }
};

/** The visit of an account holder who has logged in. */
export const holderVisit = <V extends LoginVisit>(visit: V) => {
  const { session } = visit;
  return session && { ...visit, session, holder: session.psu };
};

/** Whether a form was made for this session. */
export const hasFormToken = ({ request, session }: LoginVisit): boolean =>
  session !== undefined && request.form[FORM_TOKEN] === session.formToken;

export const noSession = { name: SESSION_COOKIE, value: '', maxAge: 0 } as const;

export const logOut = async (
  { sessions }: Pick<FirstFactorParts, 'sessions'>,
  visit: LoginVisit,
  path: string,
): Promise<PageAnswer> => {
  if (visit.session && hasFormToken(visit)) await sessions.close(visit.session.secret);
  return seeOther(visit.frame.href(path), [noSession]);
};
