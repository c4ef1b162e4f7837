/** What stands on the stage: services with filled stores and floors, each started once and kept until the end of the run. */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openDb } from '#trapeza/store/open.js';
import { type Dataset, fillBank, fillStore, tokensFor } from '../data.js';
import { tempFolder } from '../endings.js';
import { type RequestSet, saveRequests } from '../load/closed-loop.js';
import { type Postgres, startPostgres } from '../postgres.js';
import { type Floor, type Program, startCore, startFloor, startService } from '../programs.js';
import { fillRecords, sizeOf } from '../records.js';
import type { Engine, Kind } from '../report/result.js';
import { requestsOf } from '../requests.js';

export const FEW = 10_000;
const FILLING_MS = 3_600_000;

export interface Staged {
  readonly engine: Engine;
  readonly workers: number;
  readonly program: Program;
  readonly databaseUrl: string;
  readonly data: Dataset;
  readonly size: Readonly<FilledSize>;
  /** Ends the service and gives the disk back. The stage is gone afterwards. */
  free(): Promise<void>;
  setOf(kind: Kind): RequestSet;
  /** All kinds in turn. */
  mixOf(kinds: readonly Kind[]): RequestSet;
}

interface Wanted {
  readonly engine: Engine;
  readonly people?: number;
  readonly workers?: number;
  /** Funds records, of all of them. */
  readonly records?: number;
  /** Settings beside the defaults. */
  readonly env?: Readonly<Record<string, string>>;
}

const once = <Value>(make: (key: string) => Value): ((key: string) => Value) => {
  const made = new Map<string, Value>();
  return (key) => {
    const found = made.get(key) ?? make(key);
    made.set(key, found);
    return found;
  };
};

let postgres: Promise<Postgres> | undefined;

const newDatabase = async (engine: Engine): Promise<string> => {
  if (engine !== 'postgres') return `sqlite:${join(tempFolder('bench-store'), 'bench.db')}`;
  postgres ??= startPostgres();
  return (await postgres).database();
};

/** Bytes on disk. */
interface FilledSize {
  holders: number;
  records: number;
  /** That it took to write the records. */
  seconds: number;
}

interface Filled {
  readonly data: Dataset;
  readonly tokens: readonly string[];
  readonly size: Readonly<FilledSize>;
}

/** The service makes its tables at its first start; it is measured from its second, which finds everything in place. */
const fill = async (url: string, people: number, records: number): Promise<Filled> => {
  const first = await startService(url);
  await first.stop();
  // Millions of rows are written by one statement.
  const db = await openDb(url, 2, { statementMs: FILLING_MS });
  try {
    const size: FilledSize = { holders: 0, records: 0, seconds: 0 };
    const data = await fillStore(db, people, async () => {
      size.holders = await sizeOf(db);
      if (records > 0) size.seconds = await fillRecords(db, people, records);
      size.records = (await sizeOf(db)) - size.holders;
    });
    return { data, tokens: await tokensFor(db, data), size };
  } finally {
    await db.close();
  }
};

/** Settings of a service whose core is a program of its own. */
const remoteCore = async (people: number): Promise<NodeJS.ProcessEnv> => {
  const folder = tempFolder('bench-core');
  const first = await startCore(folder);
  await first.stop();
  const db = await openDb(`sqlite:${join(folder, 'core-simulator.db')}`, 1);
  try {
    await fillBank(db, people);
  } finally {
    await db.close();
  }
  return { TRAPEZA_CORE_URL: (await startCore(folder)).url };
};

const freeStore = async (engine: Engine, url: string): Promise<void> => {
  if (engine === 'postgres') await (await postgres)?.drop(url);
  else rmSync(dirname(url.slice('sqlite:'.length)), { recursive: true, force: true });
};

const stage = async ({
  engine,
  people = FEW,
  workers = 1,
  records = 0,
  env: more = {},
}: Wanted): Promise<Staged> => {
  const ofRecords = records > 0 ? ` and ${records.toLocaleString('en')} funds records` : '';
  console.error(`filling ${engine} with ${people.toLocaleString('en')} account holders${ofRecords}`);
  const url = await newDatabase(engine);
  const { data, tokens, size } = await fill(url, people, records);
  const env = engine === 'remote' ? await remoteCore(people) : {};
  const program = await startService(url, { workers, env: { ...env, ...more } });
  const setOf = once((kind) => saveRequests(requestsOf(kind as Kind, data, tokens)));
  return {
    engine,
    workers,
    program,
    databaseUrl: url,
    data,
    size,
    free: async () => {
      await program.stop();
      await freeStore(engine, url);
    },
    setOf,
    mixOf(kinds) {
      const sets = kinds.map((kind) => setOf(kind).requests);
      return saveRequests(sets[0]?.flatMap((_each, index) => sets.flatMap((set) => set[index] ?? [])) ?? []);
    },
  };
};

const stages = once((key) => stage(JSON.parse(key) as Wanted));
export const stageOf = (wanted: Wanted): Promise<Staged> => {
  const { engine, people = FEW, workers = 1, records = 0, env = {} } = wanted;
  return stages(JSON.stringify({ engine, people, workers, records, env }));
};

const floors = once((key) => startFloor(JSON.parse(key) as Floor));
export const floorOf = (floor: Floor): Promise<Program> => floors(JSON.stringify(floor));
