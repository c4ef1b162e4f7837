/** The core over HTTP that the configuration names, with its files read, its figures counted and its notes kept. */
import { createCoreObserver } from '../bank/http/metrics.js';
import type { Core } from '../bank/http/open-core.js';
import { coreTlsOf } from '../bank/http/tls-files.js';
import type { Config } from '../config/config.js';
import type { BankNotes } from '../consent/bank-data.js';
import type { BankTime } from '../lib/clock.js';
import type { Log } from '../observe/log.js';
import type { Metrics } from '../observe/metrics.js';
import type { Tracer } from '../observe/trace/tracer.js';
import type { Closers } from './options.js';

export interface CoreRooms {
  readonly config: Config;
  readonly notes: BankNotes;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly bankTime: () => Promise<BankTime>;
  readonly isTest: boolean;
  readonly tracer: Tracer | undefined;
}

/** Undefined if another bank is configured. */
export const openConfiguredCore = async (rooms: CoreRooms, closers: Closers): Promise<Core | undefined> => {
  const { config, notes, log, metrics, bankTime, isTest, tracer } = rooms;
  if (config.coreUrl === undefined) return undefined;
  const { openCore } = await import('../bank/http/open-core.js');
  const core = openCore({
    url: config.coreUrl,
    token: config.coreToken,
    tls: coreTlsOf(config),
    timeoutMs: config.coreTimeoutMs,
    totalMs: Math.min(2 * config.coreTimeoutMs, config.deadlineMs),
    connections: config.coreConnections,
    maxCalls: config.coreMaxCalls,
    responseLimit: config.coreResponseLimit,
    bankTime,
    isTest,
    keep: ({ id, clientId }, bankData) => notes.keep({ id, clientId, bankData }),
    onCall: createCoreObserver(metrics.registry, log),
    tracer,
  });
  return closers.add(core, (each) => each.close());
};
