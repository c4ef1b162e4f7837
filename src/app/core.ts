/** The core over HTTP that the configuration names, with its files read, its figures counted and its notes kept. */

import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { CoreTls } from '../bank/http/client.js';
import { createCoreObserver } from '../bank/http/metrics.js';
import type { Core } from '../bank/http/open-core.js';
import { type Config, ConfigError } from '../config/config.js';
import { settings } from '../config/settings.js';
import { keepBankData } from '../consent/bank-data.js';
import type { BankTime } from '../lib/clock.js';
import type { Log } from '../observe/log.js';
import type { Metrics } from '../observe/metrics.js';
import type { Db } from '../store/db.js';
import type { Closers } from './options.js';

const fileOf = (config: Config, name: 'coreClientCertificate' | 'coreClientKey' | 'coreCa') => {
  const path = config[name];
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([`${settings[name].variable} names a file that cannot be read (${code}).`]);
  }
};

const tlsOf = (config: Config): CoreTls => {
  const tls = {
    certificate: fileOf(config, 'coreClientCertificate'),
    key: fileOf(config, 'coreClientKey'),
    ca: fileOf(config, 'coreCa'),
  };
  try {
    // What would fail with every connection is better said once, now.
    createSecureContext({ cert: tls.certificate, key: tls.key, ca: tls.ca });
  } catch {
    throw new ConfigError([
      'TRAPEZA_CORE_CLIENT_CERTIFICATE, TRAPEZA_CORE_CLIENT_KEY and TRAPEZA_CORE_CA must be PEM files, and the key that of the certificate.',
    ]);
  }
  return tls;
};

export interface CoreRooms {
  readonly config: Config;
  readonly db: Db;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly bankTime: () => Promise<BankTime>;
  readonly isTest: boolean;
}

/** Undefined if another bank is configured. */
export const openConfiguredCore = async (rooms: CoreRooms, closers: Closers): Promise<Core | undefined> => {
  const { config, db, log, metrics, bankTime, isTest } = rooms;
  if (config.coreUrl === undefined) return undefined;
  const { openCore } = await import('../bank/http/open-core.js');
  const core = openCore({
    url: config.coreUrl,
    token: config.coreToken,
    tls: tlsOf(config),
    timeoutMs: config.coreTimeoutMs,
    totalMs: Math.min(2 * config.coreTimeoutMs, config.deadlineMs),
    connections: config.coreConnections,
    maxCalls: config.coreMaxCalls,
    responseLimit: config.coreResponseLimit,
    bankTime,
    isTest,
    keep: (consent, bankData) => keepBankData(db, consent, bankData),
    onCall: createCoreObserver(metrics.registry, log),
  });
  return closers.add(core, (each) => each.close());
};
