/** Every setting: its variable, parser, default and a line of documentation; docs/configuration.md is made from this table. */
import { networks, oneOf, secretSetting, setting, text, webAddress, whole, word } from '../lib/setting.js';
import { type SignaturePolicy, signaturePolicies } from '../model/signature-policy.js';
import { bankSettings } from './bank-settings.js';
import { certificateSettings } from './certificate-settings.js';
import { coreSettings } from './core-settings.js';
import { databaseSettings } from './database-settings.js';
import { identitySettings } from './identity-settings.js';
import { operatorSettings } from './operator-settings.js';
import { tlsSettings } from './tls-settings.js';

const none: string | undefined = undefined;
const duration = whole(1, 3_600_000);

export const settings = {
  port: setting('PORT', whole(0, 65_535), 8080, 'Port of the public listener; 0 takes any free one.'),
  sharedPort: setting(
    'TRAPEZA_SHARED_PORT',
    oneOf('off', 'on'),
    'off',
    'With `on`, several nodes of one machine listen on `PORT`, and the system spreads connections over them. Each needs a `TRAPEZA_MANAGEMENT_PORT` of its own, all need PostgreSQL, Node 22.12 or later and the same system user.',
  ),
  host: setting('HOST', text, '127.0.0.1', 'Address the public listener binds to.'),
  baseUrl: setting<string | undefined>(
    'BASE_URL',
    webAddress,
    none,
    'Public address of the service. It appears in links and problem types and is never taken from the Host header. If it has a path, the proxy in front also passes on `/.well-known/oauth-authorization-server` followed by that path, unchanged (RFC 8414).',
    'http://HOST:PORT',
  ),
  ...databaseSettings,
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
  ...operatorSettings,
  node: setting<string | undefined>(
    'TRAPEZA_NODE',
    word,
    none,
    'Name of this node in each line of its log.',
    'the name of the machine',
  ),
  logLevel: setting(
    'TRAPEZA_LOG_LEVEL',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'Least severe level that is logged.',
  ),
  requestLog: setting<'on' | 'off' | undefined>(
    'TRAPEZA_REQUEST_LOG',
    oneOf('on', 'off'),
    undefined,
    'Whether the last calls of each application are kept for its developers, without secrets, bodies and data of account holders, and its calls are counted by day.',
    'on in the sandbox, else off',
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
    'Requests with a missing or wrong subscription key that one address (IPv6: a network of 64 bits) may make in a minute on a node before it gets 429. A valid key is never refused by this.',
  ),
  loginsPerAddress: setting(
    'TRAPEZA_LOGINS_PER_ADDRESS',
    whole(1, 1_000_000_000),
    60,
    'Logins, and as many one-time codes, that one address (IPv6: a network of 64 bits) may try in a minute on a node; then its next ones get 429 and a page that says so. A browser that has logged in under the name before is not counted.',
  ),
  authorizationsPerAddress: setting(
    'TRAPEZA_AUTHORIZATIONS_PER_ADDRESS',
    whole(1, 1_000_000_000),
    120,
    'Authorization requests, pushed ones included, that one address (IPv6: a network of 64 bits) may make in a minute on a node; then its next ones get 429.',
  ),
  registrationsPerMinute: setting(
    'TRAPEZA_REGISTRATIONS_PER_MINUTE',
    whole(1, 1_000_000_000),
    30,
    'Calls of `/registration` that one address (IPv6: a network of 64 bits), and one third party, may make in a minute; then the next ones get 429.',
  ),
  codesPerPerson: setting(
    'TRAPEZA_CODES_PER_PERSON',
    whole(1, 1_000_000),
    5,
    'One-time codes without a right answer that are sent to a person within 15 minutes, on all nodes together; as many again for the dashboard.',
  ),
  trustedProxies: setting(
    'TRAPEZA_TRUSTED_PROXIES',
    networks,
    [] as readonly string[],
    'Addresses or CIDR ranges of proxies whose X-Forwarded-For (and client certificate, see below) is trusted, separated by commas.',
    'none',
  ),
  ...bankSettings,
  maxConsentDays: setting(
    'TRAPEZA_MAX_CONSENT_DAYS',
    whole(1, 36_500),
    3650,
    'Longest term of a consent; a later expiration date is shortened to it.',
  ),
  unattendedPerDay: setting(
    'TRAPEZA_UNATTENDED_PER_DAY',
    whole(4, 1440),
    4,
    'Reads of one kind of data and account in 24 hours without the account holder that a consent may have (`frequencyPerDay`); the law asks for 4. `trapeza tpp unattended` allows one third party more.',
  ),
  retentionConsentYears: setting(
    'TRAPEZA_RETENTION_CONSENT_YEARS',
    whole(1, 100),
    5,
    'Years that a consent and its history are kept after its end.',
  ),
  retentionRecordMonths: setting(
    'TRAPEZA_RETENTION_RECORD_MONTHS',
    whole(1, 1200),
    25,
    'Months that the records of funds answers and of accesses to data are kept; account holders see them for as long.',
  ),
  retentionEventDays: setting(
    'TRAPEZA_RETENTION_EVENT_DAYS',
    whole(1, 3650),
    90,
    'Days that events for applications and their deliveries are kept.',
  ),
  secret: secretSetting(
    'TRAPEZA_SECRET',
    text,
    'Secret that encrypts what the store keeps secret and keys its hashes, at least 32 random characters (`openssl rand -base64 32`), refused if it is easy to guess. Several versions are separated by commas: the first one makes, every one verifies and decrypts; it is [changed in three steps](operating.md#changing-trapeza_secret). `serve` needs it; the sandbox makes one.',
  ),
  ...identitySettings,
  signaturePolicy: setting<SignaturePolicy>(
    'TRAPEZA_SIGNATURE_POLICY',
    oneOf(...signaturePolicies),
    'if-present',
    'How far requests must be signed: `off` verifies no signature, `if-present` those that are sent, `required` demands one, `strict` one that also covers method, address and time. `trapeza tpp policy` sets another one for a third party.',
  ),
  ...certificateSettings,
  ...tlsSettings,
  grantDays: setting(
    'TRAPEZA_GRANT_DAYS',
    whole(1, 3_650),
    400,
    'Days that a login of an account holder for an application lasts; each use of its refresh token renews it, and it lasts at least as long as a valid funds consent.',
  ),
  bankModule: setting<string | undefined>(
    'TRAPEZA_BANK_MODULE',
    text,
    none,
    'JavaScript module with a function `createBank` that returns an implementation of the `Bank` port, for `serve`.',
  ),
  ...coreSettings,
  testPeople: setting<string | undefined>(
    'TRAPEZA_TEST_PEOPLE',
    text,
    undefined,
    "JSON file with the bank's own test customers, for a sandbox in front of its test core (docs/test-facility.md).",
  ),
  seedFile: setting<string | undefined>(
    'TRAPEZA_SEED',
    text,
    undefined,
    'JSON file with people, accounts and transactions of your own for the sandbox, beside the demo people (docs/seed.md).',
  ),
  demoMonths: setting(
    'TRAPEZA_DEMO_MONTHS',
    whole(0, 120),
    24,
    "Whole months that the history of the demo bank's accounts reaches back.",
  ),
  demoVolume: setting(
    'TRAPEZA_DEMO_VOLUME',
    whole(0, 10_000_000),
    0,
    'Transactions of an additional demo account for load tests, held by the first account holder; 0 makes none.',
  ),
  sandboxPlaces: setting<number | undefined>(
    'TRAPEZA_SANDBOX_PLACES',
    whole(1, 500),
    undefined,
    'Sandboxes of developers that a process keeps open at once. Without it: one for each 24 MiB of a quarter of the memory, at least 8 and at most 64, on PostgreSQL 16.',
  ),
  sandboxDiskMiB: setting(
    'TRAPEZA_SANDBOX_DISK_MIB',
    whole(20, 1_000_000),
    4000,
    'Disk for all sandboxes of developers together, in MiB. Each may hold 20, so it is also their number: one for each 20.',
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
    'Time a call or a page may take to be processed before it is answered with 408.',
  ),
  paymentUnresolvedMs: setting(
    'TRAPEZA_PAYMENT_UNRESOLVED_MS',
    duration,
    600_000,
    'Time the outcome of a payment at a remote core may be unknown before the payment is listed for people to settle.',
  ),
  keepAliveMs: setting(
    'TRAPEZA_KEEP_ALIVE_MS',
    duration,
    65_000,
    'Time an idle connection is kept; longer than that of the proxy in front.',
  ),
  readyWithinMs: setting(
    'TRAPEZA_READY_WITHIN_MS',
    whole(100, 600_000),
    2_000,
    'Time without a successful read or a successful write of the store after which `/health/ready` says 503. The node tries to write twice in this time, with or without calls, and what it or calls fail by counts at once.',
  ),
  drainDelayMs: setting(
    'TRAPEZA_DRAIN_DELAY_MS',
    whole(0, 600_000),
    5_000,
    'Time a node goes on listening and answering after SIGTERM, while `/health/ready` already says 503: longer than a proxy in front takes to notice. Ctrl-C (SIGINT) does not wait.',
  ),
  drainMs: setting(
    'TRAPEZA_DRAIN_MS',
    duration,
    10_000,
    'Time running requests have to finish once the node no longer listens.',
  ),
  maxConnections: setting(
    'TRAPEZA_MAX_CONNECTIONS',
    whole(1, 1_000_000),
    5_000,
    'Connections held at once; fewer if the process may not open so many files. Of more, idle ones of the addresses with the most are closed first.',
  ),
  connectionsPerSource: setting(
    'TRAPEZA_CONNECTIONS_PER_SOURCE',
    whole(1, 1_000_000),
    64,
    'Connections without a request for a second that one address (IPv6: a network of 64 bits) may keep; of more, the oldest are closed. Proxies of `TRAPEZA_TRUSTED_PROXIES` may keep any number.',
  ),
  maxInFlight: setting(
    'TRAPEZA_MAX_IN_FLIGHT',
    whole(1, 1_000_000),
    2_000,
    'Requests processed at the same time, operations and pages alike; more are answered with 503 overloaded. One caller alone has half of them. It bounds memory: while the processor is busy all the time, fewer begin, so that all of them can be answered within half of `TRAPEZA_DEADLINE_MS`.',
  ),
} as const;

/** What a bank decides about. The others are right as they are nearly everywhere: for experts. */
const forBanks: readonly (keyof typeof settings)[] = [
  ...(['port', 'host', 'baseUrl', 'databaseUrl', 'secret', 'logLevel', 'trustedProxies'] as const),
  ...(['managementHost', 'managementPort', 'operatorUrl', 'operatorHost', 'operatorPort'] as const),
  ...(['bankName', 'brand', 'timeZone', 'regime', 'quotaPerMinute', 'quotaPerDay'] as const),
  ...(['loginIssuer', 'loginClientId', 'loginClientSecret', 'trustAnchors', 'revocationHosts'] as const),
  ...(['signaturePolicy', 'coreUrl', 'coreToken', 'coreNewsToken', 'bankModule'] as const),
];

export const isExpert = (name: string): boolean => !forBanks.some((each) => each === name);
