/** What is measured: floors and services, each with its requests and with the floor that it is a part of. */
import type { RequestSet } from './load/load.js';
import type { SubjectId } from './options.js';
import { type Program, startOwn, startService } from './programs.js';
import { type Engine, newDatabase, storeOf } from './stores.js';

export interface Subject {
  readonly id: SubjectId;
  readonly floor?: SubjectId;
  readonly set: RequestSet;
  start(): Promise<Program>;
}

/** Programs that the subjects share. */
export interface Surroundings {
  /** Runs the programs under test. */
  readonly node: string;
  readonly coreUrl: string;
  readonly batchingCoreUrl: string;
}

/** The bytes of a consent's status. */
const STATUS_BYTES = '18';

export const floorOf: Readonly<Partial<Record<SubjectId, SubjectId>>> = {
  read: 'bare',
  'demo-sqlite': 'durable-sqlite',
  'demo-postgres': 'durable-postgres',
  production: 'production-floor',
  'production-batches': 'production-floor',
};

export const subjectOf = async (
  id: SubjectId,
  { node, coreUrl, batchingCoreUrl }: Surroundings,
): Promise<Subject> => {
  const named = { id, ...(floorOf[id] ? { floor: floorOf[id] } : {}) };
  const durable = async (engine: Engine, ...core: readonly string[]): Promise<Subject> => {
    const [{ funds }, database] = [await storeOf(engine, core[0]), await newDatabase(engine)];
    return { ...named, set: funds, start: () => startOwn(node, ['floors/durable.js', database, ...core]) };
  };
  const demo = async (engine: Engine): Promise<Subject> => {
    const { url: databaseUrl, funds } = await storeOf(engine);
    return { ...named, set: funds, start: () => startService({ node, command: 'sandbox', databaseUrl }) };
  };
  const production = async (kind: 'funds' | 'status', url: string): Promise<Subject> => {
    const { url: databaseUrl, ...sets } = await storeOf('postgres', coreUrl);
    const env = { TRAPEZA_CORE_URL: url };
    return {
      ...named,
      set: sets[kind],
      start: () => startService({ node, command: 'serve', databaseUrl, env }),
    };
  };
  const makers: Readonly<Record<SubjectId, () => Promise<Subject>>> = {
    bare: async () => ({
      ...named,
      set: (await storeOf('postgres', coreUrl)).status,
      start: () => startOwn(node, ['floors/bare.js', STATUS_BYTES]),
    }),
    read: () => production('status', coreUrl),
    'durable-sqlite': () => durable('sqlite'),
    'demo-sqlite': () => demo('sqlite'),
    'durable-postgres': () => durable('postgres'),
    'demo-postgres': () => demo('postgres'),
    'production-floor': () => durable('postgres', coreUrl),
    production: () => production('funds', coreUrl),
    'production-batches': () => production('funds', batchingCoreUrl),
  };
  return makers[id]();
};
