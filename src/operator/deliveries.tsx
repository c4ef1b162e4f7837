/** The last events of an application with what became of them; one of them can be sent again. */

import { actText } from '../acts/texts.js';
import { ActForm, consolePage, hrefOf, messagePage } from '../console/frame.js';
import { countText, timeText, type Visit } from '../console/visit.js';
import { redeliverEvent } from '../events/acts.js';
import type { DeliveryRow } from '../events/backlog.js';
import { isAnnouncement } from '../events/event.js';
import type { PageAnswer } from '../http/pages.js';
import type { ClientId } from '../model/ids.js';
import { Records } from '../web/components/records.js';
import type { ConsoleParts } from './parts.js';
import { mayDo } from './roles.js';

const aboutText = (visit: Visit, { kind, status, consentId, paymentId }: DeliveryRow): string =>
  `${visit.messages.search.kinds[kind] ?? kind} ${paymentId ?? consentId}: ${status}`;

const outcomeText = (visit: Visit, { target, dueAt, outcome }: DeliveryRow): string => {
  const texts = visit.messages.events;
  if (target === null) return texts.feedOnly;
  return dueAt === null ? (outcome ?? '') : texts.waiting;
};

/** The rest of the address may hold a secret. */
const hostOf = (target: string | null): string =>
  target !== null && URL.canParse(target) ? new URL(target).host : '–';

const ChosenEvent = ({ visit, rows }: { readonly visit: Visit; readonly rows: readonly DeliveryRow[] }) => (
  <div class="field">
    <label for="event">{visit.messages.events.event}</label>
    <select id="event" name="event">
      {[...new Map(rows.map((row) => [row.id, row])).values()].map((row) => (
        <option key={row.id} value={row.id} selected={visit.refusal.values.event === row.id}>
          {`${timeText(visit, row.occurredAt)}, ${aboutText(visit, row)}`}
        </option>
      ))}
    </select>
  </div>
);

export const showDeliveries = async ({ admin }: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const { events: texts, absent } = visit.messages;
  const clientId = (visit.request.params.id ?? '') as ClientId;
  const application = (await admin.applications()).find((each) => each.clientId === clientId);
  if (!application) return messagePage(visit, 404, absent);
  const rows = await admin.deliveries(clientId);
  const path = `/events/${encodeURIComponent(clientId)}`;
  const name = actText(redeliverEvent.texts, visit.lang, redeliverEvent.name);
  return consolePage(visit, {
    title: texts.of(application.name),
    path,
    children:
      rows.length === 0 ? (
        <p>{texts.noEvents}</p>
      ) : (
        <>
          <Records
            caption={texts.of(application.name)}
            shape="equal"
            columns={[texts.at, texts.about, texts.target, texts.outcome, texts.tries]}
            rows={rows.map((row) => ({
              key: `${row.id}-${row.target}`,
              cells: [
                timeText(visit, row.occurredAt),
                isAnnouncement(row) ? (
                  aboutText(visit, row)
                ) : (
                  <a href={hrefOf(visit, `/consents/${row.consentId}`)}>{aboutText(visit, row)}</a>
                ),
                hostOf(row.target),
                outcomeText(visit, row),
                row.attempts === null ? '–' : countText(visit, row.attempts),
              ],
            }))}
          />
          {mayDo(visit.operator.role, 'events/redeliver') && (
            <ActForm
              visit={visit}
              path={`${path}/redeliver`}
              id="redeliver"
              heading={name}
              text={texts.redeliverText}
              submit={name}
            >
              <ChosenEvent visit={visit} rows={rows} />
            </ActForm>
          )}
        </>
      ),
  });
};
