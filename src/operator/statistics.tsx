/** The figures of a quarter; publishing it, and the availability of the bank's own channels beside it. */
import type { Admin } from '../admin/admin.js';
import { ActForm, consolePage, hrefOf, messagePage } from '../console/frame.js';
import { UploadFields } from '../console/upload-fields.js';
import { figureText, timeText, type Visit } from '../console/visit.js';
import type { PageAnswer } from '../http/pages.js';
import { quartersUntil } from '../statistics/quarters.js';
import { channelsOf, columns, englishHeads, greekHeads } from '../statistics/table.js';
import { Summary } from '../web/components/blocks.js';
import { Tabs } from '../web/components/form.js';
import { Records } from '../web/components/records.js';
import type { ConsoleParts } from './parts.js';
import { mayDo } from './roles.js';

/** The running quarter and those before it. */
const OFFERED = 4;

type Quarter = NonNullable<Awaited<ReturnType<Admin['quarter']>>>;

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

const ImportForm = ({ visit, quarter }: { readonly visit: Visit; readonly quarter: string }) => {
  const { statistics: texts } = visit.messages;
  return (
    <ActForm
      visit={visit}
      path={`/statistics/${quarter}/import`}
      id="import"
      heading={texts.import}
      text={texts.importText}
      submit={texts.import}
      isUpload
    >
      <UploadFields visit={visit} texts={texts} accept=".csv,text/csv" />
    </ActForm>
  );
};

export const showStatistics = async ({ admin, clock }: ConsoleParts, visit: Visit): Promise<PageAnswer> => {
  const { messages, request, timeZone, operator } = visit;
  const texts = messages.statistics;
  const offered = quartersUntil(clock.now(), timeZone, OFFERED);
  const [running = ''] = offered;
  const wanted = request.query.quarter ?? request.params.id ?? running;
  const quarter = await admin.quarter(wanted, timeZone);
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
        {!published && wanted !== running && mayDo(operator.role, 'statistics/publish') && (
          <ActForm
            visit={visit}
            path={`/statistics/${wanted}/publish`}
            id="publish"
            heading={`${texts.publish}: ${texts.quarter(wanted)}`}
            text={texts.publishText}
            submit={texts.publish}
          />
        )}
        {mayDo(operator.role, 'statistics/import') && <ImportForm visit={visit} quarter={wanted} />}
        <section class="stack" aria-labelledby="days">
          <h2 id="days">{texts.days}</h2>
          <Days visit={visit} quarter={quarter} />
        </section>
      </>
    ),
  });
};
