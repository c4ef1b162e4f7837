/** Whether everything that the configuration names is there: files, folders, hosts, room on the disk. Names hosts, never credentials. */
import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RawAnswer } from '../../bank/http/client.js';
import { secondsOf } from '../../bank/http/fault.js';
import type { Config } from '../../config/config.js';
import { settings } from '../../config/settings.js';
import { newId } from '../../lib/id.js';
import { instantText } from '../../lib/instant.js';
import { withoutBrackets } from '../../lib/net/address.js';
import { type Finding, finding } from './finding.js';

const PATIENCE_MS = 3000;
const LEAST_FREE_MB = 200;

const codeOf = (error: unknown): string => {
  const { code, cause, name } = error as { code?: unknown; cause?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  return cause instanceof Error ? codeOf(cause) : String(name ?? 'failed');
};

type FileSetting = 'tlsCertificate' | 'tlsKey' | 'coreClientCertificate' | 'coreClientKey' | 'coreCa';
const files: readonly FileSetting[] = [
  'tlsCertificate',
  'tlsKey',
  'coreClientCertificate',
  'coreClientKey',
  'coreCa',
];

export const unusable = (path: string, error: unknown): string =>
  `${path} cannot be used (${codeOf(error)}): check the path and its permissions`;

const tried = (name: keyof typeof settings, path: string, work: () => string): Finding => {
  const { variable } = settings[name];
  try {
    return finding(variable, 'ok', work());
  } catch (error) {
    return finding(variable, 'failed', unusable(path, error));
  }
};

export const checkPaths = (config: Config): Finding[] =>
  files.flatMap((name) => {
    const path = config[name];
    return path === undefined ? [] : [tried(name, path, () => `${readFileSync(path).length} bytes`)];
  });

export const checkModule = async ({ bankModule }: Config): Promise<Finding[]> => {
  if (bankModule === undefined) return [];
  const { variable } = settings.bankModule;
  try {
    const loaded = (await import(pathToFileURL(resolve(bankModule)).href)) as { createBank?: unknown };
    return typeof loaded.createBank === 'function'
      ? [finding(variable, 'ok', 'exports createBank')]
      : [
          finding(
            variable,
            'failed',
            'does not export a function createBank: docs/production-module.md shows one',
          ),
        ];
  } catch (error) {
    const detail = `${bankModule} cannot be loaded (${codeOf(error)}): check the path, and run it with node`;
    return [finding(variable, 'failed', detail)];
  }
};

/** The nearest folder that exists: the data folder is made at the first start. */
const existing = (folder: string): string => {
  try {
    accessSync(folder, constants.W_OK);
    return folder;
  } catch (error) {
    const parent = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error;
    return existing(parent);
  }
};

export const checkDisk = ({ dataFolder, databaseUrl }: Config): Finding => {
  const store = databaseUrl.startsWith('sqlite:') ? dirname(databaseUrl.slice('sqlite:'.length)) : dataFolder;
  return tried('dataFolder', store, () => {
    const { bavail, bsize } = statfsSync(existing(resolve(store)));
    const free = Math.floor((bavail * bsize) / 1_000_000);
    if (free < LEAST_FREE_MB) throw Object.assign(new Error(), { code: `${free} MB free: make room` });
    return `${free} MB free`;
  });
};

/** The core says that it cannot be used now: nothing is wrong with the configuration. */
class Maintenance extends Error {
  /** Its end, if the core tells it. */
  constructor(end = '') {
    super(end);
  }
}

/** An operation tells the seconds or the moment, the health a moment. What is neither is not printed. */
const maintenanceOf = ({ status, headers, bytes }: RawAnswer): Maintenance | undefined => {
  if (status === 503 && headers['retry-after'] !== undefined) {
    const seconds = secondsOf(headers);
    return new Maintenance(seconds === undefined ? '' : ` for ${Math.ceil(seconds)} seconds`);
  }
  const text = bytes.toString();
  if (status !== 200 || !/"status"\s*:\s*"maintenance"/.test(text)) return undefined;
  const until = Date.parse(/"until"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? '');
  return new Maintenance(Number.isNaN(until) ? '' : ` until ${instantText(until)}`);
};

/** It answered, but not as it should. */
class Refused extends Error {
  readonly status: number;
  constructor(status: number) {
    super('refused');
    this.status = status;
  }
}

const isLate = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || codeOf(error) === 'late');

