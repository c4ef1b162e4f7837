/**
 * Every setting: its variable, parser, default and a line of documentation (docs/configuration.md is made from this table).
 * The only file that reads the environment.
 */
import { resolve } from 'node:path';
import {
  databaseUrl,
  distance,
  networks,
  oneOf,
  redisUrl,
  type Setting,
  setting,
  text,
  timeZone,
  webAddress,
  whole,
} from './lib/setting.js';

/** Thrown with every fault at once, so that a person corrects them in one go. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`the configuration cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

const none: string | undefined = undefined;
const duration = whole(1, 3_600_000);

export const settings = {
  port: setting('PORT', whole(0, 65_535), 8080, 'Port of the public listener; 0 takes any free one.'),
  host: setting('HOST', text, '127.0.0.1', 'Address the public listener binds to.'),
  baseUrl: setting<string | undefined>(
    'BASE_URL',
    webAddress,
    none,
    'Public address of the service. It appears in links and problem types and is never taken from the Host header.',
    'http://HOST:PORT',
  ),
  databaseUrl: setting<string | undefined>(
    'DATABASE_URL',
    databaseUrl,
    none,
    'The store: `sqlite:PATH` or `postgres://…`.',
    '`sqlite:` in the data folder',
  ),
  redisUrl: setting<string | undefined>(
    'REDIS_URL',
    redisUrl,
    none,
    'Redis or Valkey that several nodes share their limits in. Without it each node counts for itself.',
  ),
  dataFolder: setting('TRAPEZA_DATA', text, 'data', 'Folder of the embedded store and the sandbox secret.'),
  managementHost: setting(
    'TRAPEZA_MANAGEMENT_HOST',
    text,
    '127.0.0.1',
    'Address of the listener for health and metrics; keep it private.',
  ),
  managementPort: setting(
    'TRAPEZA_MANAGEMENT_PORT',
    whole(0, 65_535),
    8081,
    'Port of the listener for health and metrics; 0 takes any free one.',
  ),
  workers: setting('TRAPEZA_WORKERS', whole(1, 64), 1, 'Processes that share the public port.'),
  logLevel: setting(
    'TRAPEZA_LOG_LEVEL',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'Least severe level that is logged.',
  ),
  quotaPerMinute: setting(
    'TRAPEZA_QUOTA_PER_MINUTE',
    whole(1, 1_000_000_000),
    600,
    'Requests a subscription may make in a minute, unless its own quota says otherwise.',
  ),
  quotaPerDay: setting(
    'TRAPEZA_QUOTA_PER_DAY',
    whole(1, 1_000_000_000),
    100_000,
    'Requests a subscription may make in a day, unless its own quota says otherwise.',
  ),
  failedAuthPerMinute: setting(
    'TRAPEZA_FAILED_AUTH_PER_MINUTE',
    whole(1, 1_000_000_000),
    60,
    'Requests with a missing or wrong subscription key that one address may make in a minute before it gets 429. A valid key is never refused by this.',
  ),
  trustedProxies: setting(
    'TRAPEZA_TRUSTED_PROXIES',
    networks,
    [] as readonly string[],
    'Addresses or CIDR ranges of proxies whose X-Forwarded-For is believed, separated by commas.',
    'none',
  ),
  timeZone: setting(
    'TRAPEZA_TIME_ZONE',
    timeZone,
    'Europe/Athens',
    "The bank's time zone: an expiration date lasts until the end of that day there.",
  ),
  secret: setting<string | undefined>(
    'TRAPEZA_SECRET',
    text,
    none,
    'Secret that encrypts signing keys and keys the hash of card numbers, at least 32 characters; several versions separated by commas, the first one encrypts. `serve` demands it; the sandbox makes one.',
  ),
  issuer: setting<string | undefined>(
    'TRAPEZA_ISSUER',
    webAddress,
    none,
    "Issuer of the bank's own identity provider, whose access tokens are accepted.",
    'the embedded one',
  ),
  jwksUri: setting<string | undefined>(
    'TRAPEZA_JWKS_URI',
    webAddress,
    none,
    "Address of that identity provider's signing keys.",
    'ISSUER/.well-known/jwks.json',
  ),
  audience: setting<string | undefined>(
    'TRAPEZA_AUDIENCE',
    text,
    none,
    'Audience that access tokens must name.',
    'BASE_URL',
  ),
  bankModule: setting<string | undefined>(
    'TRAPEZA_BANK_MODULE',
    text,
    none,
    'JavaScript module with a function `createBank` that returns an implementation of the `Bank` port. `serve` demands it.',
  ),
  bodyLimit: setting('TRAPEZA_BODY_LIMIT', whole(1024, 1_048_576), 16_384, 'Largest request body in bytes.'),
  headerLimit: setting(
    'TRAPEZA_HEADER_LIMIT',
    whole(4096, 131_072),
    16_384,
    'Largest request line and header block together in bytes.',
  ),
  urlLimit: setting('TRAPEZA_URL_LIMIT', whole(512, 65_536), 8192, 'Longest request address in bytes.'),
  headersTimeoutMs: setting(
    'TRAPEZA_HEADERS_TIMEOUT_MS',
    duration,
    10_000,
    'Time a client has to send the headers.',
  ),
  requestTimeoutMs: setting(
    'TRAPEZA_REQUEST_TIMEOUT_MS',
    duration,
    15_000,
    'Time a client has to send the whole request.',
  ),
  deadlineMs: setting(
    'TRAPEZA_DEADLINE_MS',
    duration,
    5_000,
    'Time a call may take to be processed before it is answered with 408.',
  ),
  keepAliveMs: setting(
    'TRAPEZA_KEEP_ALIVE_MS',
    duration,
    65_000,
    'Time an idle connection is kept; longer than that of the proxy in front.',
  ),
  drainMs: setting(
    'TRAPEZA_DRAIN_MS',
    duration,
    10_000,
    'Time running requests have to finish when the service is stopped.',
  ),
  maxConnections: setting('TRAPEZA_MAX_CONNECTIONS', whole(1, 1_000_000), 5_000, 'Connections held at once.'),
  maxInFlight: setting(
    'TRAPEZA_MAX_IN_FLIGHT',
    whole(1, 1_000_000),
    1_000,
    'Requests processed at once; more are answered with 503 overloaded.',
  ),
  databasePool: setting(
    'TRAPEZA_DATABASE_POOL',
    whole(1, 1_000),
    20,
    'Connections to PostgreSQL per process.',
  ),
} as const;

type Read = { -readonly [K in keyof typeof settings]: (typeof settings)[K]['fallback'] };

export type Config = Readonly<Omit<Read, 'databaseUrl' | 'baseUrl'>> & {
  readonly databaseUrl: string;
  readonly baseUrl: string | undefined;
};

export type Environment = Readonly<Record<string, string | undefined>>;

const unknownNames = (env: Environment): string[] => {
  const known = Object.values(settings).map((each) => each.variable);
  return Object.keys(env)
    .filter((name) => name.startsWith('TRAPEZA_') && !known.includes(name))
    .map((name) => {
      const [nearest] = known.toSorted((a, b) => distance(name, a) - distance(name, b));
      return `${name} is not a setting; did you mean ${nearest}? All of them are in docs/configuration.md.`;
    });
};

/** Reads the environment; an empty variable counts as absent. Faults never repeat the value: it may be a secret. */
export const readConfig = (env: Environment = process.env): Config => {
  const faults = unknownNames(env);
  const read = (each: Setting<unknown>): unknown => {
    const value = env[each.variable];
    if (value === undefined || value === '') return each.fallback;
    try {
      return each.parse(value);
    } catch (error) {
      faults.push(`${each.variable} must be ${error instanceof Error ? error.message : 'valid'}.`);
      return each.fallback;
    }
  };
  const values = Object.fromEntries(
    Object.entries(settings).map(([name, each]) => [name, read(each)]),
  ) as Read;
  const secrets = values.secret?.split(',') ?? [];
  if (secrets.some((secret) => secret.length < 32))
    faults.push('TRAPEZA_SECRET must have at least 32 characters.');
  if (values.requestTimeoutMs < values.headersTimeoutMs) {
    faults.push('TRAPEZA_REQUEST_TIMEOUT_MS must not be less than TRAPEZA_HEADERS_TIMEOUT_MS.');
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    ...values,
    baseUrl: values.baseUrl,
    databaseUrl: values.databaseUrl ?? `sqlite:${resolve(values.dataFolder, 'trapeza.db')}`,
  };
};

/** What `serve` demands beyond a readable configuration: nothing that is meant for the sandbox may reach production. */
export const productionFaults = (config: Config, env: Environment = process.env): string[] => {
  const faults: string[] = [];
  const demand = (present: boolean, fault: string): void => {
    if (!present) faults.push(fault);
  };
  demand(
    config.secret !== undefined,
    'TRAPEZA_SECRET is missing: 32 or more random characters, for example from `openssl rand -base64 48`.',
  );
  demand(
    Boolean(env.DATABASE_URL),
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
    config.issuer !== undefined,
    'TRAPEZA_ISSUER is missing: the address of the identity provider that issues access tokens.',
  );
  demand(
    config.bankModule !== undefined,
    'TRAPEZA_BANK_MODULE is missing: the module that connects your core banking system.',
  );
  demand(config.logLevel !== 'trace', 'TRAPEZA_LOG_LEVEL=trace is not for production.');
  return faults;
};

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
