/** The configuration, read from the environment: the only file that does so. */
import { resolve } from 'node:path';
import { SECOND } from '../lib/clock.js';
import { isPlaceholder } from '../lib/net/address.js';
import { distance, type Setting } from '../lib/setting.js';
import { type Environment, givenIn, sourcesOf, variablesOf } from './given.js';
import { isExpert, settings } from './settings.js';
import { sharedPortFaults } from './shared-port.js';
import { weaknessOf } from './weak-secret.js';

/** Thrown with every fault at once, so that a person corrects them in one go. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`the configuration cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

export { isExpert, settings };

type Read = { -readonly [K in keyof typeof settings]: (typeof settings)[K]['fallback'] };

export type Config = Readonly<Omit<Read, 'databaseUrl' | 'statementMs' | 'baseUrl'>> & {
  readonly databaseUrl: string;
  readonly statementMs: number;
  readonly baseUrl: string | undefined;
};

export type { Environment } from './given.js';

/** Of this process. */
export const environment = (): Environment => process.env;

/** What the environment has already stays: it goes before a file, as Node has it. */
export const addToEnvironment = (values: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(values)) process.env[name] ??= value;
};

/** What to do instead of a setting of an earlier version, which an upgrade may still carry. */
const removed: Readonly<Record<string, string>> = {
  TRAPEZA_WORKERS:
    'Remove it: a node is one process. For several cores run several nodes on one PostgreSQL, see docs/scale.md.',
  REDIS_URL: 'Nothing reads it: nodes share quotas through PostgreSQL, see docs/operating.md.',
};

const isOurs = (name: string): boolean => name.startsWith('TRAPEZA_');
const removalOf = (name: string): string => `${name} is no longer a setting. ${removed[name]}`;

const unknownNames = (env: Environment): string[] => {
  const known = Object.values(settings).flatMap((each) => variablesOf(each));
  return Object.keys(env)
    .filter((name) => isOurs(name) && !known.includes(name))
    .map((name) => {
      if (Object.hasOwn(removed, name)) return removalOf(name);
      const [nearest] = known.toSorted((a, b) => distance(name, a) - distance(name, b));
      return `${name} is not a setting; did you mean ${nearest}? All of them are in docs/configuration.md.`;
    });
};

/** Removed settings whose names other programs use, too: set for one of those they must not keep us from starting. */
export const unreadSettings = (env: Environment = process.env): readonly string[] =>
  Object.keys(removed)
    .filter((name) => !isOurs(name) && Boolean(env[name]))
    .map(removalOf);

const tlsFaults = (values: Read): string[] => {
  const { tlsCertificate, tlsKey, tlsClientCertificate, trustedProxies } = values;
  const faults: string[] = [];
  if ((tlsCertificate === undefined) !== (tlsKey === undefined))
    faults.push('TRAPEZA_TLS_CERTIFICATE and TRAPEZA_TLS_KEY must be set together.');
  if (tlsClientCertificate !== 'off' && tlsCertificate === undefined && trustedProxies.length === 0)
    faults.push(
      'TRAPEZA_TLS_CLIENT_CERTIFICATE needs a listener with TLS (TRAPEZA_TLS_CERTIFICATE) or a proxy in front (TRAPEZA_TRUSTED_PROXIES).',
    );
  return faults;
};

/** The console shows customers and takes passphrases: never in clear over a network. */
const consoleFaults = (values: Read): string[] => {
  const { operatorHost, operatorUrl, operatorTlsCertificate, operatorTlsKey } = values;
  const faults: string[] = [];
  const hasTls = operatorTlsCertificate !== undefined;
  if (hasTls !== (operatorTlsKey !== undefined))
    faults.push('TRAPEZA_OPERATOR_TLS_CERTIFICATE and TRAPEZA_OPERATOR_TLS_KEY must be set together.');
  if (!hasTls && !isLoopback(operatorHost) && !operatorUrl?.startsWith('https:'))
    faults.push(
      'TRAPEZA_OPERATOR_HOST is not a loopback address: the operator console needs TLS there. Set TRAPEZA_OPERATOR_TLS_CERTIFICATE and TRAPEZA_OPERATOR_TLS_KEY, or TRAPEZA_OPERATOR_URL to the https address of the proxy in front.',
    );
  return faults;
};

