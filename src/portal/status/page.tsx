/** The status page: now, what is planned, what went wrong, and the last 90 days. */
import type { PageAnswer } from '../../http/pages.js';
import { DAY } from '../../lib/clock.js';
import { undisguised } from '../../lib/format/undisguised.js';
import type { DayFigures } from '../../statistics/figures.js';
import type { Incident } from '../../statistics/incidents.js';
import type { PlannedDowntime } from '../../statistics/planned.js';
import { Badge } from '../../web/components/badge.js';
import { htmlPage } from '../../web/components/shell.js';
import type { Frame } from '../../web/frame.js';
import type { Language } from '../../web/language.js';
import { AvailabilityChart } from '../statistics/charts.js';
import { momentText } from '../statistics/texts.js';
import { messages } from './messages.js';
import type { State } from './state.js';

export interface StatusView extends State {
  readonly frame: Frame;
  readonly lang: Language;
  readonly timeZone: string;
  readonly days: readonly DayFigures[];
}

const meaning = { works: 'good', planned: 'notice', trouble: 'bad' } as const;

const noticeText = (
  lang: Language,
  { textEl, textEn }: { readonly textEl: string; readonly textEn: string },
): string => undisguised(lang === 'el' ? textEl : textEn);

const Planned = ({ view, planned }: { readonly view: StatusView; readonly planned: PlannedDowntime }) => {
  const { lang, timeZone } = view;
  const texts = messages[lang];
  const moment = (at: number): string => momentText(at, lang, timeZone);
  const days = Math.floor((planned.from - planned.announcedAt) / DAY);
  return (
    <li class="card">
      <h3>{`${moment(planned.from)} – ${moment(planned.to)}`}</h3>
      {planned.cancelledAt !== null && <Badge meaning="notice">{texts.cancelled}</Badge>}
      <p>{noticeText(lang, planned)}</p>
      {days > 0 && <p class="quiet small">{texts.announced(days)}</p>}
    </li>
  );
};

const IncidentCard = ({ view, incident }: { readonly view: StatusView; readonly incident: Incident }) => {
  const { lang, timeZone } = view;
  const moment = (at: number): string => momentText(at, lang, timeZone);
  const { startedAt, endedAt, notes } = incident;
  return (
    <li class="card">
      <h3>{`${moment(startedAt)} – ${endedAt === null ? messages[lang].lasts : moment(endedAt)}`}</h3>
      {notes.map((note) => (
        <p key={note.id}>
          <span class="quiet small">{moment(note.at)}</span> {noticeText(lang, note)}
        </p>
      ))}
    </li>
  );
};

const Parts = ({ view }: { readonly view: StatusView }) => {
  const { frame, lang, planned, incidents, days } = view;
  const texts = messages[lang];
  const down = days.filter(({ downtimeSeconds }) => (downtimeSeconds ?? 0) > 0).length;
  return (
    <>
      <section class="stack" aria-labelledby="planned">
        <h2 id="planned">{texts.downtimes}</h2>
        {planned.length === 0 && <p class="quiet">{texts.noDowntimes}</p>}
        <ul class="plain stack">
          {planned.map((each) => (
            <Planned key={each.id} view={view} planned={each} />
          ))}
        </ul>
      </section>
      <section class="stack" aria-labelledby="incidents">
        <h2 id="incidents">{texts.incidents}</h2>
        {incidents.length === 0 && <p class="quiet">{texts.noIncidents}</p>}
        <ul class="plain stack">
          {incidents.map((each) => (
            <IncidentCard key={each.id} view={view} incident={each} />
          ))}
        </ul>
      </section>
      <section class="stack" aria-labelledby="history">
        <h2 id="history">{texts.history}</h2>
        {days.length === 0 ? (
          <p class="quiet">{texts.noHistory}</p>
        ) : (
          <AvailabilityChart days={days} label={texts.historyLabel(days.length, down)} />
        )}
        <p class="actions">
          <a href={frame.href('/statistics')}>{texts.more}</a>
          <span>
            {texts.feeds}: <a href={frame.href('/status.atom')}>Atom</a>{' '}
            <a href={frame.href('/status.json')}>JSON</a>
          </span>
        </p>
      </section>
    </>
  );
};

export const statusPage = (view: StatusView): PageAnswer => {
  const { frame, lang, state } = view;
  const texts = messages[lang];
  const children = (
    <div class="stack-wide">
      <div class="page-head">
        <h1>{texts.title}</h1>
        <p class="lead">{texts.lead}</p>
      </div>
      <div class={`callout ${meaning[state]}`}>
        <p>
          <strong>{texts[state]}</strong>
        </p>
      </div>
      <Parts view={view} />
    </div>
  );
  return htmlPage({ frame, lang, title: texts.title, description: texts.lead, path: '/status', children });
};
