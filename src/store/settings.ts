/** Single values that all nodes share, by name. */
import type { Queries, Reads } from './db.js';

const READ = 'select value from settings where name = ?';
const PUT = `
  insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value`;
const REPLACE = `${PUT} where settings.value = ?`;
const INCREMENT = `
  insert into settings (name, value) values (?, '1')
  on conflict (name) do update set value = cast(cast(settings.value as bigint) + 1 as text)`;

const LOCK = `
  insert into settings (name, value) values (?, ?)
  on conflict (name) do update set value = settings.value returning value`;

/** Its value, or this one if it is absent; no other transaction changes it until this one ends. */
export const lockSetting = async (tx: Queries, name: string, absent: string): Promise<string> =>
  (await tx.one<{ value: string }>(LOCK, [name, absent]))?.value ?? absent;

export const readSetting = async (db: Reads, name: string): Promise<string | undefined> =>
  (await db.one<{ value: string }>(READ, [name]))?.value;

export const putSetting = async (db: Queries, name: string, value: string): Promise<void> => {
  await db.run(PUT, [name, value]);
};

/** False if the value is no longer `expected`. A value that is absent is set. */
export const replaceSetting = async (
  db: Queries,
  name: string,
  value: string,
  expected: string,
): Promise<boolean> => (await db.run(REPLACE, [name, value, expected])) === 1;

/** Counts on from 0. */
export const incrementSetting = async (db: Queries, name: string): Promise<void> => {
  await db.run(INCREMENT, [name]);
};

export const removeSetting = async (db: Queries, name: string): Promise<void> => {
  await db.run('delete from settings where name = ?', [name]);
};
