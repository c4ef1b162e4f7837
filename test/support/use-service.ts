/** A service for the tests of one block: started before the first, closed after the last. */
import { afterAll, beforeAll } from 'vitest';
import type { Db } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
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

/** Looks into the store of a running service, or changes what no operation can. */
export const withStore = async <T>(service: Service, work: (db: Db) => Promise<T>): Promise<T> => {
  const db = await openDb(service.databaseUrl, 2);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
};
