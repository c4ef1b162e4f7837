/** Latency at half of the capacity: a constant rate, counted from the time at which each request was due. */
import { openLoop } from '../load/open-loop.js';
import type { Options } from '../options.js';
import type { OperationRow, Part, RateRow } from '../report/result.js';
import { floorFor } from './operations.js';
import { floorOf, stageOf } from './stage.js';

const HALF = 0.5;
const WARMING_SECONDS = 5;
/** Long enough for what happens only now and then, such as the collection of the whole heap. */
const SECONDS = 20;

const measureRow = async ({ kind, engine, perSecond }: OperationRow, options: Options): Promise<RateRow> => {
  const staged = await stageOf({ engine });
  const floor = await floorOf((await floorFor(kind, staged)).floor);
  const { requests } = staged.setOf(kind);
  const { connections } = options;
  const at = async (url: string) => {
    const wanted = { url, requests, connections, perSecond: perSecond * HALF };
    await openLoop({ ...wanted, seconds: WARMING_SECONDS });
    return openLoop({ ...wanted, seconds: SECONDS });
  };
  const bare = await at(floor.url);
  const measured = await at(staged.program.url);
  console.error(
    `${kind} ${engine} at ${Math.round(measured.perSecond)}/s: p50 ${measured.p50Ms.toFixed(2)} ms, p99 ${measured.p99Ms.toFixed(2)} ms`,
  );
  const { p50Ms, p99Ms, p999Ms } = measured;
  return {
    kind,
    engine,
    perSecond: measured.perSecond,
    p50Ms,
    p99Ms,
    p999Ms,
    floorP50Ms: bare.p50Ms,
    floorP99Ms: bare.p99Ms,
    errors: measured.errors + bare.errors,
  };
};

export const measureRate = async (
  capacities: readonly OperationRow[],
  options: Options,
): Promise<Part<RateRow>> => {
  const { connections } = options;
  const rows: RateRow[] = [];
  for (const row of capacities.filter(({ workers }) => workers === 1))
    rows.push(await measureRow(row, options));
  return { takenAt: new Date().toISOString(), rounds: 1, seconds: SECONDS, connections, rows };
};
