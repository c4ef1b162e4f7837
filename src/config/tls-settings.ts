/** The settings of TLS, client certificates and the profile of applications; see docs/security-profiles.md. */
import { oneOf, setting, text } from '../lib/setting.js';

const none: string | undefined = undefined;

const headerName = (value: string): string => {
  if (!/^[A-Za-z0-9-]{1,64}$/.test(value)) throw new Error('the name of a header');
  return value;
};

export const tlsSettings = {
  tlsCertificate: setting<string | undefined>(
    'TRAPEZA_TLS_CERTIFICATE',
    text,
    none,
    'PEM file with the certificate chain of the public listener. Makes the listener https. Read again when it changes.',
  ),
  tlsKey: setting<string | undefined>(
    'TRAPEZA_TLS_KEY',
    text,
    none,
    'PEM file with the private key of that certificate.',
  ),
  tlsClientCertificate: setting(
    'TRAPEZA_TLS_CLIENT_CERTIFICATE',
    oneOf('off', 'optional', 'required'),
    'off',
    'Whether third parties are asked for a QWAC: `optional` verifies those that are sent, `required` refuses calls without one. It comes with the TLS connection, or from a trusted proxy in a header.',
  ),
  clientCertHeader: setting(
    'TRAPEZA_CLIENT_CERT_HEADER',
    headerName,
    'Client-Cert',
    'Header in which trusted proxies pass the client certificate on, as RFC 9440 says or as URL-encoded PEM (nginx), unless it is `off`; the header with `-Chain` appended has the intermediate ones. The proxy must remove both from what clients send.',
  ),
  fapi2Only: setting(
    'TRAPEZA_FAPI2_ONLY',
    oneOf('off', 'on'),
    'off',
    'With `on`, every application must be in the profile fapi2: others are neither created nor served, and the metadata of the authorization server lists only what the profile allows.',
  ),
} as const;
