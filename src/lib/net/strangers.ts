/**
 * Addresses that strangers have chosen, such as those of webhooks: where a request to one may lead, and what may be reported of it.
 * The address is checked to which the connection is made, so a name that resolves differently a moment later changes nothing.
 */
import type { buildConnector } from 'undici';
import { isLoopback, isPublic } from './address.js';
import { type CheckedConnectOptions, checkedConnector } from './checked-connect.js';

export interface Reach {
  /** The service is on a loopback address itself: those who choose addresses are on this machine. */
  readonly allowsLoopback: boolean;
  /** Those on which the service listens, and those of what it works with: its database, its core. */
  readonly ownPorts: ReadonlySet<number>;
  /** Of the service itself: what takes notifications there is open to everybody. */
  readonly ownReceivers: () => readonly string[];
}

/** All that is reported of a target that is not public: more would describe a network that the stranger cannot see. */
export const NOT_REACHED = 'not reached';

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

const portOf = ({ port, protocol }: Pick<buildConnector.Options, 'port' | 'protocol'>): number =>
  port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port);

export interface StrangerConnection {
  readonly connect: buildConnector.connector;
  /** What may be reported of the outcome: all of it only if the connection led, or would have led, to a public address. */
  reported(outcome: string): string;
}

type Options = Pick<CheckedConnectOptions, 'timeoutMs' | 'proxy' | 'resolve' | 'open'>;

export const connectToStranger = (target: URL, reach: Reach, options: Options): StrangerConnection => {
  let isPublicTarget = false;
  const isOwnReceiver = reach.ownReceivers().includes(target.href);
  const mayBeLocal = (address: string, wanted: buildConnector.Options): boolean =>
    reach.allowsLoopback && isLoopback(address) && (isOwnReceiver || !reach.ownPorts.has(portOf(wanted)));
  const connect = checkedConnector({
    ...options,
    isAllowed(address, wanted) {
      isPublicTarget = isPublic(address);
      // Without TLS only this machine is allowed.
      return isPublicTarget ? wanted.protocol === 'https:' : mayBeLocal(address, wanted);
    },
  });
  return { connect, reported: (outcome) => (isPublicTarget ? outcome : NOT_REACHED) };
};
