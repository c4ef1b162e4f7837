/**
 * `npm run prove -- waits`: where the time of a request is spent, at a tenth, half and nine tenths of the capacity, as a table and as
 * a picture (`npm run prove -- waits -- docs/images/waits.svg`). Means, because only they add up.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endAll, endOnSignals, tempFolder } from '../endings.js';
import { load } from '../load/closed-loop.js';
import { openLoop } from '../load/open-loop.js';
import { pinSelf } from '../machine.js';
import { serviceCommand } from '../programs.js';
import type { Engine, Kind } from '../report/result.js';
import { asText } from '../report/tables.js';
import { engineNames, titles } from '../report/targets.js';
import { type Staged, stageOf } from '../runs/stage.js';
import { drawn, phases, type WaitRow } from './drawn.js';
import type { Noted } from './probe.js';

const PARTS = [0.1, 0.5, 0.9] as const;
const CONNECTIONS = 64;
const SECONDS = 10;
const kinds: readonly Kind[] = ['funds', 'status', 'atms-304'];

const probed = async (staged: Staged, file: string): Promise<Noted> => {
  process.kill(staged.program.pid, 'SIGUSR2');
  await setTimeout(500);
  return JSON.parse(readFileSync(file, 'utf8')) as Noted;
};

const spentOf = (noted: Noted, meanMs: number): WaitRow['spent'] => {
  const each = (sum: number): number => sum / noted.requests;
  // Jobs read and write too, and no request waits for them.
  const readStatements = Math.min(noted.readStatements, noted.reads);
  const flushes = Math.min(noted.flushes, noted.commits);
  const spent = {
    turn: each(noted.turn),
    batch: each(noted.reads - readStatements),
    store: each(readStatements + noted.inStore),
    group: each(noted.commits - flushes),
    flush: each(flushes),
  };
  const waited = Object.values(spent).reduce((sum, value) => sum + value, 0);
  const total = each(noted.total);
  return {
    'way and parsing': Math.max(0, meanMs - total),
    'own work': Math.max(0, total - waited),
    ...spent,
  };
};

const measure = async (staged: Staged, kind: Kind, file: string): Promise<WaitRow[]> => {
  const { url } = staged.program;
  const set = staged.setOf(kind);
  const closed = { url, set, seconds: 3, connections: CONNECTIONS, threads: 1 };
  await load(closed);
  const capacity = (await load(closed)).perSecond;
  const rows: WaitRow[] = [];
  for (const part of PARTS) {
    const wanted = { url, requests: set.requests, connections: CONNECTIONS, perSecond: capacity * part };
    await openLoop({ ...wanted, seconds: 2 });
    await probed(staged, file);
    const { meanMs, perSecond } = await openLoop({ ...wanted, seconds: SECONDS });
    const spent = spentOf(await probed(staged, file), meanMs);
    rows.push({
      title: `${titles[kind]}, ${engineNames[staged.engine]}, ${part * 100} %`,
      perSecond,
      spent,
    });
  }
  return rows;
};

endOnSignals();
pinSelf(1);
const file = join(tempFolder('bench-waits'), 'noted.json');
process.env.BENCH_PROBE_FILE = file;
const probe = fileURLToPath(new URL('probe.js', import.meta.url));
// The probe changes modules, which the bundled program does not have.
const modules = [
  '--conditions=unbundled',
  '--import',
  probe,
  fileURLToPath(new URL('../../.unbundled/main.js', import.meta.url)),
];
serviceCommand.splice(1, 1, ...modules);
const rows: WaitRow[] = [];
for (const engine of ['sqlite', 'postgres'] satisfies Engine[]) {
  const staged = await stageOf({ engine });
  for (const kind of kinds) rows.push(...(await measure(staged, kind, file)));
}
console.log(
  asText({
    title: `Milliseconds of a request, on the average (${SECONDS} s each, ${CONNECTIONS} connections)`,
    head: ['', 'requests/s', ...phases, 'all'],
    rows: rows.map(({ title, perSecond, spent }) => {
      const figures = phases.map((phase) => spent[phase]);
      const all = figures.reduce((sum, value) => sum + value, 0);
      return [title, String(Math.round(perSecond)), ...[...figures, all].map((value) => value.toFixed(3))];
    }),
  }),
);
const [picture] = process.argv.slice(2);
if (picture) writeFileSync(picture, drawn(rows));
await endAll();
process.exit(0);
