/** The first step of the journey: the login. A right one gets a new session; every wrong one gets the same answer. */
import type { PageAnswer } from '../../http/pages.js';
import { seeOther } from '../../http/pages.js';
import { SESSION_COOKIE } from '../../psu/sessions.js';
import { flowPage } from '../components/flow-shell.js';
import { loginToken } from '../login/guard/form-token.js';
import { type Attempt, logIn as answerLogin } from '../login/guard/log-in.js';
import { FORM_TOKEN, LoginForm } from '../login/login-form.js';
import { type ApprovalParts, pathOf, type Visit } from './parts.js';

/** Nothing about the request is told before the login: not even whether there is one. */
export const loginPage = (
  parts: ApprovalParts,
  visit: Visit,
  { status = 200, error, username }: Attempt = {},
): PageAnswer => {
  const { frame, lang, words } = visit;
  const { title, text } = words.loginTitle;
  const { formToken, cookie } = loginToken(parts, visit.request);
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
            formToken={formToken}
            error={error}
            username={username}
          />
        </>
      ),
    },
    { status, cookies: [...visit.cookies, cookie] },
  );
};

export const hasFormToken = ({ request, session }: Visit): boolean =>
  session !== undefined && request.form[FORM_TOKEN] === session.formToken;

export const logIn = (parts: ApprovalParts, visit: Visit): Promise<PageAnswer> =>
  answerLogin(parts, visit, pathOf(visit), (attempt) => loginPage(parts, visit, attempt));

export const logOut = async (parts: ApprovalParts, visit: Visit): Promise<PageAnswer> => {
  if (visit.session && hasFormToken(visit)) await parts.sessions.close(visit.session.secret);
  return seeOther(visit.frame.href(pathOf(visit)), [{ name: SESSION_COOKIE, value: '', maxAge: 0 }]);
};
