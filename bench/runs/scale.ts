/** Few account holders against many, in turns: what a store costs for being large, and for having many funds records. */
import { openDb } from '#trapeza/store/open.js';
import type { Options } from '../options.js';
import { checkDisk, measureForgetting, measureList } from '../records.js';
import type { Engine, GrowthRow, Kind, Part, Result, ScaleRow } from '../report/result.js';
import { titles } from '../report/targets.js';
import { race, ratioOf } from './rounds.js';
import { FEW, type Staged, stageOf } from './stage.js';

/** The list of ATMs does not depend on account holders. */
const isOfHolders = (kind: Kind): boolean => !kind.startsWith('atms');

type Pair = readonly [few: Staged, many: Staged];

const measureCalls = async ([few, many]: Pair, options: Options): Promise<ScaleRow[]> => {
  const rows: ScaleRow[] = [];
  const { engine } = few;
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
      p99Ratio: small.p99Ms / large.p99Ms,
      errors: small.errors + large.errors,
    });
  }
  return rows;
};

const withStore = async <T>(
  { databaseUrl }: Staged,
  work: (db: Awaited<ReturnType<typeof openDb>>) => Promise<T>,
) => {
  const db = await openDb(databaseUrl, 1);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
};

/** Beside services that have nothing to do. */
const measureGrowth = async ([few, many]: Pair, { large, records }: Options): Promise<GrowthRow> => {
  const list = (staged: Staged): Promise<number> =>
    withStore(staged, (db) => measureList(db, staged.data.people));
  const [listFewMs, listMs] = [await list(few), await list(many)];
  return {
    engine: many.engine,
    people: large,
    records,
    fillSeconds: many.size.seconds,
    holderBytes: many.size.holders / large,
    recordBytes: many.size.records / records,
    listFewMs,
    listMs,
    ...(await withStore(many, measureForgetting)),
  };
};

/** Records of 25 months: none is due meanwhile. */
const KEPT = { TRAPEZA_RETENTION_RECORD_MONTHS: '27' };

const stagesOf = async (engine: Engine, { large, records }: Options): Promise<Pair> => {
  checkDisk(large, records);
  if (records === 0) return [await stageOf({ engine }), await stageOf({ engine, people: large })];
  const share = Math.ceil((records / large) * FEW);
  const few = await stageOf({ engine, records: share, env: KEPT });
  return [few, await stageOf({ engine, people: large, records, env: KEPT })];
};

/** One engine after the other; what is large is gone before the next one. */
export const measureScale = async (options: Options): Promise<NonNullable<Result['scale']>> => {
  const { rounds, seconds, connections } = options;
  const rows: ScaleRow[] = [];
  const growth: GrowthRow[] = [];
  for (const engine of options.stores) {
    const pair = await stagesOf(engine, options);
    rows.push(...(await measureCalls(pair, options)));
    if (options.records > 0) growth.push(await measureGrowth(pair, options));
    await pair[1].free();
  }
  const part: Part<ScaleRow> = { takenAt: new Date().toISOString(), rounds, seconds, connections, rows };
  return growth.length > 0 ? { ...part, growth } : part;
};
