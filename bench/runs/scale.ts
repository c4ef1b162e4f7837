/** Few account holders against many, in turns: what a store costs for being large. */
import type { Options } from '../options.js';
import type { Engine, Kind, Part, ScaleRow } from '../report/result.js';
import { titles } from '../report/targets.js';
import { race, ratioOf } from './rounds.js';
import { FEW, stageOf } from './stage.js';

/** The list of ATMs does not depend on account holders. */
const isOfHolders = (kind: Kind): boolean => !kind.startsWith('atms');

const measureEngine = async (engine: Engine, options: Options): Promise<ScaleRow[]> => {
  const few = await stageOf({ engine });
  const many = await stageOf({ engine, people: options.large });
  const rows: ScaleRow[] = [];
  for (const kind of options.kinds.filter(isOfHolders)) {
    console.error(`${titles[kind]}, ${engine}, few and many`);
    const [small, large] = await race(
      [
        { name: 'few', program: few.program, set: few.setOf(kind) },
        { name: 'many', program: many.program, set: many.setOf(kind) },
      ],
      options,
    );
    if (!small || !large) continue;
    rows.push({
      kind,
      engine,
      small: FEW,
      large: options.large,
      smallPerSecond: small.perSecond,
      largePerSecond: large.perSecond,
      ratio: ratioOf(large, small),
      cpuRatio: ratioOf(small, large, 'cpuUs'),
      p99Ms: large.p99Ms,
      errors: small.errors + large.errors,
    });
  }
  return rows;
};

export const measureScale = async (options: Options): Promise<Part<ScaleRow>> => {
  const { rounds, seconds, connections } = options;
  const rows: ScaleRow[] = [];
  for (const engine of options.stores) rows.push(...(await measureEngine(engine, options)));
  return { takenAt: new Date().toISOString(), rounds, seconds, connections, rows };
};
