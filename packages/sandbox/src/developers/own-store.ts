/** The store of a developer's own sandbox: a file beside the one of the sandbox, or a schema in its database. */
import { rmSync } from 'node:fs';
import type { Db } from 'trapeza/base';

const schemaOf = (id: string): string => `developer_${id.replaceAll('-', '')}`;

const fileOf = (databaseUrl: string, id: string): string =>
  `${databaseUrl.slice('sqlite:'.length)}.developers/${id}.db`;

const isFile = (databaseUrl: string): boolean => databaseUrl.startsWith('sqlite:');

export const ownStoreUrl = (databaseUrl: string, id: string): string => {
  if (isFile(databaseUrl)) return `sqlite:${fileOf(databaseUrl, id)}`;
  const url = new URL(databaseUrl);
  const options = [url.searchParams.get('options'), `-c search_path=${schemaOf(id)}`].filter(Boolean);
  url.searchParams.set('options', options.join(' '));
  return url.href;
};

/** A file is made when it is opened. */
export const makeOwnStore = async (db: Db, id: string): Promise<void> => {
  if (db.engine === 'postgres') await db.script(['create schema if not exists', schemaOf(id)].join(' '));
};

export const removeOwnStore = async (db: Db, databaseUrl: string, id: string): Promise<void> => {
  if (db.engine === 'postgres') await db.script(['drop schema if exists', schemaOf(id), 'cascade'].join(' '));
  else for (const part of ['', '-wal', '-shm']) rmSync(`${fileOf(databaseUrl, id)}${part}`, { force: true });
};
