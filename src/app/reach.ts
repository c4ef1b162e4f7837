/** Where addresses that strangers have chosen may lead: not to this machine unless the service is there alone, and never to itself. */
import type { Config } from '../config/config.js';
import { isLocalHost } from '../lib/net/address.js';
import type { Reach } from '../lib/net/strangers.js';
import type { OpenExtension } from './extension.js';
import type { AppOptions } from './options.js';

/** Of what the settings name by an address. */
const PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
};

const portIn = (address: string): readonly number[] => {
  if (!/^[a-z]+:\/\//.test(address) || !URL.canParse(address)) return [];
  const { protocol, hostname, port } = new URL(address);
  // A database without a host is on this machine.
  if (hostname !== '' && !isLocalHost(hostname)) return [];
  return [port === '' ? (PORTS[protocol] ?? 0) : Number(port)];
};

/** By every setting that is a port or an address on this machine, so that a new one is not forgotten. */
export const configuredPorts = (config: Config): Set<number> =>
  new Set(
    Object.entries(config).flatMap(([name, value]) => {
      if (typeof value === 'number') return /port$/i.test(name) ? [value] : [];
      return [value].flat().flatMap((each) => (typeof each === 'string' ? portIn(each) : []));
    }),
  );

/** The ports get those that the system has chosen, once the service listens. */
export interface OwnReach extends Reach {
  readonly ownPorts: Set<number>;
}

export const reachOf = (
  { config, ownPorts = configuredPorts(config) }: AppOptions,
  isTest: boolean,
  opened: readonly OpenExtension[],
): OwnReach => {
  const host = config.baseUrl === undefined ? config.host : new URL(config.baseUrl).hostname;
  return {
    allowsLoopback: isTest && isLocalHost(host),
    ownPorts,
    ownReceivers: () => opened.flatMap(({ receivers }) => receivers?.() ?? []),
  };
};
