/** The statistics of a quarter: pictures, the table that banks publish, and what its figures mean. */
import type { PageAnswer } from '../../http/pages.js';
import { undisguised } from '../../lib/format/undisguised.js';
import type { DayFigures } from '../../statistics/figures.js';
import type { Quarter } from '../../statistics/quarters.js';
import {
  type Column,
  type ColumnId,
  channelsOf,
  columns,
  extras,
  type Heads,
} from '../../statistics/table.js';
import { Records } from '../../web/components/records.js';
import { htmlPage } from '../../web/components/shell.js';
import type { Frame } from '../../web/frame.js';
import type { Language } from '../../web/language.js';
import { AvailabilityChart, TimesChart } from './charts.js';
import { messages } from './messages.js';
import { dayText, momentText, numberText } from './texts.js';

export interface StatisticsView {
  readonly frame: Frame;
  readonly lang: Language;
  readonly timeZone: string;
  readonly heads: Heads;
  /** Newest first; the running one is the first. */
  readonly quarters: readonly string[];
  /** The one that is shown; undefined if there is none of the wanted name. */
  readonly quarter: Quarter | undefined;
}

export const PATH = '/statistics';
export const pathOf = (quarter: string, file = ''): string => `${PATH}${file}?quarter=${quarter}`;

const Choice = ({ frame, lang, quarters, quarter }: StatisticsView) => (
  <nav class="tabs" aria-label={messages[lang].quarters}>
    <ul>
      {quarters.map((name) => (
        <li key={name}>
          <a href={frame.href(pathOf(name))} aria-current={name === quarter?.quarter ? 'page' : undefined}>
            {messages[lang].quarter(name)}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

interface TableProps extends StatisticsView {
  readonly shown: Quarter;
  readonly caption: string;
  readonly chosen: Readonly<Record<string, Column>>;
  readonly channels: readonly string[];
}

const Table = ({ lang, heads, shown, caption, chosen, channels }: TableProps) => {
  const ids = Object.keys(chosen) as ColumnId[];
  const cells = (day: DayFigures): string[] => [
    dayText(day.date, lang),
    ...channels.flatMap((name) => [
      numberText(day.channels[name]?.uptimePercent, 2, lang),
      numberText(day.channels[name]?.downtimePercent, 2, lang),
    ]),
    ...Object.values(chosen).map(({ of, digits }) => numberText(of(day), digits, lang)),
  ];
  return (
    <div class="statistics-table">
      <Records
        shape="equal"
        caption={caption}
        columns={[
          heads.date,
          ...channels.flatMap((name) =>
            [heads.channelUp, heads.channelDown].map((head) => `${undisguised(name)}, ${head}`),
          ),
          ...ids.map((id) => heads[id]),
        ]}
        rows={shown.days.map((day) => ({ key: day.date, cells: cells(day) }))}
      />
    </div>
  );
};

const Figures = (view: StatisticsView & { readonly shown: Quarter }) => {
  const { frame, lang, shown, timeZone } = view;
  const texts = messages[lang];
  const { days, published, quarter } = shown;
  const down = days.filter(({ downtimeSeconds }) => (downtimeSeconds ?? 0) > 0).length;
  return (
    <>
      <div class="stack">
        <h2>{texts.quarter(quarter)}</h2>
        <p>{published ? texts.published(momentText(published.at, lang, timeZone)) : texts.preliminary}</p>
        {published && (
          <p class="quiet small">
            {texts.hash}: <code>{published.sha256}</code>
          </p>
        )}
        <p class="actions">
          {texts.files}: <a href={frame.href(pathOf(quarter, '.csv'))}>CSV</a>{' '}
          <a href={frame.href(pathOf(quarter, '.json'))}>JSON</a>
        </p>
      </div>
      <section class="stack" aria-labelledby="availability">
        <h2 id="availability">{texts.availability}</h2>
        <AvailabilityChart days={days} label={texts.availabilityLabel(days.length, down)} />
      </section>
      <section class="stack" aria-labelledby="times">
        <h2 id="times">{texts.times}</h2>
        <TimesChart days={days} label={texts.timesLabel(days.length)} />
        <ul class="chart-key">
          {(['pis', 'ais', 'piis'] as const).map((kind) => (
            <li key={kind} class={`key-${kind}`}>
              {texts.areas[kind]}
            </li>
          ))}
        </ul>
      </section>
      <section class="stack" aria-labelledby="table">
        <h2 id="table">{texts.table}</h2>
        <Table {...view} caption={texts.table} chosen={columns} channels={channelsOf(shown)} />
        <details class="more">
          <summary>{texts.extra}</summary>
          <Table {...view} caption={texts.extra} chosen={extras} channels={[]} />
        </details>
      </section>
    </>
  );
};

export const statisticsPage = (view: StatisticsView): PageAnswer => {
  const { frame, lang, quarter } = view;
  const texts = messages[lang];
  const children = (
    <div class="stack-wide">
      <div>
        <div class="page-head">
          <h1>{texts.title}</h1>
          <p class="lead">{texts.lead}</p>
        </div>
        <Choice {...view} />
      </div>
      {!quarter && <p class="card">{texts.unknown}</p>}
      {quarter?.days.length === 0 && <p class="card quiet">{texts.none}</p>}
      {quarter && quarter.days.length > 0 && <Figures {...view} shown={quarter} />}
      <section class="stack" aria-labelledby="meanings">
        <h2 id="meanings">{texts.meanings}</h2>
        <dl class="meanings">
          {texts.definitions.map(([name, meaning]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
  const path = quarter ? pathOf(quarter.quarter) : PATH;
  return {
    ...htmlPage({ frame, lang, title: texts.title, description: texts.lead, path, isWide: true, children }),
    status: quarter ? 200 : 404,
  };
};
