/** One node in front of a core that takes its time: how many questions a second the calls at once allow, and how long they take. */
import type { Options } from './options.js';
import { startOwn, startService } from './programs.js';
import type { SlowCoreRow } from './result.js';
import { measure } from './rounds.js';
import { storeOf } from './stores.js';
import type { Surroundings } from './subjects.js';

/** TRAPEZA_CORE_MAX_CALLS, as it is by default. */
const CALLS_AT_ONCE = 64;
const SHARES = [0.5, 0.8, 1.2];
/** What a node can do is measured elsewhere. */
const MOST_PER_SECOND = 1_500;
/** Of the latency: as many connections as requests are under way, and some. */
const ROOM = 4;

const measureCore = async (coreMs: number, { node, coreUrl }: Surroundings, { seconds, warm }: Options) => {
  const store = await storeOf('postgres', coreUrl);
  const core = await startOwn(process.execPath, ['core.js', 'single', '1', String(coreMs)], 0);
  const env = { TRAPEZA_CORE_URL: core.url };
  const program = await startService({ node, command: 'serve', databaseUrl: store.url, env });
  const running = { subject: { set: store.funds }, program };
  const ceiling = CALLS_AT_ONCE / (coreMs / 1000);
  await measure(running, { seconds: Math.max(1, warm), connections: CALLS_AT_ONCE / 2 });
  const rows: SlowCoreRow[] = [];
  for (const share of SHARES) {
    const perSecond = ceiling * share;
    if (perSecond > MOST_PER_SECOND) continue;
    const connections = Math.ceil((perSecond * ROOM * coreMs) / 1000) + CALLS_AT_ONCE;
    const sample = await measure(running, { mode: 'open', seconds, connections, perSecond });
    const { good, errors, p50Ms, p99Ms } = sample;
    console.error(`  core of ${coreMs} ms: ${Math.round(perSecond)}/s, ${JSON.stringify(sample.statuses)}`);
    rows.push({ coreMs, perSecond, share, p50Ms, p99Ms, refused: errors / (good + errors) });
  }
  await program.stop();
  await core.stop();
  return rows;
};

export const measureSlowCores = async (around: Surroundings, options: Options): Promise<SlowCoreRow[]> => {
  const rows: SlowCoreRow[] = [];
  for (const coreMs of options.core) rows.push(...(await measureCore(coreMs, around, options)));
  return rows;
};
