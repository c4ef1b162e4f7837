/** Stores for tests: an empty one, or a copy of one that is filled once in a run. */
import { createHash, randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { Engine } from './engines.js';
import { newFolder, type Place } from './places.js';
import { postgresUrl } from './postgres-url.js';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

const asAdmin = async <T = unknown>(sql: string, place?: Place): Promise<T[]> => {
  const client = new pg.Client(await postgresUrl(place));
  await client.connect();
  try {
    return (await client.query(sql)).rows as T[];
  } finally {
    await client.end();
  }
};

const onPostgres = async (name: string, place?: Place): Promise<TestDatabase> => ({
  url: (await postgresUrl(place)).replace(/postgres$/, name),
  drop: async () => void (await asAdmin(`drop database if exists ${name} with (force)`, place)),
});

const newName = (): string => `t_${randomUUID().replace(/-/g, '')}`;

const onSqlite = (folder: string): TestDatabase => ({
  url: `sqlite:${join(folder, 'trapeza.db')}`,
  drop: async () => rmSync(folder, { recursive: true, force: true }),
});

/** On `disk` for tests of what outlives a kill. */
export const createDatabase = async (engine: Engine, place?: Place): Promise<TestDatabase> => {
  if (engine === 'sqlite') return onSqlite(newFolder('data', place));
  const name = newName();
  await asAdmin(`create database ${name}`, place);
  return onPostgres(name, place);
};

/** Fills an empty store and closes it. */
export type Fill = (url: string) => Promise<void>;

/** Of two workers that fill one at once, the second finds that it is there and drops his own. */
const copyOnSqlite = async (key: string, fill: Fill): Promise<TestDatabase> => {
  const template = join(inject('templateFolder'), `${key}.db`);
  if (!existsSync(template)) {
    const draft = await createDatabase('sqlite');
    await fill(draft.url);
    renameSync(draft.url.slice('sqlite:'.length), template);
    await draft.drop();
  }
  const copy = newFolder('data');
  copyFileSync(template, join(copy, 'trapeza.db'));
  return onSqlite(copy);
};

const ALREADY_THERE = '42P04';

const copyOnPostgres = async (key: string, fill: Fill): Promise<TestDatabase> => {
  const template = `template_${key}`;
  const [known] = await asAdmin(`select 1 from pg_database where datname = '${template}'`);
  if (!known) {
    const draft = newName();
    await asAdmin(`create database ${draft}`);
    await fill((await onPostgres(draft)).url);
    await asAdmin(`alter database ${draft} rename to ${template}`).catch(async (error: { code?: string }) => {
      if (error.code !== ALREADY_THERE) throw error;
      await (await onPostgres(draft)).drop();
    });
  }
  const name = newName();
  await asAdmin(`create database ${name} template ${template} strategy = file_copy`);
  return onPostgres(name);
};

/** `made` is everything that decides what `fill` writes. */
export const copyOf = (engine: Engine, made: readonly unknown[], fill: Fill): Promise<TestDatabase> => {
  const key = createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 32);
  return engine === 'sqlite' ? copyOnSqlite(key, fill) : copyOnPostgres(key, fill);
};
