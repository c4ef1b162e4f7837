/** Two pictures of a quarter: its availability and its mean response times. Drawn here, loaded from nowhere. */
import type { DayFigures } from '../../statistics/figures.js';
import { columns } from '../../statistics/table.js';

const WIDTH = 640;
const BARS = 72;
const LINES = 190;
const FOOT = 26;
/** Room for the highest value in words. */
const TOP = 24;
/** What is below this share is drawn as if it were it, so that an hour can be seen. */
const LOWEST = 95;

interface ChartProps {
  readonly days: readonly DayFigures[];
  readonly label: string;
}

const stepOf = (days: readonly DayFigures[]): number => WIDTH / Math.max(1, days.length);

const isFirst = ({ date }: DayFigures): boolean => date.endsWith('-01');
/** Days that the name of a month takes on a phone. */
const NAME_DAYS = 20;

/** At the first day of each month; of the month in which the picture begins, if there is room before the next. */
const Months = ({ days, height }: { readonly days: readonly DayFigures[]; readonly height: number }) => (
  <>
    {days.map((day, index) =>
      isFirst(day) || (index === 0 && !days.slice(0, NAME_DAYS).some(isFirst)) ? (
        <text key={day.date} class="chart-text" x={index * stepOf(days)} y={height + 20}>
          {day.date.slice(0, 7)}
        </text>
      ) : null,
    )}
  </>
);

export const AvailabilityChart = ({ days, label }: ChartProps) => {
  const step = stepOf(days);
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${BARS + FOOT}`} role="img" aria-label={label}>
      {days.map(({ date, uptimePercent, plannedDowntimePercent }, index) => {
        const up = uptimePercent === null ? 0 : Math.max(0, (uptimePercent - LOWEST) / (100 - LOWEST));
        const height = uptimePercent === null ? 2 : Math.max(4, up * BARS);
        const isDown = uptimePercent !== null && uptimePercent + (plannedDowntimePercent ?? 0) < 100;
        const kind = uptimePercent === null ? 'unknown' : isDown ? 'down' : 'up';
        const x = (index * step + step * 0.1).toFixed(1);
        return (
          <rect
            key={date}
            class={`bar-${kind}`}
            x={x}
            y={(BARS - height).toFixed(1)}
            width={(step * 0.8).toFixed(1)}
            height={height.toFixed(1)}
          />
        );
      })}
      <Months days={days} height={BARS} />
    </svg>
  );
};

const kinds = ['pis', 'ais', 'piis'] as const;

/** The line is broken on days without requests; a day between two such days is a dot. */
const pathOf = (values: readonly (number | null)[], step: number, scale: number): string => {
  let isDrawing = false;
  return values
    .map((value, index) => {
      if (value === null) {
        isDrawing = false;
        return '';
      }
      const point = `${((index + 0.5) * step).toFixed(1)} ${(LINES - value * scale).toFixed(1)}`;
      const command = isDrawing ? `L${point}` : `M${point}h0.1`;
      isDrawing = true;
      return command;
    })
    .join('');
};

export const TimesChart = ({ days, label }: ChartProps) => {
  const most = Math.max(1, ...kinds.flatMap((kind) => days.map((day) => columns[kind].of(day) ?? 0)));
  const scale = (LINES - TOP) / most;
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${LINES + FOOT}`} role="img" aria-label={label}>
      <line class="chart-axis" x1="0" x2={WIDTH} y1={LINES} y2={LINES} />
      <line class="chart-axis" x1="0" x2={WIDTH} y1={TOP} y2={TOP} />
      <text class="chart-text" x="0" y={TOP - 4}>
        {`${Math.round(most)} ms`}
      </text>
      {kinds.map((kind) => (
        <path key={kind} class={`line-${kind}`} d={pathOf(days.map(columns[kind].of), stepOf(days), scale)} />
      ))}
      <Months days={days} height={LINES} />
    </svg>
  );
};
