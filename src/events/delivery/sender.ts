/**
 * One attempt to deliver: a connection of its own, made only to addresses that were checked, never following a redirect.
 */
import type { buildConnector } from 'undici';
import { isLoopback, isPublic } from '../../lib/net/address.js';
import { checkedConnector, connectionFault, type Open, type Resolve } from '../../lib/net/checked-connect.js';

export interface SenderOptions {
  /** In the sandbox a receiver may be on the same machine. */
  readonly allowsLoopback: boolean;
  readonly proxy?: string | undefined;
  readonly resolve?: Resolve;
  readonly open?: Open;
}

export interface Attempt {
  readonly isDelivered: boolean;
  /** `status 204`, `timeout`, `forbidden address`, or the code of an error. */
  readonly outcome: string;
}

const TIMEOUT_MS = 5000;
const BODY_LIMIT = 16_384;

export class Sender {
  readonly #connect: buildConnector.connector;
  readonly #attempts = new Set<AbortController>();

  constructor({ allowsLoopback, proxy, resolve, open }: SenderOptions) {
    this.#connect = checkedConnector({
      timeoutMs: TIMEOUT_MS,
      proxy,
      resolve,
      open,
      // Without TLS only this machine is allowed.
      isAllowed: (address, { protocol }) =>
        (allowsLoopback && isLoopback(address)) || (protocol === 'https:' && isPublic(address)),
    });
  }

  async send(target: string, headers: Readonly<Record<string, string>>, body: string): Promise<Attempt> {
    const { Client } = await import('undici');
    const { origin, pathname, search } = new URL(target);
    const client = new Client(origin, { connect: this.#connect, pipelining: 0 });
    const attempt = new AbortController();
    this.#attempts.add(attempt);
    let isLate = false;
    const deadline = setTimeout(() => {
      isLate = true;
      attempt.abort();
    }, TIMEOUT_MS);
    try {
      const answer = await client.request({
        method: 'POST',
        path: `${pathname}${search}`,
        headers,
        body,
        signal: attempt.signal,
      });
      // What it says is of no interest: a little is read out of politeness, and a fault in it changes nothing.
      await answer.body.dump({ limit: BODY_LIMIT, signal: attempt.signal }).catch(() => undefined);
      const { statusCode } = answer;
      return { isDelivered: statusCode >= 200 && statusCode < 300, outcome: `status ${statusCode}` };
    } catch (error) {
      return { isDelivered: false, outcome: isLate ? 'timeout' : connectionFault(error) };
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
