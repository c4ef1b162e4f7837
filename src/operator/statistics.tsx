/** The figures of a quarter; publishing it, and the availability of the bank's own channels beside it. */
import { DerivedForm } from '../console/derived-form.js';
import { consolePage, hrefOf, messagePage } from '../console/frame.js';
import { figureText, timeText, type Visit } from '../console/visit.js';
import type { PageAnswer } from '../http/pages.js';
import { importStatistics, publishStatistics } from '../statistics/acts.js';
import { type Quarter, quartersUntil, readQuarter } from '../statistics/quarters.js';
import { channelsOf, columns, englishHeads, greekHeads } from '../statistics/table.js';
import { Summary } from '../web/components/blocks.js';
import { Tabs } from '../web/components/form.js';
import { Records } from '../web/components/records.js';
import type { ConsoleParts } from './parts.js';

/** The running quarter and those before it. */
const OFFERED = 4;

const Days = ({ visit, quarter }: { readonly visit: Visit; readonly quarter: Quarter }) => {
  const { statistics: texts } = visit.messages;
  const heads = visit.lang === 'el' ? greekHeads : englishHeads;
  const channels = channelsOf(quarter);
  const ids = Object.keys(columns) as (keyof typeof columns)[];
  if (quarter.days.length === 0) return <p>{texts.none}</p>;
  return (
    <div class="statistics-table">
      <Records
        shape="equal"
        caption={texts.quarter(quarter.quarter)}
        columns={[
          heads.date,
          ...channels.map((name) => `${name}, ${heads.channelUp}`),
          ...ids.map((id) => heads[id]),
        ]}
        rows={quarter.days.map((day) => ({
          key: day.date,
          cells: [
            day.date,
            ...channels.map((name) => figureText(visit, day.channels[name]?.uptimePercent, 2)),
            ...ids.map((id) => figureText(visit, columns[id].of(day), columns[id].digits)),
          ],
        }))}
      />
    </div>
  );
};

export const showStatistics = async ({ context, clock }: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const { messages, request, timeZone } = visit;
  const texts = messages.statistics;
  const offered = quartersUntil(clock.now(), timeZone, OFFERED);
  const [running = ''] = offered;
  const wanted = request.query.quarter ?? request.params.id ?? running;
  const quarter = await readQuarter(context.db, wanted, clock.now(), timeZone);
  if (!quarter) return messagePage(visit, 404, messages.absent);
  const { published } = quarter;
  const hrefFor = (name: string): string => hrefOf(visit, `/statistics?quarter=${name}`);
  return consolePage(visit, {
    title: texts.heading,
    path: '/statistics',
    children: (
      <>
        <p class="lead">{texts.lead}</p>
        <Tabs
          label={texts.quarters}
          tabs={offered.map((name) => ({ href: hrefFor(name), name: texts.quarter(name) }))}
          current={hrefFor(wanted)}
        />
        <section class="stack" aria-labelledby="quarter">
          <h2 id="quarter">{texts.quarter(wanted)}</h2>
          <Summary
            facts={[
              {
                name: texts.publishedAt,
                value: published ? timeText(visit, published.at) : texts.notPublished,
              },
              ...(published
                ? [{ name: 'SHA-256', value: <code class="small">{published.sha256}</code> }]
                : []),
            ]}
          />
        </section>
        {!published && wanted !== running && (
          <DerivedForm visit={visit} act={publishStatistics} id={wanted} about={texts.quarter(wanted)} />
        )}
        <DerivedForm visit={visit} act={importStatistics} at={wanted} />
        <section class="stack" aria-labelledby="days">
          <h2 id="days">{texts.days}</h2>
          <Days visit={visit} quarter={quarter} />
        </section>
      </>
    ),
  });
};
