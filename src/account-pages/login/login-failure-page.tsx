/** The page on which an authorization ends if the browser cannot be sent back to the application. */
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
