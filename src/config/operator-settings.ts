/** The settings of the operator console and of the people who use it. */
import { oneOf, setting, text, webAddress, whole } from '../lib/setting.js';

const none: string | undefined = undefined;

export const operatorSettings = {
  operatorUrl: setting<string | undefined>(
    'TRAPEZA_OPERATOR_URL',
    webAddress,
    none,
    'Address of the operator console as browsers see it, if a proxy is in front of it. The console is below /operator.',
    'http://TRAPEZA_OPERATOR_HOST:PORT, or https',
  ),
  operatorHost: setting(
    'TRAPEZA_OPERATOR_HOST',
    text,
    '127.0.0.1',
    'Address of the listener of the operator console. Other than loopback it needs TLS, or a proxy with https in front (`TRAPEZA_OPERATOR_URL`).',
  ),
  operatorPort: setting(
    'TRAPEZA_OPERATOR_PORT',
    whole(0, 65_535),
    8082,
    'Port of the listener of the operator console; 0 takes any free one.',
    '8082; any free one if `TRAPEZA_MANAGEMENT_PORT` is set',
  ),
  operatorTlsCertificate: setting<string | undefined>(
    'TRAPEZA_OPERATOR_TLS_CERTIFICATE',
    text,
    none,
    'PEM file with the certificate chain of that listener. Makes it https. Read again when it changes.',
  ),
  operatorTlsKey: setting<string | undefined>(
    'TRAPEZA_OPERATOR_TLS_KEY',
    text,
    none,
    'PEM file with the private key of that certificate.',
  ),
  twoPeople: setting<'on' | 'off' | undefined>(
    'TRAPEZA_TWO_PEOPLE',
    oneOf('on', 'off'),
    undefined,
    'Whether settling a payment of unknown outcome, publishing statistics and suspending a third party without an end need two people: one proposes it, another confirms it in the console within a day.',
    'on, off in the sandbox',
  ),
} as const;
