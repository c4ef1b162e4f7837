/** The configuration: every setting is read or refused in words, all faults at once, and no value is ever repeated. */
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { settings, unreadSettings } from '../../src/config/config.js';
import { settingsSchemaText } from '../../src/documents.js';
import { ConfigError, readConfig } from '../../src/index.js';
import {
  anyText,
  besides,
  type Case,
  databaseCases,
  faultsOf,
  hostList,
  proxyAddress,
  webAddress,
  wholeNumber,
} from '../lib/setting-cases.js';
import { testSecret } from '../support/service.js';

type Name = keyof typeof settings;

const duration = wholeNumber(1, 3_600_000);

/** For each setting what it takes, and what it refuses. */
const table: Readonly<Record<Name, { good: Case[]; bad: string[] }>> = {
  port: wholeNumber(0, 65_535),
  sharedPort: {
    good: [
      ['on', 'on'],
      ['off', 'off'],
    ],
    bad: ['true', 'On'],
  },
  host: anyText('0.0.0.0', '::1'),
  baseUrl: webAddress,
  operatorUrl: webAddress,
  twoPeople: {
    good: [
      ['on', 'on'],
      ['off', 'off'],
    ],
    bad: ['yes', 'On'],
  },
  ...databaseCases,
  dataFolder: anyText('/var/lib/trapeza', 'here'),
  managementHost: anyText('10.0.0.1'),
  managementPort: wholeNumber(0, 65_535),
  operatorHost: anyText('::1'),
  operatorPort: wholeNumber(0, 65_535),
  operatorTlsCertificate: anyText('tls.pem'),
  operatorTlsKey: anyText('tls.key'),
  otlpUrl: webAddress,
  tracePercent: wholeNumber(0, 100),
  node: {
    good: ['node-1', 'api.bank.example', 'A_2'].map((name) => [name, name]),
    bad: ['two words', 'ä', 'a'.repeat(65)],
  },
  logLevel: {
    good: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => [level, level]),
    bad: ['INFO', 'verbose', 'none'],
  },
  requestLog: {
    good: [
      ['on', 'on'],
      ['off', 'off'],
    ],
    bad: ['yes', 'ON'],
  },
  maintenance: {
    good: [['restore-2026-11-19', 'restore-2026-11-19']],
    bad: ['on', 'off', 'true', '1', 'restore 1', `r1${'e'.repeat(70)}`],
  },
  quotaPerMinute: wholeNumber(1, 1_000_000_000),
  quotaPerDay: wholeNumber(1, 1_000_000_000),
  failedAuthPerMinute: wholeNumber(1, 1_000_000_000),
  loginsPerAddress: wholeNumber(1, 1_000_000_000),
  authorizationsPerAddress: wholeNumber(1, 1_000_000_000),
  registrationsPerMinute: wholeNumber(1, 1_000_000_000),
  codesPerPerson: wholeNumber(1, 1_000_000),
  lowBalance: { good: ['forbid', 'warn'].map((way) => [way, way]), bad: ['off', 'WARN'] },
  trustedProxies: {
    good: [
      ['10.0.0.1', ['10.0.0.1']],
      [' 10.0.0.1 , ::1 ,192.168.0.0/16', ['10.0.0.1', '::1', '192.168.0.0/16']],
      ['2001:db8::/32', ['2001:db8::/32']],
      [',', []],
    ],
    bad: [
      'proxy.example',
      '10.0.0.300',
      '10.0.0.0/33',
      '10.0.0.0/x',
      '10.0.0.0/',
      '10.0.0.1/8/8',
      '10.0.0.1;10.0.0.2',
    ],
  },
  regime: { good: ['psd2', 'psr'].map((regime) => [regime, regime]), bad: ['psd3', 'PSR'] },
  timeZone: {
    good: ['Europe/Athens', 'Asia/Nicosia', 'UTC'].map((zone) => [zone, zone]),
    bad: ['Atlantis', 'Europe/Atlantis', 'GMT+25'],
  },
  secret: {
    good: [
      [testSecret, testSecret],
      [`${testSecret},${'y'.repeat(40)}`, `${testSecret},${'y'.repeat(40)}`],
    ],
    bad: ['short', testSecret.slice(0, 31), `${testSecret},short`, `${testSecret},`],
  },
  issuer: webAddress,
  jwksUri: webAddress,
  audience: anyText('https://bank.example', 'trapeza'),
  bankModule: anyText('./bank.js', '/opt/bank/index.js'),
  demoMonths: wholeNumber(0, 120),
  demoVolume: wholeNumber(0, 10_000_000),
  sandboxPlaces: { good: [['16', 16]], bad: ['0', '501', 'many'] },
  sandboxDiskMiB: { good: [['400', 400]], bad: ['19', '1000001', '4 GB'] },
  bodyLimit: wholeNumber(1024, 1_048_576),
  headerLimit: wholeNumber(4096, 131_072),
  urlLimit: wholeNumber(512, 65_536),
  headersTimeoutMs: duration,
  requestTimeoutMs: duration,
  deadlineMs: duration,
  paymentUnresolvedMs: duration,
  keepAliveMs: duration,
  readyWithinMs: wholeNumber(100, 600_000),
  drainDelayMs: wholeNumber(0, 600_000),
  drainMs: duration,
  maxConnections: wholeNumber(1, 1_000_000),
  connectionsPerSource: wholeNumber(1, 1_000_000),
  maxInFlight: wholeNumber(1, 1_000_000),
  maxConsentDays: wholeNumber(1, 36_500),
  unattendedPerDay: wholeNumber(4, 1_440),
  grantDays: wholeNumber(1, 3_650),
  tlsCertificate: anyText('tls.pem'),
  tlsKey: anyText('tls.key'),
  tlsClientCertificate: { good: ['off', 'optional', 'required'].map((mode) => [mode, mode]), bad: ['on'] },
  clientCertHeader: {
    good: [['X-Client-Cert', 'X-Client-Cert']],
    bad: ['Client Cert', 'a:b', 'x'.repeat(65)],
  },
  trustAnchors: anyText('/etc/trapeza/anchors', 'anchors'),
  signaturePolicy: {
    good: ['off', 'if-present', 'required', 'strict'].map((policy) => [policy, policy]),
    bad: ['on', 'STRICT', 'optional'],
  },
  trustLists: { good: [['a.xml https://b.example/c', ['a.xml', 'https://b.example/c']]], bad: [] },
  trustListSigners: {
    good: [[`AB:${'0'.repeat(62)}`, [`ab${'0'.repeat(62)}`]]],
    bad: ['abc', 'x'.repeat(64)],
  },
  registration: { good: ['auto', 'approve', 'off'].map((mode) => [mode, mode]), bad: ['on', 'AUTO', 'none'] },
  revocation: { good: ['off', 'soft', 'hard'].map((mode) => [mode, mode]), bad: ['on', 'HARD', 'none'] },
  revocationGraceHours: wholeNumber(0, 720),
  revocationMaxAge: wholeNumber(60, 604_800),
  fapi2Only: { good: ['off', 'on'].map((mode) => [mode, mode]), bad: ['yes'] },
  revocationHosts: hostList,
  egressProxy: proxyAddress,
  retentionConsentYears: wholeNumber(1, 100),
  retentionRecordMonths: wholeNumber(1, 1_200),
  retentionEventDays: wholeNumber(1, 3_650),
  claimClientId: anyText('azp', 'client'),
  claimScope: anyText('scp', 'scopes'),
  claimPsu: anyText('sub', 'psu'),
  loginIssuer: webAddress,
  loginClientId: anyText('trapeza', 'client'),
  loginClientSecret: anyText('a secret', 'another'),
  loginAcrValues: { good: [['urn:a  urn:b', ['urn:a', 'urn:b']]], bad: [' ', 'ισχυρό'] },
  bankName: anyText('Trapeza', 'Η Τράπεζά μας'),
  brand: anyText('brand', '/etc/trapeza/brand.json'),
  coreUrl: webAddress,
  coreToken: anyText('a.token', 'x'.repeat(4096)),
  testPeople: anyText('people.json'),
  seedFile: anyText('seed.json'),
  coreNewsToken: { good: [['n'.repeat(24), 'n'.repeat(24)]], bad: ['short', `${'n'.repeat(24)} x`] },
  coreClientCertificate: anyText('/etc/trapeza/client.pem'),
  coreClientKey: anyText('/etc/trapeza/client.key'),
  coreCa: anyText('/etc/trapeza/ca.pem'),
  coreTimeoutMs: duration,
  coreConnections: wholeNumber(1, 10_000),
  coreMaxCalls: wholeNumber(1, 10_000),
  coreResponseLimit: wholeNumber(1024, 1_073_741_824),
};

