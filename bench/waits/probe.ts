/**
 * Loaded into the service before its own modules (`node --import`): notes how long requests wait for their turn, for others of a batch, for
 * the store and for the flush. The methods of the product are wrapped from outside, so a service without this file pays nothing for it.
 * SIGUSR2 writes what was noted since the last one.
 */
import { writeFileSync } from 'node:fs';
import { ServerResponse } from 'node:http';
import type { Exchange } from '#trapeza/http/exchange.js';
import { Load } from '#trapeza/http/listeners/load.js';
import { GroupCommit } from '#trapeza/store/group-commit.js';
import { Connection, type Statement } from '#trapeza/store/postgres/connection.js';
import { ReadBatcher } from '#trapeza/store/postgres/read-batcher.js';
import { Prepared } from '#trapeza/store/sqlite/connections.js';
import { WriteAheadLog } from '#trapeza/store/sqlite/log.js';

/** Milliseconds of all requests together. */
const noted = {
  requests: 0,
  total: 0,
  turn: 0,
  reads: 0,
  readStatements: 0,
  commits: 0,
  flushes: 0,
  inStore: 0,
};
export type Noted = typeof noted;

type Method = (this: unknown, ...args: never[]) => unknown;

/** `after` gets the time that a call took, or its promise. */
const wrap = <T extends object>(
  owner: T,
  name: keyof T,
  after: (ms: number, args: readonly unknown[]) => void,
): void => {
  const original = owner[name] as Method;
  const wrapped: Method = function (...args) {
    const startedAt = performance.now();
    const done = (): void => after(performance.now() - startedAt, args);
    const result = original.apply(this, args);
    if (result instanceof Promise) void result.then(done, done);
    else done();
    return result;
  };
  Object.defineProperty(owner, name, { value: wrapped });
};

const started = new WeakMap<ServerResponse, number>();
wrap(Load.prototype, 'beginTurn', (ms, [arrived]) => {
  const now = performance.now() - ms;
  for (const { response, startedAt } of arrived as Exchange[]) {
    started.set(response, startedAt);
    noted.turn += now - startedAt;
  }
});
const { end } = ServerResponse.prototype;
ServerResponse.prototype.end = function (this: ServerResponse, ...args: Parameters<typeof end>) {
  const startedAt = started.get(this);
  if (startedAt !== undefined) {
    noted.requests += 1;
    noted.total += performance.now() - startedAt;
    started.delete(this);
  }
  return end.apply(this, args);
} as typeof end;

wrap(ReadBatcher.prototype, 'all', (ms) => {
  noted.reads += ms;
});
/** Every read of a batch waits for the whole statement. */
wrap(Connection.prototype, 'send', (ms, [statement]) => {
  const { values = [], isWrite } = statement as Statement;
  const [first] = values;
  if (isWrite) noted.flushes += ms * (typeof first === 'string' ? first.split('"requestId"').length - 1 : 1);
  else noted.readStatements += ms * (Array.isArray(first) ? first.length : 1);
});
wrap(GroupCommit.prototype, 'add', (ms) => {
  noted.commits += ms;
});
/** SQLite's commit is its flush; the log then learns how many writes it had, two for each request. */
let commitMs = 0;
wrap(WriteAheadLog.prototype, 'grew', (_ms, [, writes]) => {
  noted.flushes += (commitMs * Number(writes)) / 2;
  commitMs = 0;
});
const seen = new WeakSet<object>();
const { statement } = Prepared.prototype;
Prepared.prototype.statement = function (sql) {
  const made = statement.call(this, sql);
  if (!seen.has(made))
    for (const name of ['all', 'get', 'run'] as const)
      wrap(made, name, (ms) => {
        if (sql === 'commit' && name === 'get') commitMs = ms;
        else noted.inStore += ms;
      });
  seen.add(made);
  return made;
};

process.on('SIGUSR2', () => {
  writeFileSync(process.env.BENCH_PROBE_FILE ?? '', JSON.stringify(noted));
  for (const name of Object.keys(noted)) noted[name as keyof Noted] = 0;
});
