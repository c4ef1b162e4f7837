/**
 * A connection serves one request after the other. Node delivers pipelined requests at once, and hands over the socket (CONNECT,
 * bytes that are not HTTP) while a request on it is being processed; it removes its own error listener first, and an unhandled
 * error ends the process.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import { monotonicMs } from '../clock.js';

export interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** `slow`: the client has not sent its whole request, or not read the answer. `busy`: the request is ours to answer. */
export type Work = 'none' | 'slow' | 'busy';

export interface Use {
  readonly work: Work;
  readonly since: number;
}

const workOn = (current: Asked | undefined): Work => {
  if (!current) return 'none';
  return current.request.complete && !current.response.writableEnded ? 'busy' : 'slow';
};

const ignore = (): void => undefined;

/** Every socket of this server has an error listener for as long as it lives. Node destroys a socket that fails. */
export const guardSockets = (server: Server): void => {
  for (const event of ['connection', 'secureConnection'])
    server.on(event, (socket: Socket) => socket.on('error', ignore));
};

/** On the socket itself, because a weak map costs at every collection. */
const CONNECTION = Symbol('connection');

export class Connection<T extends Asked> {
  readonly #socket: Socket;
  readonly #waiting: [asked: T, begin: (asked: T) => void][] = [];
  #current: T | undefined;
  /** When the last request was answered, or the present one began. */
  #since = monotonicMs();
  #last: T | undefined;
  #end: (() => void) | undefined;
  #rest: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Of one server; all its requests are of one kind. */
  static of<T extends Asked>(socket: Socket & { [CONNECTION]?: Connection<T> }): Connection<T> {
    socket[CONNECTION] ??= new Connection<T>(socket);
    return socket[CONNECTION];
  }

  /** What it does; undefined if it never had a request. */
  static useOf(socket: Socket & { [CONNECTION]?: Connection<Asked> }): Use | undefined {
    const known = socket[CONNECTION];
    return known && { work: workOn(known.#current), since: known.#since };
  }

  /** The request that came last, until it is answered and whole: before that, what comes on the wire may be the rest of it. */
  get last(): T | undefined {
    return this.#last;
  }

  /** Begins a request when those before it have their answers; not at all if the connection has ended by then. */
  take(asked: T, begin: (asked: T) => void): void {
    // Handed on by a service to one inside it: it has its turn already.
    if (this.#current?.request === asked.request) {
      begin(asked);
      return;
    }
    this.#last = asked;
    if (this.#current) this.#waiting.push([asked, begin]);
    else this.#start(asked, begin);
  }

  /** Runs `end` when every request has its answer. Only the first call counts. */
  endWith(end: () => void): void {
    if (this.#end) return;
    this.#end = end;
    if (!this.#current) this.#finish();
  }

  /** Reads nothing for a while, once the present request has its answer. */
  rest(ms: number, over: () => void): void {
    this.#rest = () => {
      this.#rest = undefined;
      this.#socket.pause();
      setTimeout(() => {
        over();
        if (this.#socket.writable) this.#socket.resume();
      }, ms).unref();
    };
  }

  #start(asked: T, begin: (asked: T) => void): void {
    this.#current = asked;
    this.#since = monotonicMs();
    // Comes with the end of the answer or of the connection.
    asked.response.on('close', () => this.#over(asked));
    begin(asked);
  }

  #over(asked: T): void {
    this.#current = undefined;
    this.#since = monotonicMs();
    if (asked.request.complete && this.#last === asked) this.#last = undefined;
    this.#rest?.();
    if (!this.#socket.writable) return;
    const next = this.#waiting.shift();
    if (next) this.#start(...next);
    else this.#finish();
  }

  #finish(): void {
    if (!this.#socket.destroyed) this.#end?.();
  }
}
