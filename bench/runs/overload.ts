/** Ten times the capacity: how much of the capacity is left, how long the admitted wait, what it costs in memory, how soon it is over. */
import { load } from '../load/closed-loop.js';
import { flood } from '../load/flood.js';
import { openLoop } from '../load/open-loop.js';
import { usageOfTree } from '../machine.js';
import type { Options } from '../options.js';
import type { Engine, OverloadRow, Part } from '../report/result.js';
import { warmUp } from './rounds.js';
import { stageOf } from './stage.js';

const TIMES = 10;
const CONNECTIONS = 2000;
const HALF = 0.5;
const MOST_SECONDS_BACK = 10;

/** Whole seconds at half of the capacity until one of them has no error. */
const secondsUntilBack = async (options: Parameters<typeof openLoop>[0]): Promise<number> => {
  for (let second = 1; second <= MOST_SECONDS_BACK; second += 1)
    if ((await openLoop({ ...options, seconds: 1 })).errors === 0) return second;
  return Number.POSITIVE_INFINITY;
};

const overloadEngine = async (engine: Engine, options: Options): Promise<OverloadRow> => {
  const staged = await stageOf({ engine });
  const { url, pid } = staged.program;
  const set = staged.setOf('funds');
  const { requests } = set;
  const { connections } = options;
  await warmUp({ name: 'funds', program: staged.program, set }, options);
  const measured = async (): Promise<number> =>
    (await load({ url, set, seconds: options.seconds, connections })).perSecond;
  const before = await measured();
  const rssBeforeMb = usageOfTree(pid).rssMb;
  let rssMostMb = rssBeforeMb;
  const watch = setInterval(() => {
    rssMostMb = Math.max(rssMostMb, usageOfTree(pid).rssMb);
  }, 500);
  const seconds = options.parts.overload;
  const flooded = await flood({
    url,
    requests,
    perSecond: TIMES * before,
    seconds,
    connections: CONNECTIONS,
  });
  clearInterval(watch);
  const backSeconds = await secondsUntilBack({
    url,
    requests,
    connections,
    perSecond: before * HALF,
    seconds: 1,
  });
  // The machine may be slower or faster than a minute ago: the capacity is what it was before and is after.
  const capacity = (before + (await measured())) / 2;
  const refused = flooded.statuses[503] ?? 0;
  console.error(`overload ${engine}: ${JSON.stringify(flooded)}`);
  return {
    engine,
    capacity,
    offered: TIMES * before,
    sent: flooded.sent / seconds,
    good: flooded.goodPerSecond,
    ratio: flooded.goodPerSecond / capacity,
    goodP50Ms: flooded.goodP50Ms,
    goodP99Ms: flooded.goodP99Ms,
    refused: refused / seconds,
    refusedP99Ms: flooded.refusedP99Ms,
    rssBeforeMb,
    rssMostMb,
    backSeconds,
    errors: Object.entries(flooded.statuses).reduce(
      (sum, [status, count]) =>
        (Number(status) >= 200 && Number(status) < 400) || status === '503' ? sum : sum + count,
      0,
    ),
  };
};

export const measureOverload = async (options: Options): Promise<Part<OverloadRow>> => {
  const rows: OverloadRow[] = [];
  for (const engine of options.stores) rows.push(await overloadEngine(engine, options));
  return {
    takenAt: new Date().toISOString(),
    rounds: 1,
    seconds: options.parts.overload,
    connections: CONNECTIONS,
    rows,
  };
};
