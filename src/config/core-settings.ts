/** The settings of a core banking system over HTTP. */
import { headerText, secretSetting, setting, text, webAddress, whole } from '../lib/setting.js';
import { traceSettings } from './trace-settings.js';

const newsToken = (value: string): string => {
  if (value.length < 24) throw new Error('at least 24 characters');
  return headerText(value);
};

const none: string | undefined = undefined;

export const coreSettings = {
  coreUrl: setting<string | undefined>(
    'TRAPEZA_CORE_URL',
    webAddress,
    none,
    'Address of a core that implements docs/core-openapi.json, for accounts, payments and the login of account holders. `serve` needs this or `TRAPEZA_BANK_MODULE`, https except on this machine; the sandbox uses it instead of its demo bank.',
  ),
  coreToken: secretSetting('TRAPEZA_CORE_TOKEN', headerText, 'Sent to the core as `Authorization: Bearer`.'),
  coreNewsToken: secretSetting(
    'TRAPEZA_CORE_NEWS_TOKEN',
    newsToken,
    'What the core sends as `Authorization: Bearer` with `POST /core/news` on the management port, at least 24 characters. Without it there is no such path.',
  ),
  coreClientCertificate: setting<string | undefined>(
    'TRAPEZA_CORE_CLIENT_CERTIFICATE',
    text,
    none,
    'PEM file of our certificate for mutual TLS with the core.',
  ),
  coreClientKey: setting<string | undefined>(
    'TRAPEZA_CORE_CLIENT_KEY',
    text,
    none,
    'PEM file of its private key.',
  ),
  coreCa: setting<string | undefined>(
    'TRAPEZA_CORE_CA',
    text,
    none,
    "PEM file of the authorities that the core's certificate must come from.",
    'those of Node.js',
  ),
  coreTimeoutMs: setting(
    'TRAPEZA_CORE_TIMEOUT_MS',
    whole(1, 3_600_000),
    2_000,
    'Time the core has for one attempt at a question; less than `TRAPEZA_DEADLINE_MS`.',
  ),
  coreConnections: setting(
    'TRAPEZA_CORE_CONNECTIONS',
    whole(1, 10_000),
    64,
    'Connections to the core per process, beside those for logins (a quarter of `TRAPEZA_CORE_MAX_CALLS`), payments (256) and consents (4).',
  ),
  coreMaxCalls: setting(
    'TRAPEZA_CORE_MAX_CALLS',
    whole(1, 10_000),
    64,
    'Concurrent calls to the core per process; as many more wait in a queue, others are answered with 503. Logins have a limit of their own: a quarter as many; payments too: 256, and reports of consents: 4.',
  ),
  coreResponseLimit: setting(
    'TRAPEZA_CORE_RESPONSE_LIMIT',
    whole(1024, 1_073_741_824),
    4_194_304,
    'Largest answer of the core in bytes.',
  ),
  ...traceSettings,
} as const;