/** What is wrong and what to do about it. */
const faultOf = (error: unknown, credentials: string): string => {
  if (error instanceof Refused && [401, 403].includes(error.status))
    return `refuses our credentials (status ${error.status}): check ${credentials}`;
  if (error instanceof Refused)
    return `answers with status ${error.status}: is the address right, with its path?`;
  if (isLate(error))
    return `gives no answer within ${PATIENCE_MS / 1000} s: is it overloaded, or blocked on the way?`;
  return `cannot be reached (${codeOf(error)}): is it up, reachable from here, and the right address?`;
};

const reached = async (
  { variable }: { readonly variable: string },
  url: string,
  ask: () => Promise<unknown>,
  credentials = 'the credentials in the address',
): Promise<Finding> => {
  const { host } = new URL(url);
  try {
    await ask();
    return finding(variable, 'ok', host);
  } catch (error) {
    if (error instanceof Maintenance)
      return finding(
        variable,
        'warning',
        `${host} is under maintenance${error.message}: run doctor again afterwards`,
      );
    return finding(variable, 'failed', `${host} ${faultOf(error, credentials)}`);
  }
};

const fetched = async (url: string): Promise<void> => {
  const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!ok) throw new Refused(status);
};

/** A core may tell its health to everybody, so it is asked about a person too. */
const NOBODY = '/account-holders/trapeza-doctor/accounts';

const askCore = async (config: Config, url: string): Promise<void> => {
  const [{ CoreClient }, { coreTlsOf }] = await Promise.all([
    import('../../bank/http/client.js'),
    import('../../bank/http/tls-files.js'),
  ]);
  const client = new CoreClient({
    url,
    token: config.coreToken,
    tls: coreTlsOf(config),
    timeoutMs: PATIENCE_MS,
    connections: 1,
    responseLimit: config.coreResponseLimit,
  });
  try {
    for (const path of ['/health', NOBODY]) {
      const headers = { 'X-Request-ID': newId() };
      const answer = await client.send({ method: 'GET', path, headers }, PATIENCE_MS);
      const { status } = answer;
      const maintenance = maintenanceOf(answer);
      if (maintenance) throw maintenance;
      // There is no such person: some cores answer with an empty list, others with 404.
      if (status !== 200 && !(status === 404 && path === NOBODY)) throw new Refused(status);
    }
  } finally {
    await client.close();
  }
};

/** Whether the proxy listens; what it lets through, only a connection of a third party shows. */
const connected = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({
      host: withoutBrackets(hostname),
      port: Number(port || 80),
      timeout: PATIENCE_MS,
    });
    socket.once('connect', () => resolve(void socket.destroy()));
    socket.once('timeout', () => socket.destroy(Object.assign(new Error('late'), { code: 'late' })));
    socket.once('error', reject);
  });

const withPath = (issuer: string, path: string): string => `${issuer.replace(/\/$/, '')}${path}`;

export const checkHosts = (config: Config): Promise<Finding[]> => {
  const { coreUrl, issuer, jwksUri, loginIssuer, egressProxy } = config;
  const keys = jwksUri ?? (issuer && withPath(issuer, '/.well-known/jwks.json'));
  const discovery = loginIssuer && withPath(loginIssuer, '/.well-known/openid-configuration');
  const core = 'TRAPEZA_CORE_TOKEN or TRAPEZA_CORE_CLIENT_CERTIFICATE';
  return Promise.all([
    ...(coreUrl ? [reached(settings.coreUrl, coreUrl, () => askCore(config, coreUrl), core)] : []),
    ...(keys ? [reached(settings.issuer, keys, () => fetched(keys))] : []),
    ...(discovery ? [reached(settings.loginIssuer, discovery, () => fetched(discovery))] : []),
    ...(egressProxy ? [reached(settings.egressProxy, egressProxy, () => connected(egressProxy))] : []),
  ]);
};
