/** Notifications that have not reached their applications, and a new start for them. */

import { DerivedForm } from '../console/derived-form.js';
import { consolePage, hrefOf } from '../console/frame.js';
import { countText, timeText, type Visit } from '../console/visit.js';
import { retryNotifications } from '../events/acts.js';
import type { PageAnswer } from '../http/pages.js';
import { Summary } from '../web/components/blocks.js';
import type { ConsoleParts } from './parts.js';

const MOST = 50;

export const showEvents = async ({ admin }: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const texts = visit.messages.events;
  const backlog = (await admin.pendingNotifications()).slice(0, MOST);
  const names = new Map((await admin.applications()).map(({ clientId, name }) => [clientId, name]));
  return consolePage(visit, {
    title: texts.heading,
    path: '/events',
    children:
      backlog.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        backlog.map(({ clientId, pending, givenUp, oldest, attempts }) => (
          <section key={clientId} class="stack" aria-labelledby={`application-${clientId}`}>
            <h2 id={`application-${clientId}`}>{names.get(clientId) ?? clientId}</h2>
            <Summary
              facts={[
                { name: texts.pending, value: countText(visit, pending) },
                { name: texts.givenUp, value: countText(visit, givenUp) },
                { name: texts.oldest, value: timeText(visit, oldest) },
                { name: texts.attempts, value: countText(visit, attempts) },
              ]}
            />
            <p>
              <a href={hrefOf(visit, `/events/${encodeURIComponent(clientId)}`)}>{texts.all}</a>
            </p>
            <DerivedForm visit={visit} act={retryNotifications} id={clientId} />
          </section>
        ))
      ),
  });
};
