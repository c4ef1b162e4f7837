/** Planned downtimes and incidents: what everybody reads on the status page, and every third party gets as an event. */

import { DerivedForm } from '../console/derived-form.js';
import { consolePage } from '../console/frame.js';
import { timeText, type Visit } from '../console/visit.js';
import type { PageAnswer } from '../http/pages.js';
import {
  announceDowntime,
  cancelDowntime,
  closeIncident,
  openIncident,
  updateIncident,
} from '../statistics/acts.js';
import type { Incident } from '../statistics/incidents.js';
import type { PlannedDowntime } from '../statistics/planned.js';
import type { ConsoleParts } from './parts.js';

const inLanguage = ({ lang }: Visit, texts: { readonly textEl: string; readonly textEn: string }): string =>
  lang === 'el' ? texts.textEl : texts.textEn;

const Planned = ({ visit, planned }: { readonly visit: Visit; readonly planned: PlannedDowntime }) => {
  const { announcements: texts } = visit.messages;
  const { id, from, to, cancelledAt } = planned;
  return (
    <li class="stack">
      <p>
        <strong>
          {timeText(visit, from)} – {timeText(visit, to)}
          {cancelledAt === null ? '' : ` (${texts.cancelled})`}
        </strong>
        <br />
        {inLanguage(visit, planned)}
      </p>
      {cancelledAt === null && (
        <DerivedForm visit={visit} act={cancelDowntime} id={id} about={timeText(visit, from)} />
      )}
    </li>
  );
};

const Reported = ({ visit, incident }: { readonly visit: Visit; readonly incident: Incident }) => {
  const { announcements: texts } = visit.messages;
  const { id, startedAt, endedAt, notes } = incident;
  return (
    <li class="stack">
      <p>
        <strong>
          {timeText(visit, startedAt)} – {endedAt === null ? texts.lasts : timeText(visit, endedAt)}
        </strong>
      </p>
      <ul>
        {notes.map((note) => (
          <li key={note.id}>
            {timeText(visit, note.at)}: {inLanguage(visit, note)}
          </li>
        ))}
      </ul>
      {endedAt === null && (
        <>
          <DerivedForm visit={visit} act={updateIncident} id={id} />
          <DerivedForm visit={visit} act={closeIncident} id={id} />
        </>
      )}
    </li>
  );
};

export const showAnnouncements = async ({ admin }: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const { announcements: texts } = visit.messages;
  const [planned, incidents] = await Promise.all([admin.plannedDowntimes(), admin.incidents()]);
  return consolePage(visit, {
    title: texts.heading,
    path: '/announcements',
    children: (
      <>
        <p class="lead">{texts.lead}</p>
        <section class="stack" aria-labelledby="incidents">
          <h2 id="incidents">{texts.incidents}</h2>
          {incidents.length === 0 && <p>{texts.noIncident}</p>}
          <ul class="plain stack">
            {incidents.map((incident) => (
              <Reported key={incident.id} visit={visit} incident={incident} />
            ))}
          </ul>
        </section>
        <DerivedForm visit={visit} act={openIncident} />
        <section class="stack" aria-labelledby="planned">
          <h2 id="planned">{texts.planned}</h2>
          {planned.length === 0 && <p>{texts.nothingPlanned}</p>}
          <ul class="plain stack">
            {planned.map((each) => (
              <Planned key={each.id} visit={visit} planned={each} />
            ))}
          </ul>
        </section>
        <DerivedForm visit={visit} act={announceDowntime} />
      </>
    ),
  });
};