/** The first one encrypts. The others are only read with: a weak one must still be replaceable. */
const secretFaults = (value: string | undefined): string[] => {
  const secrets = value?.split(',') ?? [];
  if (secrets.some((secret) => secret.length < 32))
    return ['TRAPEZA_SECRET must have at least 32 characters.'];
  const weakness = weaknessOf(secrets[0] ?? '');
  if (value === undefined || weakness === undefined) return [];
  return [`TRAPEZA_SECRET is easy to guess: ${weakness}. Make one with: openssl rand -base64 32`];
};

/** So that a call can still be answered after a statement was given up. */
const statementMsWithin = (deadlineMs: number): number =>
  Math.max(1, Math.min(deadlineMs - 1, Math.max(SECOND, Math.floor(deadlineMs * 0.4))));

/** Reads the environment and what it names; an empty variable counts as absent. Faults never repeat the value: it may be a secret. */
export const readConfig = (env: Environment = process.env): Config => {
  const faults = unknownNames(env);
  const read = (each: Setting<unknown>): unknown => {
    const { text, fault } = givenIn(each, env);
    if (fault !== undefined) faults.push(fault);
    if (text === undefined) return each.fallback;
    try {
      return each.parse(text);
    } catch (error) {
      faults.push(`${each.variable} must be ${error instanceof Error ? error.message : 'valid'}.`);
      return each.fallback;
    }
  };
  const values = Object.fromEntries(
    Object.entries(settings).map(([name, each]) => [name, read(each)]),
  ) as Read;
  faults.push(...secretFaults(values.secret));
  if (values.requestTimeoutMs < values.headersTimeoutMs) {
    faults.push('TRAPEZA_REQUEST_TIMEOUT_MS must not be less than TRAPEZA_HEADERS_TIMEOUT_MS.');
  }
  const login = [values.loginIssuer, values.loginClientId, values.loginClientSecret];
  if (login.includes(undefined) && login.some((each) => each !== undefined)) {
    faults.push(
      'TRAPEZA_LOGIN_ISSUER, TRAPEZA_LOGIN_CLIENT_ID and TRAPEZA_LOGIN_CLIENT_SECRET must be set together.',
    );
  }
  if (values.loginAcrValues && !values.loginIssuer)
    faults.push(
      'TRAPEZA_LOGIN_ACR_VALUES must be set together with TRAPEZA_LOGIN_ISSUER, the provider that account holders confirm at.',
    );
  if (values.statementMs !== undefined && values.statementMs >= values.deadlineMs)
    faults.push('TRAPEZA_STATEMENT_MS must be less than TRAPEZA_DEADLINE_MS.');
  faults.push(...coreFaults(values));
  faults.push(...tlsFaults(values), ...consoleFaults(values));
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    ...values,
    baseUrl: values.baseUrl,
    // Who gives one node a port of its own for health and metrics runs several of them.
    operatorPort: env.TRAPEZA_MANAGEMENT_PORT && !env.TRAPEZA_OPERATOR_PORT ? 0 : values.operatorPort,
    statementMs: values.statementMs ?? statementMsWithin(values.deadlineMs),
    databaseUrl: values.databaseUrl ?? `sqlite:${resolve(values.dataFolder, 'trapeza.db')}`,
  };
};

