/** The first step of the journey: the login. A right one gets a new session; every wrong one gets the same answer. */
import type { PageAnswer } from '../../http/pages.js';
import { seeOther } from '../../http/pages.js';
import { SESSION_COOKIE, type Session } from '../../psu/sessions.js';
import { flowPage } from '../components/flow-shell.js';
import { MAX_NAME, passFirstFactor } from '../login/first-factor.js';
import { FORM_TOKEN, LoginForm } from '../login/login-form.js';
import type { LoginError } from '../login/login-texts.js';
import { type ApprovalParts, pathOf, type Visit } from './parts.js';

interface Attempt {
  readonly status?: number;
  readonly error?: LoginError;
  readonly username?: string;
}

/** Nothing about the request is told before the login: not even whether there is one. */
const page = (visit: Visit, session: Session, { status = 200, error, username }: Attempt): PageAnswer => {
  const { frame, lang, words } = visit;
  const { title, text } = words.loginTitle;
  return flowPage(
    {
      frame,
      lang,
      title: error ? `${words.errorPrefix}${title}` : title,
      path: pathOf(visit),
      children: (
        <>
          <div class="page-head">
            <h1>{title}</h1>
            <p class="lead">{text}</p>
          </div>
          <LoginForm
            frame={frame}
            lang={lang}
            action={frame.href(pathOf(visit, '/login'))}
            formToken={session.formToken}
            error={error}
            username={username}
          />
        </>
      ),
    },
    { status, cookies: [...visit.cookies, { name: SESSION_COOKIE, value: session.secret }] },
  );
};

/** The login page, with an anonymous session for its form token where there is none. */
export const loginPage = async (
  parts: ApprovalParts,
  visit: Visit,
  attempt: Attempt = {},
): Promise<PageAnswer> => {
  const known = visit.session?.psu === undefined ? visit.session : undefined;
  return page(visit, known ?? (await parts.sessions.open()), attempt);
};

export const hasFormToken = ({ request, session }: Visit): boolean =>
  session !== undefined && request.form[FORM_TOKEN] === session.formToken;

export const logIn = async (parts: ApprovalParts, visit: Visit): Promise<PageAnswer> => {
  const { session, request } = visit;
  const { username = '' } = request.form;
  if (!hasFormToken(visit)) return loginPage(parts, visit, { status: 403, error: 'expired', username });
  const passed = await passFirstFactor(parts, request, session);
  if (!passed)
    return loginPage(parts, visit, { status: 400, error: 'refused', username: username.slice(0, MAX_NAME) });
  return seeOther(visit.frame.href(pathOf(visit)), [
    ...visit.cookies,
    { name: SESSION_COOKIE, value: passed.secret },
  ]);
};

export const logOut = async (parts: ApprovalParts, visit: Visit): Promise<PageAnswer> => {
  if (visit.session && hasFormToken(visit)) await parts.sessions.close(visit.session.secret);
  return seeOther(visit.frame.href(pathOf(visit)), [{ name: SESSION_COOKIE, value: '', maxAge: 0 }]);
};
