/**
 * One attempt to deliver: a connection of its own, made only to addresses that were checked, never following a redirect.
 */
import { connectionFault, type Open, type Resolve } from '../../lib/net/checked-connect.js';
import { connectToStranger, type Reach } from '../../lib/net/strangers.js';

export interface SenderOptions {
  readonly reach: Reach;
  readonly proxy?: string | undefined;
  readonly resolve?: Resolve;
  readonly open?: Open;
}

export interface Attempt {
  readonly isDelivered: boolean;
  /** For the third party: `not reached`, of a target that is not public. */
  readonly outcome: string;
  /** For the bank's log: `status 204`, `timeout`, `forbidden address`, `not started`, or the code of an error. */
  readonly cause: string;
}

/** The longest that an attempt takes. */
export const ATTEMPT_MS = 5000;
/** Nothing was sent: it was too late when the connection was there. */
export const NOT_STARTED = 'not started';
const BODY_LIMIT = 16_384;

export class Sender {
  readonly #options: SenderOptions;
  readonly #attempts = new Set<AbortController>();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** `mayStart` is asked when the connection is there, immediately before the message goes out. */
  async send(
    target: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    mayStart: () => boolean = () => true,
  ): Promise<Attempt> {
    const { Client } = await import('undici');
    const { reach, ...options } = this.#options;
    const url = new URL(target);
    const { connect, reported } = connectToStranger(url, reach, { timeoutMs: ATTEMPT_MS, ...options });
    let isStarted = true;
    const client = new Client(url.origin, {
      pipelining: 0,
      connect: (wanted, callback) =>
        connect(wanted, (...connected) => {
          isStarted = mayStart();
          if (isStarted) return callback(...connected);
          connected[1]?.destroy();
          callback(new Error(NOT_STARTED), null);
        }),
    });
    const attempt = new AbortController();
    this.#attempts.add(attempt);
    let isLate = false;
    const deadline = setTimeout(() => {
      isLate = true;
      attempt.abort();
    }, ATTEMPT_MS);
    try {
      const answer = await client.request({
        method: 'POST',
        path: `${url.pathname}${url.search}`,
        headers,
        body,
        signal: attempt.signal,
      });
      // What it says is of no interest: a little is read out of politeness, and a fault in it changes nothing.
      await answer.body.dump({ limit: BODY_LIMIT, signal: attempt.signal }).catch(() => undefined);
      const cause = `status ${answer.statusCode}`;
      const isDelivered = answer.statusCode >= 200 && answer.statusCode < 300;
      return { isDelivered, outcome: isDelivered ? cause : reported(cause), cause };
    } catch (error) {
      const failed = isLate ? 'timeout' : connectionFault(error);
      const cause = isStarted ? failed : NOT_STARTED;
      return { isDelivered: false, outcome: reported(cause), cause };
    } finally {
      clearTimeout(deadline);
      this.#attempts.delete(attempt);
      void client.destroy().catch(() => undefined);
    }
  }

  /** Ends what is under way; it counts as failed. */
  abort(): void {
    for (const attempt of this.#attempts) attempt.abort();
  }
}
