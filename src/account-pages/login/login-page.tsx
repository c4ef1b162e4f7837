/** The login page of an authorization: who asks, for what, and the form. */
import type { PageAnswer } from '../../http/pages.js';
import type { Scope } from '../../model/caller.js';
import { flowPage } from '../../web/components/flow-shell.js';
import { formAction } from '../../web/form-token.js';
import type { Frame } from '../../web/frame.js';
import { LoginForm, switchedLogin } from './login-form.js';
import { authorizationTexts, type LoginError } from './login-texts.js';

export interface LoginPageProps {
  readonly frame: Frame;
  readonly lang: string;
  /** Without the prefix of the service; the form is posted here too. */
  readonly path: string;
  readonly formToken: string;
  readonly application: string;
  readonly party: string;
  readonly scopes: readonly Scope[];
  /** A request for approval follows the login. */
  readonly hasRequest: boolean;
  readonly error?: LoginError | undefined;
  readonly username?: string | undefined;
}

const CancelForm = ({ frame, lang, path, formToken }: LoginPageProps) => (
  <form method="post" action={formAction(frame.href(path), formToken)}>
    <button class="button second" type="submit" name="cancel" value="yes">
      {frame.brand.texts.in('authorization', authorizationTexts, lang).cancel}
    </button>
  </form>
);

export const loginPage = (props: LoginPageProps): PageAnswer => {
  const { frame, lang, path, formToken, application, party, scopes, error, username } = props;
  const texts = frame.brand.texts.in('authorization', authorizationTexts, lang);
  const action = frame.href(path);
  return flowPage({
    frame,
    lang,
    title: texts.title,
    path,
    form: switchedLogin({ frame, action, formToken }),
    isAsking: true,
    children: (
      <div class="stack">
        <h1>{texts.title}</h1>
        <section class="card">
          <p>{texts.asks(application, party)}</p>
          <ul>
            {scopes.map((scope) => (
              <li key={scope}>{texts.scopes[scope]}</li>
            ))}
          </ul>
          {props.hasRequest && <p>{texts.follows}</p>}
          <p class="quiet">{texts.limits}</p>
        </section>
        <LoginForm
          frame={frame}
          lang={lang}
          action={action}
          formToken={formToken}
          error={error}
          username={username}
        />
        <CancelForm {...props} />
      </div>
    ),
  });
};
