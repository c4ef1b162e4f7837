/**
 * One attempt to deliver: a connection of its own, made only to addresses that were checked, never following a redirect.
 * The names are resolved here and the connection is handed the very addresses that passed, so nothing can change in between.
 */
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector, Client } from 'undici';
import { isLoopback, isPublic } from './address.js';

export interface Resolved {
  readonly address: string;
  readonly family: number;
}

export interface SenderOptions {
  /** In the sandbox a receiver may be on the same machine. */
  readonly allowsLoopback: boolean;
  readonly resolve?: (host: string) => Promise<readonly Resolved[]>;
  /** Opens the connection to one of the checked addresses. */
  readonly open?: typeof openSocket;
}

export interface Attempt {
  readonly isDelivered: boolean;
  /** `status 204`, `timeout`, `forbidden address`, or the code of an error. */
  readonly outcome: string;
}

const TIMEOUT_MS = 5000;
const BODY_LIMIT = 16_384;

class ForbiddenAddress extends Error {}

const resolveName = (host: string): Promise<readonly Resolved[]> =>
  lookup(host, { all: true, verbatim: true });

const openSocket = (
  addresses: readonly Resolved[],
  options: buildConnector.Options,
  callback: buildConnector.Callback,
): void => {
  const [first] = addresses;
  const checked: LookupFunction = (_host, { all }, done) =>
    all ? done(null, [...addresses]) : done(null, first?.address ?? '', first?.family);
  buildConnector({ timeout: TIMEOUT_MS, lookup: checked })(options, callback);
};

const outcomeOf = (error: unknown, isLate: boolean): string => {
  if (isLate) return 'timeout';
  if (error instanceof ForbiddenAddress) return 'forbidden address';
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : 'failed';
};

export class Sender {
  readonly #options: SenderOptions;
  readonly #attempts = new Set<AbortController>();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Every address of the host, or none where one of them is not allowed. Without TLS only this machine is. */
  async #addressesOf({ hostname, protocol }: buildConnector.Options): Promise<readonly Resolved[]> {
    const { allowsLoopback, resolve = resolveName } = this.#options;
    const family = isIP(hostname);
    const found = family === 0 ? await resolve(hostname) : [{ address: hostname, family }];
    const isAllowed = ({ address }: Resolved): boolean =>
      (allowsLoopback && isLoopback(address)) || (protocol === 'https:' && isPublic(address));
    if (found.length === 0 || !found.every(isAllowed)) throw new ForbiddenAddress();
    return found;
  }

  readonly #connect: buildConnector.connector = (options, callback) => {
    const { open = openSocket } = this.#options;
    this.#addressesOf(options).then(
      (addresses) => open(addresses, options, callback),
      (error: unknown) => callback(error as Error, null),
    );
  };

  async send(target: string, headers: Readonly<Record<string, string>>, body: string): Promise<Attempt> {
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
      return { isDelivered: false, outcome: outcomeOf(error, isLate) };
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
