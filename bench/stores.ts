/** Stores with account holders, consents and applications, each filled once and used by every version of Node. */
import { join } from 'node:path';
import { openDb } from '#trapeza/store/open.js';
import { fillStore, tokensFor } from './data.js';
import { tempFolder } from './endings.js';
import { type RequestSet, saveRequests } from './load/load.js';
import { type Postgres, startPostgres } from './postgres.js';
import { startService } from './programs.js';
import { requestsOf } from './requests.js';

const HOLDERS = 10_000;
const FILLING_MS = 600_000;

export interface Store {
  readonly url: string;
  readonly funds: RequestSet;
  readonly status: RequestSet;
}

export type Engine = 'sqlite' | 'postgres';

let postgres: Promise<Postgres> | undefined;

export const newDatabase = async (engine: Engine): Promise<string> => {
  if (engine === 'sqlite') return `sqlite:${join(tempFolder('bench-store'), 'bench.db')}`;
  postgres ??= startPostgres();
  return (await postgres).database();
};

/** The service makes its tables at its first start. With a core there is no demo bank. */
const fill = async (engine: Engine, coreUrl?: string): Promise<Store> => {
  console.error(`filling ${engine} with ${HOLDERS.toLocaleString('en')} account holders`);
  const url = await newDatabase(engine);
  const first = await startService({
    node: process.execPath,
    databaseUrl: url,
    ...(coreUrl ? { command: 'serve', env: { TRAPEZA_CORE_URL: coreUrl } } : { command: 'sandbox' }),
  });
  await first.stop();
  const db = await openDb(url, 2, { statementMs: FILLING_MS });
  try {
    const data = await fillStore(db, HOLDERS, coreUrl === undefined);
    const tokens = await tokensFor(db, data);
    const set = (kind: 'funds' | 'status'): RequestSet => saveRequests(requestsOf(kind, data, tokens));
    return { url, funds: set('funds'), status: set('status') };
  } finally {
    await db.close();
  }
};

const filled = new Map<string, Promise<Store>>();

export const storeOf = (engine: Engine, coreUrl?: string): Promise<Store> => {
  const key = `${engine} ${coreUrl}`;
  const store = filled.get(key) ?? fill(engine, coreUrl);
  filled.set(key, store);
  return store;
};
