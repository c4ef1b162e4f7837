/** The login page in front of pages of ours. It shows nothing of what lies behind it. */
import type { PageAnswer } from '../../http/pages.js';
import { flowPage } from '../../web/components/flow-shell.js';
import { type FormTokenParts, loginToken } from '../../web/form-token.js';
import type { Attempt, LoginVisit } from './guard/log-in.js';
import { LoginForm, switchedLogin } from './login-form.js';

export interface Entry {
  /** Where the login leads; the form is posted to `/login` below it. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
  readonly errorPrefix: string;
}

export const entryPage = (
  parts: FormTokenParts,
  { request, frame, lang, cookies }: LoginVisit,
  { path, title, text, errorPrefix }: Entry,
  { status = 200, error, username }: Attempt,
): PageAnswer => {
  const { formToken, cookie } = loginToken(parts, request);
  const action = frame.href(`${path}/login`);
  const children = (
    <>
      <div class="page-head">
        <h1>{title}</h1>
        <p class="lead">{text}</p>
      </div>
      <LoginForm
        frame={frame}
        lang={lang}
        action={action}
        formToken={formToken}
        error={error}
        username={username}
      />
    </>
  );
  return flowPage(
    {
      frame,
      lang,
      title: error ? `${errorPrefix}${title}` : title,
      path,
      form: switchedLogin({ frame, action, formToken }),
      children,
    },
    { status, cookies: [...cookies, cookie] },
  );
};
