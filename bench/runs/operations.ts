/** Each operation against its floor, on each engine, with one worker and with several. */
import { askOnce } from '../load/open-loop.js';
import { loadCores } from '../machine.js';
import type { Options } from '../options.js';
import type { Floor } from '../programs.js';
import type { FloorRow, Kind, OperationRow, Result } from '../report/result.js';
import { titles } from '../report/targets.js';
import { type Contestant, type Raced, race, ratioOf } from './rounds.js';
import { floorOf, type Staged, stageOf } from './stage.js';

const EXPECTED: Readonly<Record<Kind, number>> = {
  funds: 200,
  status: 200,
  payment: 200,
  atms: 200,
  'atms-304': 304,
};
const SMALL_ANSWER = '18';

/** What is measured must be the real thing: the first request of a kind has to be answered as expected. */
export const bytesOf = async (staged: Staged, kind: Kind): Promise<number> => {
  const [first] = staged.setOf(kind).requests;
  const asked = first && (await askOnce(staged.program.url, first));
  if (asked?.status !== EXPECTED[kind]) throw new Error(`${kind} was answered with ${asked?.status}`);
  return asked.bodyBytes;
};

/** A floor sends as many bytes as the operation does. A 304 has none, so the smallest answer is its floor. */
export const floorFor = async (kind: Kind, staged: Staged): Promise<{ name: string; floor: Floor }> => {
  const bytes = await bytesOf(staged, kind);
  if (kind === 'funds') return { name: 'bare POST', floor: ['bare', 'post'] };
  const size = kind === 'atms-304' ? SMALL_ANSWER : String(bytes);
  return { name: `bare GET, ${size} bytes`, floor: ['bare', 'get', size] };
};

const contestantOf = (staged: Staged, kind: Kind): Contestant => ({
  name: `${kind} ${staged.engine} × ${staged.workers}`,
  program: staged.program,
  set: staged.setOf(kind),
  threads: Math.min(staged.workers, loadCores(staged.workers)),
});

interface Measured {
  readonly rows: readonly OperationRow[];
  readonly floors: readonly FloorRow[];
}

const figuresOf = ({ samples: _samples, ...figures }: Raced): Omit<Raced, 'samples'> => figures;

/** Of these operations only the funds confirmation asks the core. */
const isMeasured = (kind: Kind, { engine }: Staged): boolean => engine !== 'remote' || kind === 'funds';

const measureKind = async (kind: Kind, all: readonly Staged[], options: Options): Promise<Measured> => {
  const stages = all.filter((staged) => isMeasured(kind, staged));
  const [first] = stages;
  if (!first) return { rows: [], floors: [] };
  console.error(titles[kind]);
  for (const staged of stages) await bytesOf(staged, kind);
  const set = first.setOf(kind);
  const { name, floor } = await floorFor(kind, first);
  const floors = [{ name, program: await floorOf(floor), set }];
  if (kind === 'funds')
    floors.push({ name: 'Fastify POST with the schemas', program: await floorOf(['framework']), set });
  const raced = await race([...floors, ...stages.map((staged) => contestantOf(staged, kind))], options);
  const [bare] = raced;
  const rows = stages.flatMap((staged, index): OperationRow[] => {
    const figures = raced[floors.length + index];
    if (!figures || !bare) return [];
    const alone = stages.findIndex(({ engine, workers }) => engine === staged.engine && workers === 1);
    const one = raced[floors.length + alone];
    return [
      {
        kind,
        engine: staged.engine,
        workers: staged.workers,
        floor: name,
        floorPerSecond: bare.perSecond,
        floorCpuUs: bare.cpuUs,
        ratio: ratioOf(figures, bare),
        cpuRatio: ratioOf(bare, figures, 'cpuUs'),
        ...figuresOf(figures),
        ...(staged.workers > 1 && one ? { scaling: ratioOf(figures, one) / staged.workers } : {}),
      },
    ];
  });
  const floorRows = floors.flatMap((each, index) => {
    const figures = raced[index];
    return figures ? [{ floor: each.name, kind, ...figuresOf(figures) }] : [];
  });
  return { rows, floors: floorRows };
};

export const measureOperations = async (options: Options): Promise<Required<Result>['operations']> => {
  const { engines, workers, rounds, seconds, connections } = options;
  const counts = workers > 1 ? [1, workers] : [1];
  const stages: Staged[] = [];
  for (const engine of engines)
    for (const count of counts) stages.push(await stageOf({ engine, workers: count }));
  const measured: Measured[] = [];
  for (const kind of options.kinds) measured.push(await measureKind(kind, stages, options));
  return {
    takenAt: new Date().toISOString(),
    rounds,
    seconds,
    connections,
    rows: measured.flatMap(({ rows }) => rows),
    floors: measured.flatMap(({ floors }) => floors),
  };
};
