/** A person is logged in, and an application asks for access: its name and scopes, one button, and the ways out. */
import type { PageAnswer } from '../../http/pages.js';
import { flowPage } from '../../web/components/flow-shell.js';
import { formAction } from '../../web/form-token.js';
import type { LoginPageProps } from './login-page.js';
import { authorizationTexts } from './login-texts.js';

type AgainPageProps = Omit<LoginPageProps, 'hasRequest' | 'error' | 'username'> & {
  /** Of the account holder. */
  readonly name: string;
};

export const againPage = (props: AgainPageProps): PageAnswer => {
  const { frame, lang, path, formToken, application, party, scopes, name } = props;
  const {
    again,
    scopes: abilities,
    limits,
    cancel,
  } = frame.brand.texts.in('authorization', authorizationTexts, lang);
  return flowPage({
    frame,
    lang,
    title: again.title(application),
    path,
    isAsking: true,
    children: (
      <div class="stack">
        <div class="page-head">
          <h1>{again.title(application)}</h1>
          <p class="lead">{again.who(name)}</p>
        </div>
        <section class="card">
          <p>{again.asks(application, party)}</p>
          <ul>
            {scopes.map((scope) => (
              <li key={scope}>{abilities[scope]}</li>
            ))}
          </ul>
          <p class="quiet">{limits}</p>
        </section>
        <form class="actions" method="post" action={formAction(frame.href(path), formToken)}>
          <button class="button" type="submit" name="again" value="yes">
            {again.go(name)}
          </button>
          <button class="button second" type="submit" name="other" value="yes">
            {again.other}
          </button>
          <button class="button second" type="submit" name="cancel" value="yes">
            {cancel}
          </button>
        </form>
      </div>
    ),
  });
};
