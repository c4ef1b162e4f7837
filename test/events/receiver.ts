/** A receiver of notifications as a third party would run it: real listener, and what it answers is up to the test. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EventBody } from '../../src/events/event.js';

export interface Received {
  readonly method: string;
  /** As the sender addressed it. */
  readonly targetUri: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: EventBody;
}

export type Respond = (response: ServerResponse, received: Received) => void;

export const answers =
  (status: number, headers: Readonly<Record<string, string>> = {}): Respond =>
  (response) =>
    void response.writeHead(status, headers).end();

export class Receiver {
  readonly received: Received[] = [];
  respond: Respond = answers(204);
  connections = 0;
  readonly #watchers = new Set<() => void>();
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { method = '', url = '', headers } = request;
      const targetUri = `http://${headers.host}${url}`;
      const got = { method, targetUri, headers, body, event: JSON.parse(body) as EventBody };
      this.received.push(got);
      this.respond(response, got);
      for (const watcher of this.#watchers) watcher();
    });
  });

  async listen(): Promise<this> {
    this.#server.on('connection', () => {
      this.connections += 1;
    });
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  /** Waits until this is true of what has come. */
  until(isEnough: (received: readonly Received[]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isEnough(this.received)) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

export const openReceiver = (): Promise<Receiver> => new Receiver().listen();