const coreFaults = (values: Read): string[] => {
  const { coreUrl, coreClientCertificate, coreClientKey, coreCa } = values;
  const faults: string[] = [];
  if ((coreClientCertificate === undefined) !== (coreClientKey === undefined))
    faults.push('TRAPEZA_CORE_CLIENT_CERTIFICATE and TRAPEZA_CORE_CLIENT_KEY must be set together.');
  const hasTls = coreClientCertificate !== undefined || coreCa !== undefined;
  if (hasTls && coreUrl?.startsWith('http:'))
    faults.push(
      'TRAPEZA_CORE_CLIENT_CERTIFICATE and TRAPEZA_CORE_CA need an https address in TRAPEZA_CORE_URL.',
    );
  if (coreUrl !== undefined && values.coreTimeoutMs >= values.deadlineMs)
    faults.push('TRAPEZA_CORE_TIMEOUT_MS must be less than TRAPEZA_DEADLINE_MS.');
  return faults;
};

export const ISSUER_MISSING =
  'TRAPEZA_ISSUER is missing: the address of the identity provider that issues access tokens. Or let the bank module export createAccountHolders.';

/** Otherwise the store is the embedded one in the folder of the process, which is right for a sandbox alone. */
export const namesStore = (env: Environment = process.env): boolean =>
  sourcesOf(settings.databaseUrl, env).length > 0;

/** What `serve` demands beyond a readable configuration: nothing that is meant for the sandbox may reach production. */
export const productionFaults = (config: Config, env: Environment = process.env): string[] => {
  const faults: string[] = [];
  const demand = (present: boolean, fault: string): void => {
    if (!present) faults.push(fault);
  };
  demand(
    config.secret !== undefined,
    'TRAPEZA_SECRET is missing: 32 or more random characters. Make one with: openssl rand -base64 32',
  );
  demand(
    namesStore(env),
    'DATABASE_URL is missing: postgres://… for several nodes, sqlite:PATH for a single one.',
  );
  demand(config.baseUrl !== undefined, 'BASE_URL is missing: the public https address of this service.');
  demand(
    config.baseUrl === undefined ||
      config.baseUrl.startsWith('https:') ||
      isLoopback(new URL(config.baseUrl).hostname),
    'BASE_URL must be an https address (plain http is accepted for a loopback address only).',
  );
  demand(
    config.bankModule !== undefined || config.coreUrl !== undefined,
    'TRAPEZA_CORE_URL is missing: the address of your core, which implements docs/core-openapi.json. Or TRAPEZA_BANK_MODULE: a module that connects it.',
  );
  faults.push(...productionCoreFaults(config), ...sharedPortFaults(config));
  demand(
    config.tlsClientCertificate === 'off' || config.trustAnchors !== undefined,
    'TRAPEZA_TRUST_ANCHORS is missing: client certificates are asked for, but nobody who issues them is trusted.',
  );
  const placeholder = config.trustedProxies.find(isPlaceholder);
  demand(
    placeholder === undefined,
    `TRAPEZA_TRUSTED_PROXIES names ${placeholder}, which only stands for an address: set it to those that your proxy calls from.`,
  );
  demand(config.logLevel !== 'trace', 'TRAPEZA_LOG_LEVEL=trace is not for production.');
  return faults;
};

const productionCoreFaults = ({
  coreUrl,
  coreToken,
  coreClientCertificate,
  bankModule,
}: Config): string[] => {
  if (coreUrl === undefined) return [];
  const faults: string[] = [];
  if (bankModule !== undefined)
    faults.push('TRAPEZA_CORE_URL and TRAPEZA_BANK_MODULE are two ways to one core: set one of them.');
  if (isLoopback(new URL(coreUrl).hostname)) return faults;
  if (!coreUrl.startsWith('https:'))
    faults.push(
      'TRAPEZA_CORE_URL must be an https address (plain http is accepted for a loopback address only).',
    );
  if (coreToken === undefined && coreClientCertificate === undefined)
    faults.push(
      'TRAPEZA_CORE_TOKEN is missing: what the core knows us by. Or TRAPEZA_CORE_CLIENT_CERTIFICATE and TRAPEZA_CORE_CLIENT_KEY, for mutual TLS.',
    );
  return faults;
};

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || host === '::1' || /^127(\.\d+){3}$/.test(host);
