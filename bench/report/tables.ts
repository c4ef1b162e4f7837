/** The tables of a result, as plain text for a terminal and as Markdown. */

import { effort, ms, type Table, two, whole } from './cells.js';
import { growthTable } from './growth.js';
import type { OperationRow, Result } from './result.js';
import { surroundingsTables } from './surroundings.js';
import { checksOf, engineNames, ratioTargets, titles } from './targets.js';

const targetOf = ({ kind, engine, workers, ratio }: OperationRow): string => {
  const target = workers > 1 ? undefined : ratioTargets[kind][engine];
  if (target === undefined) return '';
  return `${target}: ${ratio >= target ? 'met' : 'not met'}`;
};

const operationsTable = ({ operations }: Result): Table[] =>
  operations
    ? [
        {
          title: `Operations, closed loop (${effort(operations)})`,
          head: [
            '',
            'engine',
            'workers',
            'requests/s',
            'floor/s',
            'ratio',
            'target',
            'CPU µs',
            'CPU ratio',
            'p50 ms',
            'p99 ms',
            'loop p99 ms',
            'RSS MB',
            'errors',
          ],
          rows: operations.rows.map((row) => [
            titles[row.kind],
            engineNames[row.engine],
            String(row.workers),
            whole(row.perSecond),
            whole(row.floorPerSecond),
            two(row.ratio),
            targetOf(row),
            whole(row.cpuUs),
            two(row.cpuRatio),
            ms(row.p50Ms),
            ms(row.p99Ms),
            ms(row.loopP99Ms),
            whole(row.rssMb),
            String(row.errors),
          ]),
        },
        {
          title: 'Floors',
          head: ['', 'measured beside', 'requests/s', 'CPU µs', 'p50 ms', 'p99 ms', 'RSS MB'],
          rows: operations.floors.map((row) => [
            row.floor,
            titles[row.kind],
            whole(row.perSecond),
            whole(row.cpuUs),
            ms(row.p50Ms),
            ms(row.p99Ms),
            whole(row.rssMb),
          ]),
        },
      ]
    : [];

const scaleTable = ({ scale }: Result): Table[] =>
  scale
    ? [
        {
          title: `More account holders, each with an account and three consents (${effort(scale)})`,
          head: [
            '',
            'engine',
            'few',
            'many',
            'few: requests/s',
            'many: requests/s',
            'ratio',
            'CPU ratio',
            'p99 ms with many',
            'p99 ratio',
          ],
          rows: scale.rows.map((row) => [
            titles[row.kind],
            engineNames[row.engine],
            whole(row.small),
            whole(row.large),
            whole(row.smallPerSecond),
            whole(row.largePerSecond),
            two(row.ratio),
            two(row.cpuRatio),
            ms(row.p99Ms),
            row.p99Ratio === undefined ? '' : two(row.p99Ratio),
          ]),
        },
        ...growthTable(scale.growth ?? []),
      ]
    : [];

const rateTable = ({ rate }: Result): Table[] =>
  rate
    ? [
        {
          title: `Half of the capacity, open loop (${effort(rate)})`,
          head: [
            '',
            'engine',
            'requests/s',
            'p50 ms',
            'p99 ms',
            'p99.9 ms',
            'floor p50 ms',
            'floor p99 ms',
            'round trip and commit p50 ms',
          ],
          rows: rate.rows.map((row) => [
            titles[row.kind],
            engineNames[row.engine],
            whole(row.perSecond),
            ...[row.p50Ms, row.p99Ms, row.p999Ms, row.floorP50Ms, row.floorP99Ms, row.committedP50Ms].map(ms),
          ]),
        },
      ]
    : [];

