/** A database of PostgreSQL whose tables belong to one role, and another role with the printed grants alone, for the service. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { grantsFor } from '../../src/store/grants.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase } from './database.js';

export interface ServingRole {
  readonly name: string;
  /** Of the owner of the tables. */
  readonly ownerUrl: string;
  /** As the role of the service. */
  readonly url: string;
  asOwner(sql: string): Promise<void>;
  drop(): Promise<void>;
}

/** `fill` makes what a test needs before the grants, with the address of the owner. */
export const createServingRole = async (
  fill: (url: string) => Promise<void> = async () => undefined,
): Promise<ServingRole> => {
  const database = await createDatabase('postgres');
  const name = `serve_${randomUUID().slice(0, 8)}`;
  const url = new URL(database.url);
  url.username = name;
  url.password = 'serving';
  const asOwner = async (sql: string): Promise<void> => {
    const client = new pg.Client(database.url);
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const db = await openDb(database.url, 1);
  await migrate(db, 1);
  await fill(database.url);
  // Nothing comes from what every role may do.
  await asOwner(`revoke all on schema public from public; create role ${name} login password 'serving'`);
  for (const grant of await grantsFor(db, name)) await asOwner(grant);
  await db.close();
  return {
    name,
    ownerUrl: database.url,
    url: url.href,
    asOwner,
    drop: async () => {
      await asOwner(`drop owned by ${name}; drop role ${name}`);
      await database.drop();
    },
  };
};
