/** A service for the tests of one block: started before the first, closed after the last. */
import { afterAll, beforeAll } from 'vitest';
import type { Db } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase, type TestDatabase } from './database.js';
import { type Service, type ServiceOptions, startService } from './service.js';

/** The running service. A function, because it exists only once the block has begun. */
export type Use = () => Service;

export const useService = (
  options: ServiceOptions = {},
  prepare?: (service: Service) => Promise<void>,
): Use => {
  let service: Service | undefined;
  beforeAll(async () => {
    service = await startService(options);
    await prepare?.(service);
  });
  afterAll(() => service?.close());
  return () => {
    if (!service) throw new Error('the service has not started');
    return service;
  };
};

/** Two nodes on one PostgreSQL. The list is empty until the block has begun. */
export const useTwoNodes = (optionsOfEach: () => ServiceOptions): readonly Service[] => {
  let database: TestDatabase | undefined;
  const nodes: Service[] = [];
  beforeAll(async () => {
    database = await createDatabase('postgres');
    const { url } = database;
    const env = { BASE_URL: 'http://127.0.0.1:1' };
    for (const _ of [1, 2]) nodes.push(await startService({ databaseUrl: url, env, ...optionsOfEach() }));
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
    await database?.drop();
  });
  return nodes;
};

/** Looks into the store of a running service, or changes what no operation can. */
export const withStore = async <T>(service: Service, work: (db: Db) => Promise<T>): Promise<T> => {
  const db = await openDb(service.databaseUrl, 2);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
};
