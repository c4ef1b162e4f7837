/** One connection with one request at a time. */
import { connect, type Socket } from 'node:net';
import { readAnswer } from './wire.js';

/** `isLast`: the server closes the connection, as it does after ten thousand requests. */
type Done = (status: number, isLast: boolean) => void;

export class Line {
  readonly #socket: Socket;
  #received: Buffer | undefined;
  #done: Done | undefined;

  constructor({ hostname, port }: URL, onBroken: (wasBusy: boolean) => void) {
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.on('data', (chunk) => this.#read(chunk));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => onBroken(this.#done !== undefined));
  }

  send(request: string, done: Done): void {
    this.#done = done;
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.removeAllListeners('close').destroy();
  }

  #read(chunk: Buffer): void {
    const bytes = this.#received ? Buffer.concat([this.#received, chunk]) : chunk;
    const answer = readAnswer(bytes);
    if (!answer || answer.bytes > bytes.length) {
      this.#received = bytes;
      return;
    }
    this.#received = undefined;
    const done = this.#done;
    this.#done = undefined;
    done?.(answer.status, answer.closes);
    if (answer.closes) this.#socket.destroy();
  }
}
