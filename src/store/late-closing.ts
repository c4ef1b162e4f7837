/**
 * Sockets for postgres.js that tell of their end two turns late. The driver collects what it writes until the end of the turn; a
 * connection that closes before that leaves the collector waiting for ever, and every later use of the connection hangs.
 */
import { Socket } from 'node:net';
import { SECOND } from '../lib/clock.js';

const CONNECT_MS = 5 * SECOND;

class LateClosing extends Socket {
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event !== 'close') return super.emit(event, ...args);
    setImmediate(() => setImmediate(() => super.emit(event, ...args)));
    return true;
  }
}

/** Where the driver wants to go: a path, or the first of its hosts. */
interface Target {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path?: string | false;
}

/** The driver takes the socket for connected. Where it could not be, it is told so as soon as it listens. */
export const openSocket = ({ host, port, path }: Target): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = new LateClosing();
    const fail = (error: Error): void => {
      setImmediate(() => socket.emit('error', error));
      resolve(socket);
    };
    socket.once('error', fail);
    socket.setTimeout(CONNECT_MS, () =>
      socket.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })),
    );
    const target = path ? { path } : { port: port[0] ?? 5432, ...(host[0] ? { host: host[0] } : {}) };
    socket.connect(target, () => {
      socket.off('error', fail).setTimeout(0);
      resolve(socket);
    });
  });
