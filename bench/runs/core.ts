/** A funds confirmation with a core over HTTP that takes its time: what is added to the core's own answer, and what it occupies. */
import { type OpenLoopMeasured, openLoop } from '../load/open-loop.js';
import type { Options } from '../options.js';
import { type Program, startSlowCore } from '../programs.js';
import type { CoreRow, Part } from '../report/result.js';
import type { Split } from '../requests.js';
import { bytesOf } from './operations.js';
import { race } from './rounds.js';
import { type Staged, stageOf } from './stage.js';

const DELAYS_MS = [0, 5, 50];
/** As many calls of the core at once as there are connections at most, so that none is refused. */
const MOST = 256;
const CONNECTIONS = [64, MOST];
const HALF = 0.5;
const WARMING_SECONDS = 2;
const SECONDS = 10;
/** So few that each person is asked about once, on so many connections. */
const SELDOM = 80;
const LINES = 16;

/** The question that the service asks the core. */
const coreQuestion = (url: string): Split => {
  const body = JSON.stringify({ currency: 'EUR', amount: '25.50' });
  return {
    head: [
      'POST /accounts/bench/funds HTTP/1.1',
      `Host: ${new URL(url).host}`,
      'Accept: application/json',
      'PSU-ID: bench',
      'X-Request-ID: ',
    ].join('\r\n'),
    tail: ['', 'Content-Type: application/json', `Content-Length: ${body.length}`, '', body].join('\r\n'),
  };
};

/** Sets how late the core answers; the answer is how many connections it had at most since it was last asked. */
const tell = async ({ managementUrl }: Program, delayMs: number): Promise<number> => {
  const answer = await fetch(`${managementUrl}/?delay=${delayMs}`);
  return ((await answer.json()) as { most: number }).most;
};

interface Stage {
  readonly core: Program;
  readonly staged: Staged;
}

/** One delay after the other, each with people of its own; the first ones only warm the service. */
const measureSeldom = async ({ core, staged }: Stage): Promise<readonly OpenLoopMeasured[]> => {
  const { requests } = staged.setOf('funds');
  const { url } = staged.program;
  const measured: OpenLoopMeasured[] = [];
  for (const [index, delayMs] of [0, ...DELAYS_MS].entries()) {
    await tell(core, delayMs);
    const people = requests.slice(index * SELDOM * SECONDS, (index + 1) * SELDOM * SECONDS);
    const wanted = { url, requests: people, connections: LINES, perSecond: SELDOM, seconds: SECONDS };
    measured.push(await openLoop(wanted));
  }
  return measured.slice(1);
};

const measureRow = async (
  { delayMs, connections }: { readonly delayMs: number; readonly connections: number },
  { core, staged }: Stage,
  options: Options,
): Promise<CoreRow> => {
  const set = staged.setOf('funds');
  await tell(core, delayMs);
  const name = `core ${delayMs} ms, ${connections} connections`;
  const [raced] = await race([{ name, program: staged.program, set }], { ...options, connections });
  if (!raced?.perSecond) throw new Error(`${name}: not one answer in ${options.seconds} s`);
  const rate = raced.perSecond * HALF;
  const at = async (url: string, requests: readonly Split[]) => {
    const wanted = { url, requests, connections, perSecond: rate };
    await openLoop({ ...wanted, seconds: WARMING_SECONDS });
    return openLoop({ ...wanted, seconds: SECONDS });
  };
  const ours = await at(staged.program.url, set.requests);
  const coreConnections = await tell(core, delayMs);
  const alone = await at(core.url, [coreQuestion(core.url)]);
  console.error(
    `  ${name} at ${Math.round(rate)}/s: p50 ${ours.p50Ms.toFixed(2)} ms, the core alone ${alone.p50Ms.toFixed(2)} ms`,
  );
  return {
    delayMs,
    connections,
    perSecond: raced.perSecond,
    cpuUs: raced.cpuUs,
    rssMb: raced.rssMb,
    coreConnections,
    rate,
    p50Ms: ours.p50Ms,
    p99Ms: ours.p99Ms,
    coreP50Ms: alone.p50Ms,
    coreP99Ms: alone.p99Ms,
    errors: raced.errors + ours.errors + alone.errors,
  };
};

export const measureCore = async (options: Options): Promise<Part<CoreRow>> => {
  const { rounds, seconds } = options;
  const core = await startSlowCore();
  const env = {
    TRAPEZA_CORE_URL: core.url,
    TRAPEZA_CORE_CONNECTIONS: String(MOST),
    TRAPEZA_CORE_MAX_CALLS: String(MOST),
  };
  const staged = await stageOf({ engine: 'sqlite', env });
  await bytesOf(staged, 'funds');
  const seldom = await measureSeldom({ core, staged });
  const rows: CoreRow[] = [];
  for (const [index, delayMs] of DELAYS_MS.entries())
    for (const connections of CONNECTIONS) {
      const row = await measureRow({ delayMs, connections }, { core, staged }, options);
      const { p50Ms = Number.NaN, errors = 0 } = seldom[index] ?? {};
      rows.push({ ...row, seldomP50Ms: p50Ms, errors: row.errors + errors });
    }
  return { takenAt: new Date().toISOString(), rounds, seconds, connections: MOST, rows };
};
