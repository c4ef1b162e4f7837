/** The table that banks publish, one row for each day. */
import { CSV_MARK, type CsvCell, CsvDecimal, csvLine, csvStyleOf } from '../lib/format/csv.js';
import type { DayFigures } from './figures.js';
import type { Quarter } from './quarters.js';

type Figure = (day: DayFigures) => number | null;

/** Digits after the decimal sign, and what stands in the column. */
export interface Column {
  readonly digits: number;
  readonly of: Figure;
}

/** What the guidelines ask for. */
export const columns = {
  up: { digits: 2, of: (day) => day.uptimePercent },
  down: { digits: 2, of: (day) => day.downtimePercent },
  planned: { digits: 2, of: (day) => day.plannedDowntimePercent },
  pis: { digits: 1, of: (day) => day.paymentInitiation.meanMs },
  ais: { digits: 1, of: (day) => day.accountInformation.meanMs },
  piis: { digits: 1, of: (day) => day.fundsConfirmation.meanMs },
  errors: { digits: 2, of: (day) => day.errorPercent },
} as const satisfies Record<string, Column>;

/** More than they ask for. */
export const extras = {
  downSeconds: { digits: 0, of: (day) => day.downtimeSeconds },
  silentSeconds: { digits: 0, of: (day) => day.silentSeconds },
  pisMedian: { digits: 1, of: (day) => day.paymentInitiation.medianMs },
  pisP99: { digits: 1, of: (day) => day.paymentInitiation.p99Ms },
  aisMedian: { digits: 1, of: (day) => day.accountInformation.medianMs },
  aisP99: { digits: 1, of: (day) => day.accountInformation.p99Ms },
  piisMedian: { digits: 1, of: (day) => day.fundsConfirmation.medianMs },
  piisP99: { digits: 1, of: (day) => day.fundsConfirmation.p99Ms },
  pisCalls: { digits: 0, of: (day) => day.paymentInitiation.requests },
  aisCalls: { digits: 0, of: (day) => day.accountInformation.requests },
  piisCalls: { digits: 0, of: (day) => day.fundsConfirmation.requests },
} as const satisfies Record<string, Column>;

export type ColumnId = keyof typeof columns | keyof typeof extras;

/** Of the bank's own, in the order of their names. */
export const channelsOf = ({ days }: Pick<Quarter, 'days'>): readonly string[] =>
  [...new Set(days.flatMap(({ channels }) => Object.keys(channels)))].sort();

export type Heads = Readonly<Record<ColumnId | 'date' | 'channelUp' | 'channelDown', string>>;

export const englishHeads: Heads = {
  date: 'Day',
  channelUp: 'up %',
  channelDown: 'down %',
  up: 'Interface up %',
  down: 'Interface down %',
  planned: 'Planned downtime %',
  pis: 'PISP ms',
  ais: 'AISP ms',
  piis: 'CBPII ms',
  errors: 'Error response rate %',
  downSeconds: 'Down, s',
  silentSeconds: 'No sign of life, s',
  pisMedian: 'PISP median ms',
  pisP99: 'PISP 99th percentile ms',
  aisMedian: 'AISP median ms',
  aisP99: 'AISP 99th percentile ms',
  piisMedian: 'CBPII median ms',
  piisP99: 'CBPII 99th percentile ms',
  pisCalls: 'PISP requests',
  aisCalls: 'AISP requests',
  piisCalls: 'CBPII requests',
};

export const greekHeads: Heads = {
  date: 'Ημέρα',
  channelUp: 'διαθέσιμο %',
  channelDown: 'μη διαθέσιμο %',
  up: 'Διεπαφή διαθέσιμη %',
  down: 'Διεπαφή μη διαθέσιμη %',
  planned: 'Προγραμματισμένη διακοπή %',
  pis: 'PISP ms',
  ais: 'AISP ms',
  piis: 'CBPII ms',
  errors: 'Ποσοστό σφαλμάτων %',
  downSeconds: 'Μη διαθέσιμη, δευτ.',
  silentSeconds: 'Χωρίς ένδειξη λειτουργίας, δευτ.',
  pisMedian: 'PISP διάμεσος ms',
  pisP99: 'PISP 99ο εκατοστημόριο ms',
  aisMedian: 'AISP διάμεσος ms',
  aisP99: 'AISP 99ο εκατοστημόριο ms',
  piisMedian: 'CBPII διάμεσος ms',
  piisP99: 'CBPII 99ο εκατοστημόριο ms',
  pisCalls: 'PISP αιτήματα',
  aisCalls: 'AISP αιτήματα',
  piisCalls: 'CBPII αιτήματα',
};

/** Nothing stands in a cell if nothing is known. */
export const csvOf = (quarter: Quarter, locale: string, texts: Heads): string => {
  const style = csvStyleOf(locale);
  const channels = channelsOf(quarter);
  const all = Object.entries({ ...columns, ...extras }) as readonly (readonly [ColumnId, Column])[];
  const decimal = (value: number | null | undefined, digits: number): CsvCell =>
    value === null || value === undefined ? '' : new CsvDecimal(value.toFixed(digits));
  const head = [
    texts.date,
    ...channels.flatMap((name) => [`${name}: ${texts.channelUp}`, `${name}: ${texts.channelDown}`]),
    ...all.map(([id]) => texts[id]),
  ];
  const rows = quarter.days.map((day) => [
    day.date,
    ...channels.flatMap((name) => {
      const channel = day.channels[name];
      return [decimal(channel?.uptimePercent, 2), decimal(channel?.downtimePercent, 2)];
    }),
    ...all.map(([, { of, digits }]) => decimal(of(day), digits)),
  ]);
  return CSV_MARK + [head, ...rows].map((cells) => csvLine(cells, style)).join('');
};
