/**
 * Loaded into a node before the program (`node --import`). Ends the process at a named crash point, or makes reads come back
 * empty, so that a campaign can show that it would notice. Does nothing unless a variable asks for it.
 */
import { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';

const {
  FAULTS_CRASH: point,
  FAULTS_PASSES: passes = '1',
  FAULTS_EMPTY_READS: emptyReads,
  DATABASE_URL: database = '',
} = process.env;

let left = Number(passes);
/** @param {string} here */
const pass = (here) => {
  if (here !== point) return;
  left -= 1;
  if (left <= 0) process.kill(process.pid, 'SIGKILL');
};

/**
 * Puts a function around a method.
 * @param {object} owner
 * @param {string} name
 * @param {(self: object, args: unknown[], original: () => unknown) => unknown} wrapper
 */
const around = (owner, name, wrapper) => {
  const original = Reflect.get(owner, name);
  const isSet = Reflect.set(
    owner,
    name,
    /** @this {object} @param {unknown[]} args */ function (...args) {
      return wrapper(this, args, () => Reflect.apply(original, this, args));
    },
  );
  if (!isSet) throw new Error(`${name} cannot be replaced`);
};

/**
 * @param {string} moment
 * @param {() => unknown} work
 */
const passing = (moment, work) => {
  pass(`before ${moment}`);
  const result = work();
  pass(`after ${moment}`);
  return result;
};

/** @param {unknown} sql */
const isCommit = (sql) => /^\s*commit\b/i.test(String(sql));

let answers = 0;
/** After the start, which could not do without what it reads. */
const isEmpty = () => emptyReads !== undefined && answers > 5 && Math.random() < Number(emptyReads);

const wrapEmbeddedStore = () => {
  const load = createRequire(new URL('../../../../package.json', import.meta.url));
  const name = Number(process.versions.node.split('.')[0]) >= 24 ? 'node:sqlite' : '@photostructure/sqlite';
  const driver = load(name);
  // The methods of the driver's own class cannot be replaced, so its place is taken by a class of ours.
  class Connection extends driver.DatabaseSync {
    /** @param {string} sql */
    exec(sql) {
      return isCommit(sql) ? passing('commit', () => super.exec(sql)) : super.exec(sql);
    }
    /** @param {string} sql */
    prepare(sql) {
      const statement = super.prepare(sql);
      const isRead = /^\s*select\b/i.test(sql);
      /** @param {'run' | 'get' | 'all'} method */
      const wrapped =
        (method) =>
        (/** @type {unknown[]} */ ...params) => {
          const run = () => statement[method](...params);
          if (isCommit(sql)) return passing('commit', run);
          if (isRead && isEmpty()) return method === 'all' ? [] : undefined;
          return run();
        };
      return {
        run: wrapped('run'),
        get: wrapped('get'),
        all: wrapped('all'),
        columns: () => statement.columns(),
        setReturnArrays: (/** @type {boolean} */ isOn) => statement.setReturnArrays(isOn),
      };
    }
  }
  const module = load.cache[load.resolve(name)];
  if (module) module.exports = { ...driver, DatabaseSync: Connection };
  else driver.DatabaseSync = Connection;
};

/** Whatever the driver is, a commit travels as text, and the next bytes of that connection say that it happened. */
const wrapDatabaseConnections = () => {
  const port = Number(new URL(database).port);
  around(Socket.prototype, 'write', (self, [chunk], write) => {
    const socket = /** @type {Socket} */ (self);
    if (socket.remotePort === port && /\bcommit\b/i.test(String(chunk))) {
      pass('before commit');
      socket.once('data', () => pass('after commit'));
    }
    return write();
  });
};

if (point || emptyReads) {
  if (database.startsWith('postgres')) wrapDatabaseConnections();
  else wrapEmbeddedStore();
  // Nothing of an answer is sent before its head.
  around(ServerResponse.prototype, 'writeHead', (_self, _args, writeHead) => {
    answers += 1;
    pass('before answer');
    return writeHead();
  });
  around(ServerResponse.prototype, 'end', (_self, _args, end) => {
    setImmediate(pass, 'after answer');
    return end();
  });
}
