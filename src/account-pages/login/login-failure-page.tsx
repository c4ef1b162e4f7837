/** Pages between the bank's login and ours: the end if the browser cannot be sent back, and the way on if it can. */
import type { PageAnswer } from '../../http/pages.js';
import { flowPage } from '../../web/components/flow-shell.js';
import type { Frame } from '../../web/frame.js';
import { authorizationTexts, type LoginFailure } from './login-texts.js';
import { maintenanceText } from './maintenance.js';

export interface LoginFailureProps {
  readonly frame: Frame;
  readonly lang: string;
  readonly reason: LoginFailure;
  /** Why it is unavailable. */
  readonly error?: unknown;
}

export const loginFailurePage = ({ frame, lang, reason, error }: LoginFailureProps): PageAnswer => {
  const { title, text } = frame.brand.texts.in('authorization', authorizationTexts, lang).failures[reason];
  const children = (
    <div class="stack">
      <h1>{title}</h1>
      <p class="lead">
        {maintenanceText(error, frame, lang)}
        {text}
      </p>
    </div>
  );
  // The request cannot be repeated in the other language, so the switch leads to the front page.
  return flowPage(
    { frame, lang, title, path: '/', children },
    { status: reason === 'unavailable' ? 503 : 400 },
  );
};

/** Goes on by itself, at once and without a script. */
export const comingBackPage = (frame: Frame, lang: string, to: string): PageAnswer => {
  const { title, go } = frame.brand.texts.in('authorization', authorizationTexts, lang).comingBack;
  const address = frame.href(to);
  const children = (
    <div class="stack">
      <h1>{title}</h1>
      <p>
        <a href={address}>{go}</a>
      </p>
    </div>
  );
  return flowPage({ frame, lang, title, path: to, children }, { headers: { Refresh: `0; url=${address}` } });
};
