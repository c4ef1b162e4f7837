/**
 * In and out of our own pages. A right login leads back to its page with a new session, a wrong one shows the form again.
 */
import { type PageAnswer, type PageCookie, type PageRequest, seeOther } from '../../../http/pages.js';
import { SESSION_COOKIE, type Session } from '../../../psu/sessions.js';
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
  parts: FirstFactorParts,
  { request, session, frame, lang, cookies }: LoginVisit,
  path: string,
  showAgain: (attempt: Attempt) => PageAnswer,
): Promise<PageAnswer> => {
  const username = (request.form.username ?? '').slice(0, MAX_NAME);
  if (isLanguageChange(request)) return showAgain({ username });
  const outcome = await passFirstFactor(parts, request, session?.secret);
  switch (outcome.kind) {
    case 'wait':
      return tooManyPage({ frame, lang, path, wait: outcome.wait });
    case 'refused':
      return showAgain({ status: 400, error: 'refused', username });
    case 'passed':
      return seeOther(frame.href(path), [
        ...cookies,
        ...outcome.cookies,
        { name: SESSION_COOKIE, value: outcome.secret },
      ]);
  }
};

export const noSession = { name: SESSION_COOKIE, value: '', maxAge: 0 } as const;

export const logOut = async (
  { sessions }: Pick<FirstFactorParts, 'sessions'>,
  visit: LoginVisit & { readonly session: Session },
  path: string,
): Promise<PageAnswer> => {
  await sessions.close(visit.session.secret);
  return seeOther(visit.frame.href(path), [noSession]);
};
