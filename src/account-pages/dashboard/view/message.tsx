/** A page that says one thing: what happened, and what to do next. */
import type { PageAnswer } from '../../../http/pages.js';
import type { Meaning } from '../../../web/components/badge.js';
import { flowPage } from '../../../web/components/flow-shell.js';
import type { PageMessages } from '../../approve/messages/messages.js';
import { holderVisit } from '../../login/guard/audiences.js';
import { maintenanceText } from '../../login/maintenance.js';
import { DASHBOARD, type Visit } from '../parts.js';
import { Visitor } from './board.js';

interface MessageOptions {
  readonly meaning: Meaning;
  readonly status: number;
  /** Nothing to go on to. */
  readonly isFinal?: boolean;
}

export const messagePage = (
  visit: Visit,
  { title, text }: PageMessages,
  { meaning, status, isFinal = false }: MessageOptions,
): PageAnswer => {
  const holder = holderVisit(visit);
  return flowPage(
    {
      frame: visit.frame,
      lang: visit.lang,
      title,
      path: DASHBOARD,
      children: (
        <>
          {holder && <Visitor visit={holder} />}
          <div class={`outcome card ${meaning}`}>
            <span class="outcome-sign" aria-hidden="true">
              {meaning === 'quiet' ? 'i' : '!'}
            </span>
            <h1>{title}</h1>
            <p class="lead">{text}</p>
            {!isFinal && (
              <p class="actions">
                <a class="button" href={visit.frame.href(DASHBOARD)}>
                  {visit.messages.again}
                </a>
              </p>
            )}
          </div>
        </>
      ),
    },
    { status, cookies: visit.cookies },
  );
};

/** Unknown and foreign permissions look alike. */
export const notFoundPage = (visit: Visit): PageAnswer =>
  messagePage(visit, visit.messages.notFound, { meaning: 'quiet', status: 404 });

/** A form whose token is not this session's: of an older login, or of another site. */
export const staleFormPage = (visit: Visit): PageAnswer =>
  messagePage(visit, visit.messages.staleForm, { meaning: 'notice', status: 403 });

/** The store or the bank does not answer. A withdrawal may have been written down all the same, so none is denied. */
export const unavailablePage = (visit: Visit, error: unknown): PageAnswer => {
  const { title, text } = visit.messages.unavailable;
  const messages = { title, text: `${maintenanceText(error, visit.frame, visit.lang)}${text}` };
  return messagePage(visit, messages, { meaning: 'notice', status: 503 });
};
