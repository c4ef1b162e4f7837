/** Thousands of idle connections: the memory of each, and whether the service still answers others as before. */
import { tlsEnv } from '../certificate.js';
import { openIdle } from '../load/idle.js';
import { usageOfTree } from '../machine.js';
import type { Options } from '../options.js';
import type { IdleRow, Part } from '../report/result.js';
import { race, ratioOf } from './rounds.js';
import { stageOf } from './stage.js';

const SETTLING_MS = 3000;
const SAMPLES = 10;
const KB = 1024;
/** Beside the idle ones. */
const OTHERS = 1000;

/** The least of some seconds: memory that waits for its collection is not the connections'. */
const settledRssMb = async (pid: number): Promise<number> => {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    await new Promise((resolve) => setTimeout(resolve, SETTLING_MS / SAMPLES));
    samples.push(usageOfTree(pid).rssMb);
  }
  return Math.min(...samples);
};

const measureRow = async (isTls: boolean, options: Options): Promise<IdleRow> => {
  const wanted = options.parts.idle;
  const env = {
    TRAPEZA_MAX_CONNECTIONS: String(wanted + OTHERS),
    TRAPEZA_KEEP_ALIVE_MS: '600000',
    ...(isTls ? await tlsEnv() : {}),
  };
  const { program, setOf } = await stageOf({ engine: 'sqlite', env });
  const set = setOf('funds');
  const name = isTls ? 'funds, TLS' : 'funds, plain';
  const [before] = await race([{ name, program, set }], options);
  const rssBeforeMb = await settledRssMb(program.pid);
  const idle = await openIdle(program.url, setOf('status').requests, wanted);
  const rssAfterMb = await settledRssMb(program.pid);
  console.error(
    `  ${idle.opened} idle connections: ${Math.round(rssBeforeMb)} to ${Math.round(rssAfterMb)} MB`,
  );
  const [after] = await race([{ name: `${name}, beside idle`, program, set }], options);
  const lost = idle.opened - idle.open();
  idle.close();
  if (!before || !after) throw new Error('nothing was measured');
  return {
    isTls,
    wanted,
    opened: idle.opened,
    limit: idle.limit,
    rssBeforeMb,
    rssAfterMb,
    kbEach: ((rssAfterMb - rssBeforeMb) * KB) / idle.opened,
    perSecond: before.perSecond,
    idlePerSecond: after.perSecond,
    ratio: ratioOf(after, before),
    errors: before.errors + after.errors + lost,
  };
};

export const measureIdle = async (options: Options): Promise<Part<IdleRow>> => {
  const { rounds, seconds, connections } = options;
  const rows: IdleRow[] = [];
  for (const isTls of [false, true]) rows.push(await measureRow(isTls, options));
  return { takenAt: new Date().toISOString(), rounds, seconds, connections, rows };
};