describe('every setting', () => {
  for (const [name, { variable }] of Object.entries(settings) as [Name, { variable: string }][]) {
    const { good, bad } = table[name];
    it(`${variable} is read`, () => {
      expect(good.length).toBeGreaterThan(0);
      for (const [text, value] of good)
        expect(readConfig({ ...besides(variable), [variable]: text })[name]).toEqual(value);
    });
    if (bad.length === 0) continue;
    it(`${variable} is refused by its name and without its value`, () => {
      for (const text of bad) {
        const faults = faultsOf({ ...besides(variable), [variable]: text }).filter(
          (fault) => !/together/.test(fault),
        );
        expect({ text, faults: faults.length }).toEqual({ text, faults: 1 });
        expect(faults[0]).toMatch(new RegExp(`^${variable} must (be|have) .+\\.$`));
        // Short ones are part of the hint itself, such as sqlite:
        if (text.length > 11) expect(faults[0]).not.toContain(text);
      }
    });
  }

  it('has its own variable, and a documentation that says what it is for', () => {
    const all = Object.values(settings);
    expect(new Set(all.map(({ variable }) => variable)).size).toBe(all.length);
    for (const { doc } of all) expect(doc).toMatch(/^[A-Z].{15,}\.$/);
  });

  it('falls back to its default where it is absent or empty', () => {
    const empty = Object.fromEntries(Object.values(settings).map(({ variable }) => [variable, '']));
    const defaults = readConfig({});
    expect(readConfig(empty)).toEqual(defaults);
    for (const [name, { fallback }] of Object.entries(settings) as [Name, { fallback: unknown }][])
      if (name !== 'databaseUrl' && name !== 'statementMs') expect(defaults[name]).toEqual(fallback);
    expect(defaults.statementMs).toBe(2000);
    expect(readConfig({ TRAPEZA_DEADLINE_MS: '1500' }).statementMs).toBe(1000);
    expect(defaults.databaseUrl).toBe(`sqlite:${resolve('data', 'trapeza.db')}`);
    expect(readConfig({ TRAPEZA_DATA: '/srv' }).databaseUrl).toBe('sqlite:/srv/trapeza.db');
  });
});

