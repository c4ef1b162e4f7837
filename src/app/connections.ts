/** How the connections of each listener are shared, and how many the process can hold beside the store and the core. */
import { readFileSync } from 'node:fs';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.js';
import { isFromAny } from '../gate/source.js';
import { type ClosedReason, type ConnectionRule, closedReasons } from '../http/listeners/connection-limit.js';
import { createCounter } from '../observe/counter.js';

const listeners = ['public', 'management', 'console'] as const;
export type ListenerName = (typeof listeners)[number];

/** Of each private listener: probes, metrics and news of the core; the browsers of some operators. */
const PRIVATE_CONNECTIONS = 128;
/** Files, webhooks, revocation lists, and what is being closed. */
const OTHER_FILES = 128;
const FEWEST = 16;

/** Of Linux: what `ulimit -n` says; unknown in other systems. */
const openFiles = (): number => {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(soft ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};

type Limits = Pick<Config, 'maxConnections' | 'databasePool' | 'coreConnections'>;

/** A public listener that took every descriptor would keep the node from its database. */
export const publicConnections = (config: Limits, files = openFiles()): number => {
  const reserved = config.databasePool + config.coreConnections + 2 * PRIVATE_CONNECTIONS + OTHER_FILES;
  // If there are very few, all share them.
  return Math.min(config.maxConnections, Math.max(FEWEST, files - reserved, Math.floor(files / 4)));
};

const counterIn = (registry: Registry): ((listener: ListenerName, reason: ClosedReason) => void) => {
  const counter = createCounter(registry, {
    name: 'trapeza_connections_closed_total',
    help: 'Connections closed so that others have room: source and room were idle, full and dropped were new',
    labels: { listener: listeners, reason: closedReasons },
  });
  return (listener, reason) => counter.inc({ listener, reason });
};

export const connectionRules = (
  config: Limits & Pick<Config, 'connectionsPerSource' | 'trustedProxies'>,
  registry?: Registry,
): ((listener: ListenerName) => ConnectionRule) => {
  const count = registry && counterIn(registry);
  return (listener) => ({
    most: listener === 'public' ? publicConnections(config) : PRIVATE_CONNECTIONS,
    idlePerSource: config.connectionsPerSource,
    isProxy: isFromAny(config.trustedProxies),
    onClosed: (reason) => count?.(listener, reason),
  });
};
