/** Calls of an application by day, as bars with the figures behind them, and how much of the quota is used. */
import type { PageAnswer } from '../../http/pages.js';
import { DAY } from '../../lib/clock.js';
import { dateAt } from '../../lib/day.js';
import { USAGE_DAYS, type UsageDay } from '../../observe/request-log/records.js';
import { Records } from '../../web/components/records.js';
import { countText, dayText, portalPage } from './frame.js';
import { applicationPath, type DeveloperParts, type OwnApplication, type Visit } from './visit.js';

const HEIGHT = 160;
const WIDTH = 900;
const STEP = WIDTH / USAGE_DAYS;
const kinds = ['good', 'refused', 'limited', 'failed'] as const;

const partsOf = ({ calls, refused, limited, failed }: UsageDay) => ({
  good: calls - refused - limited - failed,
  refused,
  limited,
  failed,
});

/** The last days, the present one at the end; those without a call are empty. */
const everyDay = (days: readonly UsageDay[], now: number, timeZone: string): UsageDay[] =>
  Array.from({ length: USAGE_DAYS }, (_, index) => {
    const day = dateAt(now - (USAGE_DAYS - 1 - index) * DAY, timeZone);
    return days.find((each) => each.day === day) ?? { day, calls: 0, refused: 0, limited: 0, failed: 0 };
  });

const Bar = ({
  visit,
  day,
  index,
  most,
}: {
  readonly visit: Visit;
  readonly day: UsageDay;
  readonly index: number;
  readonly most: number;
}) => {
  const shares = partsOf(day);
  let top = HEIGHT;
  return (
    <g>
      <title>{`${dayText(visit, day.day)}: ${countText(visit, day.calls)}`}</title>
      {kinds.map((kind) => {
        const height = (shares[kind] / most) * HEIGHT;
        top -= height;
        return height > 0 ? (
          <rect
            key={kind}
            class={`portal-bar ${kind}`}
            x={index * STEP + 3}
            y={top}
            width={STEP - 6}
            height={height}
          />
        ) : null;
      })}
    </g>
  );
};

const Chart = ({ visit, days }: { readonly visit: Visit; readonly days: readonly UsageDay[] }) => {
  const texts = visit.messages.use;
  const most = Math.max(1, ...days.map(({ calls }) => calls));
  return (
    <figure class="card portal-chart">
      <svg viewBox={`0 -24 ${WIDTH} ${HEIGHT + 50}`} role="img" aria-label={texts.chart}>
        <line class="portal-line" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
        <line class="portal-line" x1="0" x2={WIDTH} y1="0" y2="0" />
        <text x="0" y="-7">
          {countText(visit, most)}
        </text>
        {days.map((day, index) => (
          <Bar key={day.day} visit={visit} day={day} index={index} most={most} />
        ))}
        <text x="0" y={HEIGHT + 20}>
          {dayText(visit, days[0]?.day)}
        </text>
        <text class="portal-end" x={WIDTH} y={HEIGHT + 20}>
          {dayText(visit, days.at(-1)?.day)}
        </text>
      </svg>
      <figcaption>
        <ul class="plain portal-legend">
          {kinds.map((kind) => (
            <li key={kind} class={kind}>
              {texts.kinds[kind]}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
};

const Figures = ({ visit, days }: { readonly visit: Visit; readonly days: readonly UsageDay[] }) => {
  const texts = visit.messages.use;
  const rows = days.filter(({ calls }) => calls > 0).toReversed();
  return (
    <details class="more" open={rows.length <= 7}>
      <summary>{texts.table}</summary>
      <Records
        caption={texts.chart}
        shape="equal"
        columns={texts.columns}
        rows={rows.map(({ day, ...counts }) => ({
          key: day,
          cells: [
            dayText(visit, day),
            ...[counts.calls, counts.refused, counts.limited, counts.failed].map((each) =>
              countText(visit, each),
            ),
          ],
        }))}
      />
    </details>
  );
};

export const showUsage = async (
  { admin, clock, config }: DeveloperParts,
  visit: Visit,
  application: OwnApplication,
): Promise<PageAnswer> => {
  const texts = visit.messages.use;
  const { clientId, name } = application;
  const days = everyDay(await admin.usage(clientId), clock.now(), visit.timeZone);
  const [quota] = await admin.quotas(clientId);
  const perDay = quota?.perDay ?? config.quotaPerDay;
  const perMinute = quota?.perMinute ?? config.quotaPerMinute;
  const today = days.at(-1)?.calls ?? 0;
  const isEmpty = days.every(({ calls }) => calls === 0);
  return portalPage(visit, {
    title: `${texts.heading}: ${name}`,
    path: applicationPath(clientId, '/usage'),
    application,
    children: (
      <>
        <div class="stack">
          <p class="lead" id="quota">
            {texts.lead(countText(visit, today), countText(visit, perDay))}
          </p>
          <meter
            class="portal-meter"
            min={0}
            max={perDay}
            value={Math.min(today, perDay)}
            aria-labelledby="quota"
          />
          <p class="quiet">{texts.perMinute(countText(visit, perMinute))}</p>
        </div>
        {isEmpty ? <p class="quiet">{texts.none}</p> : <Chart visit={visit} days={days} />}
        {!isEmpty && <Figures visit={visit} days={days} />}
      </>
    ),
  });
};
