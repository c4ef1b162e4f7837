/** The figures as tables in Markdown, for a terminal and for a document. */
import type { SubjectId } from './options.js';
import type { NodesRow, Overload, Result, SlowCoreRow } from './result.js';

export const titles: Readonly<Record<SubjectId, string>> = {
  bare: 'bare GET',
  read: 'consent status, PostgreSQL',
  'durable-sqlite': 'durable floor, SQLite',
  'demo-sqlite': 'demo bank, SQLite',
  'durable-postgres': 'durable floor, PostgreSQL',
  'demo-postgres': 'demo bank, PostgreSQL',
  'production-floor': 'production floor',
  production: 'production, a call for each question',
  'production-batches': 'production, questions in batches',
};

const BEGIN = '<!-- figures: written by npm run bench -- --doc -->';
const END = '<!-- end of figures -->';

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0);

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(head),
    line(head.map((_each, index) => (index === 0 ? '---' : '--:'))),
    ...rows.map(line),
  ].join('\n');
};

const rowsOf = ({ rows }: Result): string =>
  table(
    [
      '',
      'CPU, µs',
      '**of its floor**',
      'requests/s',
      'p50 and p99 at half load, ms',
      'p50 alone, ms',
      'first 3 s, CPU',
      'MB',
    ],
    rows.map((row) => [
      titles[row.id],
      row.cpuUs.toFixed(row.cpuUs < 100 ? 1 : 0),
      row.ofFloor === undefined ? '' : `**${row.ofFloor.toFixed(2)}**`,
      whole(row.perSecond),
      `${ms(row.halfP50Ms)}, ${ms(row.halfP99Ms)}`,
      ms(row.aloneP50Ms),
      `× ${(row.firstCpuUs / row.cpuUs).toFixed(2)}`,
      whole(row.rssMb),
    ]),
  );

const nodesTable = (rows: readonly NodesRow[]): string =>
  table(
    ['one PostgreSQL, one port', 'nodes', 'requests/s', 'by one node', 'CPU, µs', 'p50, p99, ms', 'errors'],
    rows.map((row) => {
      const one = rows.find(({ kind, nodes }) => kind === row.kind && nodes === 1);
      return [
        row.kind === 'funds' ? 'funds confirmation' : 'consent status',
        String(row.nodes),
        whole(row.perSecond),
        one ? `× ${(row.perSecond / one.perSecond).toFixed(2)}` : '',
        row.cpuUs.toFixed(0),
        `${ms(row.p50Ms)}, ${ms(row.p99Ms)}`,
        String(row.errors),
      ];
    }),
  );

const slowCoresTable = (rows: readonly SlowCoreRow[]): string =>
  table(
    ['one node, a core of so many ms', 'questions/s', 'of 64 calls at once', 'p50, p99, ms', 'refused'],
    rows.map((row) => [
      whole(row.coreMs),
      whole(row.perSecond),
      `${whole(row.share * 100)} %`,
      `${ms(row.p50Ms)}, ${ms(row.p99Ms)}`,
      `${(row.refused * 100).toFixed(1)} %`,
    ]),
  );

const overloadText = (each: Overload): string =>
  `Ten times the capacity, in production: ${whole(each.goodPerSecond)} answered a second of a capacity of ${whole(each.capacity)} (${(each.goodPerSecond / each.capacity).toFixed(2)}), p50 ${ms(each.goodP50Ms)} ms, p99 ${ms(each.goodP99Ms)} ms; ${whole(each.refusedPerSecond)} refused a second, ${whole(each.sentPerSecond)} sent; ${whole(each.rssMb)} MB; ${each.errors} other answers.`;

const ENOUGH = { rounds: 3, seconds: 3 };

const conditionsOf = ({ takenAt, node, processor, cores, isPinned, effort }: Result): string => {
  const { rounds, seconds, warm, connections } = effort;
  const isTrial = rounds < ENOUGH.rounds || seconds < ENOUGH.seconds;
  return [
    `**Node ${node}**: ${processor}, ${cores} cores, ${isPinned ? 'each server on a core of its own' : 'nothing pinned'}, ${rounds} × ${seconds} s after ${warm} s of warming, ${connections} connections, ${takenAt.slice(0, 10)}.`,
    ...(isTrial ? ['A short trial: it shows the form, not the speed.'] : []),
  ].join(' ');
};

const commitsOf = ({ commitMs: { sqlite, postgres } }: Result): string => {
  const each = [
    ...(postgres === undefined ? [] : [`PostgreSQL ${ms(postgres)} ms`]),
    ...(sqlite === undefined ? [] : [`SQLite ${ms(sqlite)} ms`]),
  ];
  return each.length > 0 ? `A bare commit, alone: ${each.join(', ')}.` : '';
};

export const reportOf = (result: Result): string =>
  [
    conditionsOf(result),
    ...(result.rows.length > 0 ? [rowsOf(result)] : []),
    commitsOf(result),
    ...(result.nodes.length > 0 ? [nodesTable(result.nodes)] : []),
    ...(result.slowCores.length > 0 ? [slowCoresTable(result.slowCores)] : []),
    ...(result.overload ? [overloadText(result.overload)] : []),
  ]
    .filter(Boolean)
    .join('\n\n');

/** Everything between two markers is written, the text around them is left alone. */
export const writeFigures = (document: string, results: readonly Result[]): string => {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the document has no "${BEGIN}" before "${END}"`);
  const figures = [BEGIN, ...results.map(reportOf), END].join('\n\n');
  return document.slice(0, begin) + figures + document.slice(end + END.length);
};
