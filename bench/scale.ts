/** Independent nodes on one PostgreSQL that share a port: what each more brings. */
import { freePort } from './free-port.js';
import { load } from './load/load.js';
import { loadCores, usageOf } from './machine.js';
import type { Options } from './options.js';
import { type Program, startService } from './programs.js';
import { median, type NodesRow } from './result.js';
import { storeOf } from './stores.js';
import type { Surroundings } from './subjects.js';

const CONNECTIONS_OF_NODE = 64;

const measureNodes = async (
  count: number,
  { node, coreUrl, batchingCoreUrl }: Surroundings,
  { rounds, seconds, warm }: Options,
): Promise<NodesRow[]> => {
  const store = await storeOf('postgres', coreUrl);
  const env = {
    PORT: String(await freePort()),
    TRAPEZA_SHARED_PORT: 'on',
    TRAPEZA_CORE_URL: batchingCoreUrl,
  };
  const programs: Program[] = [];
  for (let index = 0; index < count; index += 1)
    programs.push(await startService({ node, command: 'serve', databaseUrl: store.url, env, cores: count }));
  const url = programs[0]?.url ?? '';
  const cpu = (): number => programs.reduce((sum, { pid }) => sum + usageOf(pid).cpuSeconds, 0);
  const rows: NodesRow[] = [];
  for (const kind of ['funds', 'status'] as const) {
    const measure = async (lasting: number) => {
      let before = 0;
      const order = { url, set: store[kind], mode: 'closed' as const, seconds: lasting };
      const processes = Math.max(1, Math.min(count + 1, loadCores(count) - 2));
      const wanted = { ...order, connections: CONNECTIONS_OF_NODE * count, processes };
      const measured = await load(wanted, () => {
        before = cpu();
      });
      return { ...measured, cpuUs: ((cpu() - before) / (measured.good + measured.errors)) * 1e6 };
    };
    await measure(Math.max(1, warm));
    const samples: Awaited<ReturnType<typeof measure>>[] = [];
    for (let round = 0; round < rounds; round += 1) samples.push(await measure(seconds));
    const of = (figure: 'perSecond' | 'cpuUs' | 'p50Ms' | 'p99Ms'): number =>
      median(samples.map((sample) => sample[figure]));
    const figures = {
      perSecond: of('perSecond'),
      cpuUs: of('cpuUs'),
      p50Ms: of('p50Ms'),
      p99Ms: of('p99Ms'),
    };
    const errors = samples.reduce((sum, sample) => sum + sample.errors, 0);
    console.error(`  ${count} nodes: ${kind} ${Math.round(figures.perSecond)}/s, errors ${errors}`);
    rows.push({ kind, nodes: count, ...figures, errors });
  }
  for (const { stop } of programs) await stop();
  return rows;
};

export const measureScale = async (around: Surroundings, options: Options): Promise<NodesRow[]> => {
  const rows: NodesRow[] = [];
  for (const count of options.nodes) rows.push(...(await measureNodes(count, around, options)));
  return rows.toSorted((one, other) => one.kind.localeCompare(other.kind));
};
