/** Planned downtimes and incidents: what everybody reads on the status page, and every third party gets as an event. */

import { ActForm, consolePage } from '../console/frame.js';
import { timeText, type Visit } from '../console/visit.js';
import type { PageAnswer } from '../http/pages.js';
import type { Incident } from '../statistics/incidents.js';
import type { PlannedDowntime } from '../statistics/planned.js';
import { TextField } from '../web/components/form.js';
import type { ConsoleParts } from './parts.js';
import { mayDo } from './roles.js';

interface FormProps {
  readonly visit: Visit;
  /** The id of the section, with which the ids of its fields begin. */
  readonly section: string;
}

/** What was typed into this form, if it is the one that was refused. */
const typed = ({ visit, section }: FormProps): Visit['refusal']['values'] =>
  visit.refusal.errors.some(({ field }) => field.startsWith(`${section}-`)) ? visit.refusal.values : {};

const Moment = ({
  visit,
  section,
  field,
  label,
  hint,
}: FormProps & { readonly field: string; readonly label: string; readonly hint: string }) => (
  <TextField
    field={field}
    id={`${section}-${field}`}
    label={label}
    hint={hint}
    kind="moment"
    value={typed({ visit, section })[field] ?? ''}
    refusal={visit.refusal}
  />
);

const TextFields = ({ visit, section }: FormProps) => (
  <>
    {(['textEl', 'textEn'] as const).map((field) => (
      <TextField
        key={field}
        field={field}
        id={`${section}-${field}`}
        label={visit.messages.announcements[field]}
        hint={visit.messages.announcements.textHint}
        kind="text"
        value={typed({ visit, section })[field] ?? ''}
        refusal={visit.refusal}
      />
    ))}
  </>
);

const AnnounceForm = ({ visit }: { readonly visit: Visit }) => {
  const { announcements: texts } = visit.messages;
  const form = { visit, section: 'announce' };
  const hint = texts.zone(visit.timeZone);
  return (
    <ActForm
      visit={visit}
      path="/downtimes/new/announce"
      id="announce"
      heading={texts.announce}
      text={texts.announceText}
      submit={texts.announce}
    >
      <Moment {...form} field="from" label={texts.from} hint={hint} />
      <Moment {...form} field="to" label={texts.to} hint={hint} />
      <TextFields {...form} />
    </ActForm>
  );
};

const OpenForm = ({ visit }: { readonly visit: Visit }) => {
  const { announcements: texts } = visit.messages;
  const form = { visit, section: 'open' };
  return (
    <ActForm visit={visit} path="/incidents/new/open" id="open" heading={texts.open} submit={texts.open}>
      <Moment {...form} field="from" label={texts.began} hint={texts.beganHint(visit.timeZone)} />
      <TextFields {...form} />
    </ActForm>
  );
};

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
      {cancelledAt === null && mayDo(visit.operator.role, 'downtimes/cancel') && (
        <ActForm
          visit={visit}
          path={`/downtimes/${id}/cancel`}
          id={`cancel-${id}`}
          heading={`${texts.cancel}: ${timeText(visit, from)}`}
          submit={texts.cancel}
        />
      )}
    </li>
  );
};

const Reported = ({ visit, incident }: { readonly visit: Visit; readonly incident: Incident }) => {
  const { announcements: texts } = visit.messages;
  const { id, startedAt, endedAt, notes } = incident;
  const mayChange = endedAt === null && mayDo(visit.operator.role, 'incidents/update');
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
      {mayChange &&
        (['update', 'close'] as const).map((act) => (
          <ActForm
            key={act}
            visit={visit}
            path={`/incidents/${id}/${act}`}
            id={`${act}-${id}`}
            heading={texts[act]}
            submit={texts[act]}
          >
            <TextFields visit={visit} section={`${act}-${id}`} />
          </ActForm>
        ))}
    </li>
  );
};

export const showAnnouncements = async ({ admin }: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const { announcements: texts } = visit.messages;
  const { role } = visit.operator;
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
        {mayDo(role, 'incidents/open') && <OpenForm visit={visit} />}
        <section class="stack" aria-labelledby="planned">
          <h2 id="planned">{texts.planned}</h2>
          {planned.length === 0 && <p>{texts.nothingPlanned}</p>}
          <ul class="plain stack">
            {planned.map((each) => (
              <Planned key={each.id} visit={visit} planned={each} />
            ))}
          </ul>
        </section>
        {mayDo(role, 'downtimes/announce') && <AnnounceForm visit={visit} />}
      </>
    ),
  });
};
