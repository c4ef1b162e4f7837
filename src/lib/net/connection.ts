/**
 * A connection and the answers it owes. Node hands a socket over (CONNECT, bytes that are no HTTP) while earlier requests on it
 * still wait for theirs, and takes its own error listener off first: without another one a reset would end the process.
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
  readonly #owed: (() => void)[] = [];
  #last: T | undefined;
  #end: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    // Node closes the first of several responses when the connection is gone, but not those that wait behind it.
    socket.once('close', () => {
      for (const settled of this.#owed.splice(0)) settled();
    });
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

  get owes(): boolean {
    return this.#owed.length > 0;
  }

  /** `settled` is called once: when the answer is out, or nobody is there any more to read it. */
  owe(asked: T, settled: () => void): void {
    this.#last = asked;
    this.#owed.push(settled);
    asked.response.once('close', () => {
      if (asked.request.complete && this.#last === asked) this.#last = undefined;
      const place = this.#owed.indexOf(settled);
      if (place < 0) return;
      this.#owed.splice(place, 1);
      settled();
      if (!this.owes) this.#finish();
    });
  }

  /** What is to happen to the connection when nothing is owed any more. The first word counts. */
  endWith(end: () => void): void {
    if (this.#end) return;
    this.#end = end;
    if (!this.owes) this.#finish();
  }

  #finish(): void {
    if (!this.#socket.destroyed) this.#end?.();
  }
}
