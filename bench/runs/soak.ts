/** Minutes at half of the capacity with all operations mixed, while the memory of the server is watched. */
import { load } from '../load/closed-loop.js';
import { openLoop } from '../load/open-loop.js';
import { usageOfTree } from '../machine.js';
import type { Options } from '../options.js';
import type { Engine, Part, SoakRow } from '../report/result.js';
import { median, slopeOf } from '../report/statistics.js';
import { warmUp } from './rounds.js';
import { stageOf } from './stage.js';

const HALF = 0.5;
const SAMPLES = 120;

const soakEngine = async (engine: Engine, options: Options): Promise<SoakRow> => {
  const { seconds, connections } = options;
  const minutes = options.parts.soak;
  const staged = await stageOf({ engine });
  const set = staged.mixOf(options.kinds);
  const { url, pid } = staged.program;
  await warmUp({ name: 'mix', program: staged.program, set }, options);
  const capacity = await load({ url, set, seconds, connections });
  console.error(`soaking ${engine} for ${minutes} minutes at ${Math.round(capacity.perSecond * HALF)}/s`);

  const startedAt = performance.now();
  const samples: (readonly [minute: number, mb: number])[] = [];
  const watch = setInterval(
    () => samples.push([(performance.now() - startedAt) / 60_000, usageOfTree(pid).rssMb]),
    (minutes * 60_000) / SAMPLES,
  );
  const perSecond = capacity.perSecond * HALF;
  const measured = await openLoop({
    url,
    requests: set.requests,
    connections,
    perSecond,
    seconds: minutes * 60,
  });
  clearInterval(watch);
  const settled = samples.filter(([minute]) => minute >= minutes / 2);
  return {
    engine,
    minutes,
    perSecond,
    p50Ms: measured.p50Ms,
    p99Ms: measured.p99Ms,
    rssMb: median(settled.map(([, mb]) => mb)),
    slopeMbPerMinute: slopeOf(settled),
    errors: measured.errors + capacity.errors,
  };
};

export const measureSoak = async (options: Options): Promise<Part<SoakRow>> => {
  const { rounds, seconds, connections } = options;
  const rows: SoakRow[] = [];
  for (const engine of options.stores) rows.push(await soakEngine(engine, options));
  return { takenAt: new Date().toISOString(), rounds, seconds, connections, rows };
};