const soakTable = ({ soak }: Result): Table[] =>
  soak
    ? [
        {
          title: `A mix of all operations at half of the capacity, open loop (${soak.takenAt.slice(0, 10)})`,
          head: ['engine', 'minutes', 'requests/s', 'p50 ms', 'p99 ms', 'RSS MB', 'MB a minute'],
          rows: soak.rows.map((row) => [
            engineNames[row.engine],
            String(row.minutes),
            whole(row.perSecond),
            ms(row.p50Ms),
            ms(row.p99Ms),
            whole(row.rssMb),
            two(row.slopeMbPerMinute),
          ]),
        },
      ]
    : [];

const overloadTable = ({ overload }: Result): Table[] =>
  overload
    ? [
        {
          title: `Ten times the capacity, funds confirmation (${effort(overload)})`,
          head: [
            'engine',
            'capacity/s',
            'offered/s',
            'good/s',
            'ratio',
            'good p50 ms',
            'good p99 ms',
            'refused/s',
            'refused p99 ms',
            'RSS MB before',
            'RSS MB at most',
            'back after s',
          ],
          rows: overload.rows.map((row) => [
            engineNames[row.engine],
            whole(row.capacity),
            whole(row.offered),
            whole(row.good),
            two(row.ratio),
            ms(row.goodP50Ms),
            ms(row.goodP99Ms),
            whole(row.refused),
            ms(row.refusedP99Ms),
            whole(row.rssBeforeMb),
            whole(row.rssMostMb),
            String(row.backSeconds),
          ]),
        },
      ]
    : [];

const startTable = ({ start }: Result): Table[] =>
  start
    ? [
        {
          title: `From the command to the first ready answer (${start.rounds} times, ${start.takenAt.slice(0, 10)})`,
          head: ['started by', 'service ms', 'bare framework ms'],
          rows: start.rows.map((row) => [row.way, whole(row.serviceMs), whole(row.frameworkMs)]),
        },
      ]
    : [];

const signedTable = ({ signed }: Result): Table[] =>
  signed
    ? [
        {
          title: `Signed requests (${effort(signed)})`,
          head: ['', 'key', 'unsigned/s', 'signed/s', 'ratio', 'CPU µs', 'signed CPU µs'],
          rows: signed.rows.map((row) => [
            titles[row.kind],
            row.key,
            whole(row.perSecond),
            whole(row.signedPerSecond),
            two(row.ratio),
            whole(row.cpuUs),
            whole(row.signedCpuUs),
          ]),
        },
      ]
    : [];

const checksTable = (result: Result): Table[] => {
  const rows = checksOf(result).map(({ what, target, measured, verdict }) => [
    what,
    target,
    measured,
    verdict,
  ]);
  return rows.length > 0 ? [{ title: 'Targets', head: ['', 'target', 'measured', 'verdict'], rows }] : [];
};

export const tablesOf = (result: Result): Table[] =>
  [
    checksTable,
    operationsTable,
    rateTable,
    scaleTable,
    soakTable,
    overloadTable,
    startTable,
    signedTable,
    surroundingsTables,
  ].flatMap((tables) => tables(result));

export const conditionsText = ({ conditions }: Result): string => {
  const { processor, cores, node, load, isPinned } = conditions;
  const pinning = isPinned ? 'load and servers on cores of their own' : 'nothing pinned';
  return `${processor}, ${cores} cores, Node ${node}, load by ${load}, ${pinning}.`;
};

const isNumber = (cell: string): boolean => /^[\d.,-]*$/.test(cell);

export const asText = ({ title, head, rows }: Table): string => {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const pad = (cell: string, width: number): string =>
    isNumber(cell) ? cell.padStart(width) : cell.padEnd(width);
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [title, line(head), ...rows.map(line), ''].join('\n');
};

export const asMarkdown = ({ title, head, rows }: Table): string => {
  const aligned = head.map((_cell, column) => {
    const cells = rows.map((row) => row[column] ?? '');
    return cells.every(isNumber) && cells.some(Boolean) ? '---:' : '---';
  });
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [`**${title}**`, '', line(head), `|${aligned.join('|')}|`, ...rows.map(line), ''].join('\n');
};
