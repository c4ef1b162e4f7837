/** What settings of the common kinds take, and what they refuse. */
import type { Environment } from '../../src/config/config.js';
import { ConfigError, readConfig } from '../../src/index.js';

export type Case = readonly [text: string, value: unknown];

export const wholeNumber = (least: number, most: number): { good: Case[]; bad: string[] } => ({
  good: [
    [String(least), least],
    [String(most), most],
  ],
  bad: [String(least - 1), String(most + 1), '1.5', '1e3', '0x10', 'many', ' 1', '99999999999999999999999'],
});
export const anyText = (...texts: string[]): { good: Case[]; bad: string[] } => ({
  good: texts.map((text) => [text, text] as const),
  bad: [],
});
export const webAddress = {
  good: [
    ['https://bank.example', 'https://bank.example'],
    ['https://bank.example/psd2/', 'https://bank.example/psd2'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ] as Case[],
  bad: [
    'bank.example',
    'ftp://bank.example',
    'https://bank.example?x=1',
    'https://bank.example#x',
    'https://user@bank.example',
    'https://user:word@bank.example',
    'https://:word@bank.example',
    '/path',
    'https://',
  ],
};

export const proxyAddress = {
  good: ['http://proxy.bank.example:3128', 'http://user:word@10.0.0.1:8080'].map((url) => [
    url,
    url,
  ]) as Case[],
  bad: ['proxy:3128', 'https://proxy.bank.example', 'http://proxy.bank.example/path', 'socks5://proxy'],
};

export const hostList = {
  good: [
    ['ocsp.example', ['ocsp.example']],
    [' OCSP.example , 127.0.0.1:8082,[::1]:80', ['ocsp.example', '127.0.0.1:8082', '[::1]:80']],
    ['*', ['*']],
    [',', []],
  ] as Case[],
  bad: ['http://ocsp.example', 'ocsp.example/x', 'a b', 'user@host', 'host:', 'host:123456', '*.example'],
};

/** The whole request takes at least as long as its headers: each can be tried alone only between wide limits. */
const wideTimes = { TRAPEZA_HEADERS_TIMEOUT_MS: '1', TRAPEZA_REQUEST_TIMEOUT_MS: '3600000' };
/** What is set together or not at all. */
const together = [
  {
    TRAPEZA_LOGIN_ISSUER: 'https://login.bank.example',
    TRAPEZA_LOGIN_CLIENT_ID: 'trapeza',
    TRAPEZA_LOGIN_CLIENT_SECRET: 'secret',
    TRAPEZA_LOGIN_ACR_VALUES: 'urn:strong',
  },
  { TRAPEZA_CORE_CLIENT_CERTIFICATE: 'client.pem', TRAPEZA_CORE_CLIENT_KEY: 'client.key' },
  {
    TRAPEZA_TLS_CERTIFICATE: 'tls.pem',
    TRAPEZA_TLS_KEY: 'tls.key',
    TRAPEZA_TLS_CLIENT_CERTIFICATE: 'off',
  },
  { TRAPEZA_OPERATOR_TLS_CERTIFICATE: 'console.pem', TRAPEZA_OPERATOR_TLS_KEY: 'console.key' },
];
export const besides = (variable: string): Environment => ({
  ...wideTimes,
  ...together.find((group) => variable in group),
});

export const databaseCases = {
  databaseUrl: {
    good: [
      ['sqlite:/var/lib/trapeza.db', 'sqlite:/var/lib/trapeza.db'],
      ['postgres://user:word@host/name', 'postgres://user:word@host/name'],
      ['postgresql://host/name', 'postgresql://host/name'],
    ],
    bad: ['sqlite:', 'mysql://host/name', '/var/lib/trapeza.db', 'postgres:/host', 'postgres://'],
  },
  databasePool: wholeNumber(1, 1_000),
  // Less than the deadline of a call.
  statementMs: wholeNumber(100, 4999),
  databasePooling: {
    good: [
      ['session', 'session'],
      ['transaction', 'transaction'],
    ],
    bad: ['statement', 'on'],
  },
} satisfies Record<string, { good: Case[]; bad: string[] }>;

/** All faults of an environment. */
export const faultsOf = (env: Environment): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};
