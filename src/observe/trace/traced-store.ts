/** The same store; what a traced call asks of it becomes a span. No statement and no parameter is part of one. */
import type { Db, Queries, Reads } from '../../store/db.js';
import type { Tracer } from './tracer.js';

export const tracedStore = (db: Db, tracer: Tracer): Db => {
  const traced = <T>(name: string, ask: () => Promise<T>): Promise<T> => {
    const span = tracer.open('internal', name);
    if (!span) return ask();
    const asked = ask();
    asked.then(
      () => span.end(false),
      () => span.end(true),
    );
    return asked;
  };
  const readsOf = (reads: Reads): Reads => ({
    all: (sql, params) => traced('store read', () => reads.all(sql, params)),
    one: (sql, params) => traced('store read', () => reads.one(sql, params)),
  });
  return {
    ...db,
    ...readsOf(db),
    run: (sql, params) => traced('store write', () => db.run(sql, params)),
    batchedReads: readsOf(db.batchedReads),
    transaction: <T>(work: (tx: Queries) => Promise<T>) =>
      traced('store transaction', () => db.transaction(work)),
    writeBatch: (writes) => traced('store write', () => db.writeBatch(writes)),
  };
};
