/**
 * Connections to addresses that others have named. A name is resolved here, every address is checked, and the connection is
 * handed the very addresses that passed, so nothing can change in between.
 */
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import type { Completion } from '../turn.js';
import { withoutBrackets } from './address.js';
import { openThrough } from './egress-proxy.js';

export interface Resolved {
  readonly address: string;
  readonly family: number;
}

export type Resolve = (host: string) => Promise<readonly Resolved[]>;

/** Opens the connection to one of the checked addresses. */
export type Open = (
  addresses: readonly Resolved[],
  options: buildConnector.Options,
  callback: buildConnector.Callback,
) => Completion;

export interface CheckedConnectOptions {
  readonly timeoutMs: number;
  readonly isAllowed: (address: string, options: buildConnector.Options) => boolean;
  /** The bank's proxy for connections to the outside; without it they are made directly. */
  readonly proxy?: string | undefined;
  readonly resolve?: Resolve | undefined;
  readonly open?: Open | undefined;
}

export class ForbiddenAddress extends Error {}

/** What went wrong with a connection, in a word that may be kept: texts of errors quote addresses. */
export const connectionFault = (error: unknown): string => {
  if (error instanceof ForbiddenAddress) return 'forbidden address';
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : 'failed';
};

const resolveName: Resolve = (host) => lookup(host, { all: true, verbatim: true });

const openSocket =
  (timeoutMs: number): Open =>
  async (addresses, options, callback) => {
    // Loaded when the first connection of this kind is opened.
    const { buildConnector } = await import('undici');
    const [first] = addresses;
    const checked: LookupFunction = (_host, { all }, done) =>
      all ? done(null, [...addresses]) : done(null, first?.address ?? '', first?.family);
    buildConnector({ timeout: timeoutMs, lookup: checked })(options, callback);
  };

/** A connector that refuses to connect if one of the host's addresses is not allowed. */
export const checkedConnector = (wanted: CheckedConnectOptions): buildConnector.connector => {
  const { timeoutMs, isAllowed, proxy, resolve = resolveName } = wanted;
  const { open = proxy === undefined ? openSocket(timeoutMs) : openThrough(proxy, timeoutMs) } = wanted;
  const addressesOf = async (options: buildConnector.Options): Promise<readonly Resolved[]> => {
    const host = withoutBrackets(options.hostname);
    const family = isIP(host);
    const found = family === 0 ? await resolve(host) : [{ address: host, family }];
    if (found.length === 0 || !found.every(({ address }) => isAllowed(address, options)))
      throw new ForbiddenAddress();
    return found;
  };
  return (options, callback) => {
    addressesOf(options)
      .then((addresses) => open(addresses, options, callback))
      .catch((error: unknown) => callback(error as Error, null));
  };
};
