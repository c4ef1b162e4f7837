/** Where the bank sends notifications: a small server that refuses the first one about a consent, and takes what comes then. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NotRun } from '../verdict.js';
import type { Bank } from './bank.js';
import { end, stage } from './consents.js';
import type { Application } from './credentials.js';

export interface Arrival {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Notifications {
  /** The address that the bank knows. */
  readonly url: string;
  readonly application: Application;
  readonly consentId: string;
  /** About the consent, which was approved and then ended, in the order of their arrival. The first was answered with 503. */
  readonly arrivals: readonly Arrival[];
}

const FIRST_MS = 20_000;
export const AGAIN_S = 30;
/** The approval, the approval once more, and the end. */
const ALL = 3;

class Receiver {
  readonly arrivals: Arrival[] = [];
  /** What else the application is notified of is taken, and of no interest. */
  consentId = '';
  readonly #server: Server;
  #wake = (): void => undefined;

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', headers } = request;
        response.writeHead(this.#take({ method, headers, body: Buffer.concat(chunks) })).end();
        this.#wake();
      });
    });
  }

  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', () => reject(new NotRun(`port ${port} cannot be listened on`)));
      this.#server.listen(port, port === 0 ? '127.0.0.1' : undefined, resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/events`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Until so many have arrived, but not for ever. */
  async wait(count: number, ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        if (this.arrivals.length < count) return;
        clearTimeout(timer);
        resolve();
      };
      this.#wake();
    });
  }

  #take(arrival: Arrival): number {
    if (this.consentId === '' || !arrival.body.includes(this.consentId)) return 204;
    this.arrivals.push(arrival);
    return this.arrivals.length === 1 ? 503 : 204;
  }
}

/** What the bank sends about one consent. */
export const notifications = (bank: Bank): Promise<Notifications> =>
  bank.once('a notification', async () => {
    const { webhook } = bank.credentials;
    const receiver = new Receiver();
    const own = await receiver.listen(webhook?.port ?? 0);
    try {
      const url = webhook?.url ?? own;
      const application = webhook ? bank.application() : await bank.person.register(url);
      const staged = await stage(bank, 'ConfirmationOfFunds', { as: application });
      receiver.consentId = staged.id;
      await bank.person.decide(staged, 'approve');
      await receiver.wait(1, FIRST_MS);
      if (receiver.arrivals.length > 0) {
        await end(bank, 'ConfirmationOfFunds', staged.id, application);
        await receiver.wait(ALL, AGAIN_S * 1000);
      }
      return { url, application, consentId: staged.id, arrivals: receiver.arrivals };
    } finally {
      receiver.close();
    }
  });