describe('a name that is not a setting', () => {
  it.each([
    ['TRAPEZA_JWKS_URL', 'TRAPEZA_JWKS_URI'],
    ['TRAPEZA_LOGLEVEL', 'TRAPEZA_LOG_LEVEL'],
    ['TRAPEZA_QUOTA_PER_MINUT', 'TRAPEZA_QUOTA_PER_MINUTE'],
    ['TRAPEZA_SECRETS', 'TRAPEZA_SECRET'],
  ])('%s is refused with the hint %s', (name, nearest) => {
    const faults = faultsOf({ [name]: 'some value' });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name} is not a setting; did you mean ${nearest}\\?`));
    expect(faults[0]).not.toContain('some value');
  });

  it('says what to do instead of a setting that is gone', () => {
    expect(faultsOf({ TRAPEZA_WORKERS: '8' })).toEqual([
      expect.stringMatching(
        /^TRAPEZA_WORKERS is no longer a setting\. .*run several nodes on one PostgreSQL/,
      ),
    ]);
  });

  it('that other programs use, too, is only a hint', () => {
    const env = { REDIS_URL: 'redis://:word@cache' };
    expect(faultsOf(env)).toEqual([]);
    expect(unreadSettings(env)).toEqual([
      'REDIS_URL is no longer a setting. Nothing reads it: nodes share quotas through PostgreSQL, see docs/operating.md.',
    ]);
    expect(unreadSettings({ REDIS_URL: '' })).toEqual([]);
  });

  it('is none of our business where it does not begin with TRAPEZA_', () => {
    expect(faultsOf({ PATH: '/bin', PORTS: 'x', trapeza_port: 'x', npm_config_x: 'y' })).toEqual([]);
  });
});

describe('several faults', () => {
  it('are told all at once', () => {
    const faults = faultsOf({
      PORT: 'x',
      TRAPEZA_DATABASE_POOL: '0',
      TRAPEZA_SECRET: 'short',
      TRAPEZA_NONE: '1',
    });
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(
      expect.arrayContaining(['PORT', 'TRAPEZA_DATABASE_POOL', 'TRAPEZA_SECRET', 'TRAPEZA_NONE']),
    );
    expect(faults).toHaveLength(4);
  });

  it('never repeat a value, because it may be a secret', () => {
    const secret = 'S3cr3t-V4lue';
    const env = Object.fromEntries(
      Object.entries(table)
        .filter(([, { bad }]) => bad.length > 0)
        .map(([name]) => [settings[name as Name].variable, `${secret}!`]),
    );
    const faults = faultsOf({ ...env, TRAPEZA_OTHER: secret });
    expect(faults).toHaveLength(Object.keys(env).length + 1);
    expect(faults.join('\n')).not.toContain(secret);
    expect(new ConfigError(faults).message).not.toContain(secret);
  });
});

describe('the schema of the settings', () => {
  const check = new Ajv2020({ strict: false }).compile(JSON.parse(settingsSchemaText()) as object);
  it('takes what the program takes, and refuses unknown names, numbers out of range and other words', () => {
    expect(check({ PORT: '8080', TRAPEZA_REGIME: 'psr', TRAPEZA_DATABASE_POOL: 4, PATH: '/bin' })).toBe(true);
    const wrong = [
      { TRAPEZA_PROT: '1' },
      { TRAPEZA_DATABASE_POOL: 1001 },
      { TRAPEZA_DATABASE_POOL: 'x' },
      { TRAPEZA_REGIME: 'psd3' },
    ];
    expect(wrong.filter((env) => check(env))).toEqual([]);
  });
});
