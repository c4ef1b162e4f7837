/** Where the bank sends notifications: a small server that keeps what arrives. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NotRun } from '../verdict.js';
import type { Bank } from './bank.js';
import { decided } from './consents.js';
import type { Application } from './credentials.js';

export interface Delivery {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The address that the bank knows. */
  readonly url: string;
  readonly consentId: string;
}

const WAIT_MS = 20_000;

type Arrived = Pick<Delivery, 'method' | 'headers' | 'body'>;

const listen = async (port: number, onArrival: (arrived: Arrived) => void): Promise<Server> => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(204).end();
      onArrival({ method: request.method ?? '', headers: request.headers, body: Buffer.concat(chunks) });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', () => reject(new NotRun(`port ${port} cannot be listened on`)));
    server.listen(port, port === 0 ? '127.0.0.1' : undefined, resolve);
  });
  return server;
};

/** The first notification about a consent that was made and approved for it. */
export const delivery = (bank: Bank): Promise<Delivery> =>
  bank.once('a notification', async () => {
    const arrivals: Arrived[] = [];
    let wake = (): void => undefined;
    const { webhook } = bank.credentials;
    const server = await listen(webhook?.port ?? 0, (arrived) => {
      arrivals.push(arrived);
      wake();
    });
    try {
      const url = webhook?.url ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
      const application: Application = webhook ? bank.application() : await bank.person.register(url);
      const { id } = await decided(bank, 'ConfirmationOfFunds', 'approve', { as: application });
      const found = (): Arrived | undefined => arrivals.find(({ body }) => body.includes(id));
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, WAIT_MS);
        wake = () => {
          if (!found()) return;
          clearTimeout(timer);
          resolve();
        };
        wake();
      });
      const arrived = found();
      if (!arrived) throw new NotRun(`no notification has arrived within ${WAIT_MS / 1000} s`);
      return { ...arrived, url, consentId: id };
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
