/**
 * A connection serves one request after the other. Node delivers pipelined requests at once, and hands over the socket (CONNECT,
 * bytes that are not HTTP) while a request on it is being processed; it removes its own error listener first, and an unhandled
 * error ends the process.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';

export interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

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

  /** The request that came last, until it is answered and whole: before that, what comes on the wire may be the rest of it. */
  get last(): T | undefined {
    return this.#last;
  }

  /** Begins with it when those before it have their answers. Not at all if the connection is over by then. */
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

  /** What is to happen to the connection when every request has its answer. The first word counts. */
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
        if (!this.#socket.destroyed) this.#socket.resume();
      }, ms).unref();
    };
  }

  #start(asked: T, begin: (asked: T) => void): void {
    this.#current = asked;
    // Comes with the end of the answer or of the connection.
    asked.response.on('close', () => this.#over(asked));
    begin(asked);
  }

  #over(asked: T): void {
    this.#current = undefined;
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
