/** The settings of the operator console and of the people who use it. */
import { oneOf, setting, text, webAddress, whole } from '../lib/setting.js';

const none: string | undefined = undefined;

/** A new one for each occasion: a name that was released stays so. */
export const closingName = (value: string): string => {
  if (!/^(?=.*\d)[A-Za-z0-9][A-Za-z0-9._-]{3,63}$/.test(value))
    throw new Error('a name for this one occasion, with a digit in it, such as restore-2026-11-19');
  return value;
};

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
  maintenance: setting<string | undefined>(
    'TRAPEZA_MAINTENANCE',
    closingName,
    none,
    'Starts the node closed: every call and page is 503 until `trapeza maintenance off` has released this name in the store. For a restore, because a database of an earlier moment does not know that it was closed. Take a new name each time, such as `restore-2026-11-19`.',
  ),
} as const;
