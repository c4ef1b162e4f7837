/** Too many attempts: the page says so and when to come back. It is the same for a known and an unknown user name. */
import type { Wait } from '../../../gate/guard/source-limit.js';
import type { PageAnswer } from '../../../http/pages.js';
import { MINUTE, SECOND } from '../../../lib/clock.js';
import { retryAfter } from '../../../lib/rate-limit.js';
import { flowPage } from '../../../web/components/flow-shell.js';
import type { Frame } from '../../../web/frame.js';
import type { Language } from '../../../web/language.js';

export const tooManyTexts = {
  el: {
    title: 'Πάρα πολλές προσπάθειες',
    text: (minutes: number) =>
      `Έγιναν πάρα πολλές προσπάθειες από το δίκτυό σας ή με αυτό το όνομα χρήστη. Δοκιμάστε ξανά σε ${minutes === 1 ? 'ένα λεπτό' : `${minutes} λεπτά`}. Δεν εγκρίθηκε και δεν άλλαξε τίποτα.`,
    soon: (seconds: number) =>
      `Έγιναν πολλές προσπάθειες από το δίκτυό σας ή με αυτό το όνομα χρήστη. Δοκιμάστε ξανά σε ${seconds === 1 ? 'ένα δευτερόλεπτο' : `${seconds} δευτερόλεπτα`}. Δεν εγκρίθηκε και δεν άλλαξε τίποτα.`,
    again: 'Δοκιμάστε ξανά',
  },
  en: {
    title: 'Too many attempts',
    text: (minutes: number) =>
      `There were too many attempts from your network or with this user name. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}. Nothing was approved and nothing has changed.`,
    soon: (seconds: number) =>
      `There were many attempts from your network or with this user name. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}. Nothing was approved and nothing has changed.`,
    again: 'Try again',
  },
} satisfies Record<Language, unknown>;

export interface TooManyProps {
  readonly frame: Frame;
  readonly lang: string;
  /** Where to try again, without the prefix of the service; absent if that is not known. */
  readonly path?: string;
  readonly wait: Wait;
}

export const tooManyPage = ({ frame, lang, path, wait }: TooManyProps): PageAnswer => {
  const { title, text, soon, again } = frame.brand.texts.in('tooMany', tooManyTexts, lang);
  const children = (
    <div class="outcome card notice">
      <span class="outcome-sign" aria-hidden="true">
        !
      </span>
      <h1>{title}</h1>
      <p class="lead">
        {wait.ms <= MINUTE ? soon(Math.ceil(wait.ms / SECOND)) : text(Math.ceil(wait.ms / MINUTE))}
      </p>
      {path !== undefined && (
        <p class="actions">
          <a class="button" href={frame.href(path)}>
            {again}
          </a>
        </p>
      )}
    </div>
  );
  return flowPage(
    { frame, lang, title, path: path ?? '/', children },
    { status: 429, headers: retryAfter(wait.ms) },
  );
};
