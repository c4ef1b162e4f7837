/** Who is logged in, with a logout for another person. */
import { formAction } from '../../../web/form-token.js';
import { type HolderVisit, pathOf } from '../parts.js';

const LogoutForm = ({ visit, text, look }: { visit: HolderVisit; text: string; look: string }) => (
  <form
    method="post"
    action={formAction(visit.frame.href(pathOf(visit, '/logout')), visit.session.formToken)}
  >
    <button class={look} type="submit">
      {text}
    </button>
  </form>
);

export const LoggedIn = ({ visit }: { readonly visit: HolderVisit }) => (
  <div class="visitor">
    {/* An OpenID provider may give no name. */}
    {visit.holder.name !== '' && <p>{visit.messages.loggedInAs(visit.holder.name)}</p>}
    <LogoutForm visit={visit} text={visit.messages.notYou} look="link-button" />
  </div>
);

export const OtherLogin = ({ visit }: { readonly visit: HolderVisit }) => (
  <LogoutForm visit={visit} text={visit.messages.otherLogin} look="button second" />
);
