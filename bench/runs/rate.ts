/** Latency at half of the capacity: a constant rate, counted from the time at which each request was due. */
import { type OpenLoopMeasured, openLoop } from '../load/open-loop.js';
import { behindOthers } from '../machine.js';
import type { Options } from '../options.js';
import type { OperationRow, Part, RateRow } from '../report/result.js';
import { median } from '../report/statistics.js';
import { floorFor } from './operations.js';
import { floorOf, type Staged, stageOf } from './stage.js';

const HALF = 0.5;
const WARMING_SECONDS = 5;
/** Long enough for what happens only now and then. */
const SECONDS = 8;

type Round = readonly OpenLoopMeasured[];

/** In turns, as in the closed loop: the floor, the service, and what a commit alone needs. */
const subjectsOf = async (kind: RateRow['kind'], staged: Staged): Promise<string[]> => {
  const floor = await floorOf((await floorFor(kind, staged)).floor);
  const urls = [floor.url, staged.program.url];
  if (kind === 'funds' && staged.engine === 'postgres')
    urls.push((await floorOf(['committed', staged.databaseUrl])).url);
  return urls;
};

const measureRow = async ({ kind, engine, perSecond }: OperationRow, options: Options): Promise<RateRow> => {
  const staged = await stageOf({ engine });
  const urls = await subjectsOf(kind, staged);
  const { requests } = staged.setOf(kind);
  const at = (url: string, seconds: number): Promise<OpenLoopMeasured> =>
    behindOthers(() =>
      openLoop({ url, requests, connections: options.connections, perSecond: perSecond * HALF, seconds }),
    );
  for (const url of urls) await at(url, WARMING_SECONDS);
  const rounds: Round[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const measured: OpenLoopMeasured[] = [];
    for (const url of urls) measured.push(await at(url, SECONDS));
    rounds.push(measured);
  }
  const of = (subject: number, figure: 'p50Ms' | 'p99Ms' | 'p999Ms'): number =>
    median(rounds.map((round) => round[subject]?.[figure] ?? Number.NaN));
  const row = {
    kind,
    engine,
    perSecond: perSecond * HALF,
    p50Ms: of(1, 'p50Ms'),
    p99Ms: of(1, 'p99Ms'),
    p999Ms: of(1, 'p999Ms'),
    floorP50Ms: of(0, 'p50Ms'),
    floorP99Ms: of(0, 'p99Ms'),
    ...(urls.length > 2 ? { committedP50Ms: of(2, 'p50Ms') } : {}),
    errors: rounds.flat().reduce((sum, { errors }) => sum + errors, 0),
  };
  console.error(
    `${kind} ${engine} at ${Math.round(row.perSecond)}/s: p50 ${row.p50Ms.toFixed(2)} ms, p99 ${row.p99Ms.toFixed(2)} ms, floor ${row.floorP50Ms.toFixed(2)} and ${row.floorP99Ms.toFixed(2)} ms`,
  );
  return row;
};

export const measureRate = async (
  capacities: readonly OperationRow[],
  options: Options,
): Promise<Part<RateRow>> => {
  const { connections, rounds } = options;
  const rows: RateRow[] = [];
  for (const row of capacities.filter(({ workers }) => workers === 1))
    rows.push(await measureRow(row, options));
  return { takenAt: new Date().toISOString(), rounds, seconds: SECONDS, connections, rows };
};
