/** The login form: user name and password. Every page that needs an account holder shows this one. */
import { type PageAnswer, seeOther } from '../../http/pages.js';
import { ErrorSummary, summaryId } from '../../web/components/error-summary.js';
import { formAction } from '../../web/form-token.js';
import type { Frame } from '../../web/frame.js';
import { ownLanguage } from '../../web/language.js';
import { type LoginError, loginTexts } from './login-texts.js';

const LOGIN_FORM = 'login';

export interface LoginFormProps {
  readonly frame: Frame;
  readonly lang: string;
  /** Where the form is posted to, with the prefix of the service. Fields: `username`, `password`. */
  readonly action: string;
  readonly formToken: string;
  readonly error?: LoginError | undefined;
  /** What was typed before; the password never comes back. */
  readonly username?: string | undefined;
}

/** The bank's own login is on another site: a link leads there, and from there back to this page. */
const BankLoginLink = ({ frame, lang, action, start }: LoginFormProps & { readonly start: string }) => {
  const texts = frame.brand.texts.in('login', loginTexts, lang);
  const to = action.slice(frame.href('').length);
  return (
    <div class="stack login-form">
      <p>{texts.ownLogin}</p>
      <div class="actions">
        <a class="button" href={frame.href(`${start}?to=${encodeURIComponent(to)}`)}>
          {texts.goThere}
        </a>
      </div>
    </div>
  );
};

const PasswordForm = ({ frame, lang, action, formToken, error, username }: LoginFormProps) => {
  const texts = frame.brand.texts.in('login', loginTexts, lang);
  const described = { 'aria-describedby': error ? summaryId('username') : undefined } as const;
  return (
    <form
      id={LOGIN_FORM}
      class="stack login-form"
      method="post"
      action={formAction(action, formToken)}
      autocomplete="on"
    >
      {error && <ErrorSummary heading={texts.problem} errors={[{ field: 'username', text: texts[error] }]} />}
      <div class="field">
        <label for="username">{texts.username}</label>
        <input
          id="username"
          name="username"
          type="text"
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          maxLength={128}
          required
          value={username ?? ''}
          {...described}
        />
      </div>
      <div class="field">
        <label for="password">{texts.password}</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          maxLength={256}
          required
          {...described}
        />
      </div>
      <div class="actions">
        <button class="button" type="submit">
          {texts.submit}
        </button>
      </div>
      {frame.additions?.loginHelp?.(ownLanguage(lang))}
    </form>
  );
};

/** Straight to the bank's own login; undefined if the login is a form of ours. A page in between would be an obstacle (DNB, 2023). */
export const toBankLogin = (frame: Frame, path: string): PageAnswer | undefined =>
  frame.loginStart === undefined
    ? undefined
    : seeOther(frame.href(`${frame.loginStart}?to=${encodeURIComponent(path)}`));

/** For the language switch; the bank's own login has no form here. */
export const switchedLogin = ({
  frame,
  action,
  formToken,
}: Pick<LoginFormProps, 'frame' | 'action' | 'formToken'>) =>
  frame.loginStart === undefined ? { id: LOGIN_FORM, action: formAction(action, formToken) } : undefined;

export const LoginForm = (props: LoginFormProps) => {
  const start = props.frame.loginStart;
  return start === undefined ? <PasswordForm {...props} /> : <BankLoginLink {...props} start={start} />;
};
