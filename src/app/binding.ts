/** What ties a call to its sender: the listener's TLS, client certificates and who judges them, proofs of possession. */
import type { CertificateVerifier } from '../certificate/verifier.js';
import { fromProxy } from '../gate/source.js';
import { TlsFiles } from '../lib/net/tls-files.js';
import { ClientCertificates } from '../oauth/binding/client-certificates.js';
import { Nonces } from '../oauth/binding/nonces.js';
import { Proofs } from '../oauth/binding/proofs.js';
import { errorFields } from '../observe/log.js';
import type { Foundation } from './foundation.js';

const openTls = async (
  { config, log }: Foundation,
  listener: '' | 'OPERATOR_',
): Promise<TlsFiles | undefined> => {
  const [certificate, key] =
    listener === ''
      ? [config.tlsCertificate, config.tlsKey]
      : [config.operatorTlsCertificate, config.operatorTlsKey];
  if (certificate === undefined || key === undefined) return undefined;
  const tell = (error: unknown): void => log.warn(errorFields(error), 'TLS certificate: not renewed');
  return TlsFiles.open({ certificate, key }, tell).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    const names = `TRAPEZA_${listener}TLS_CERTIFICATE and TRAPEZA_${listener}TLS_KEY`;
    throw new Error(`${names} cannot be used: ${why}`, { cause });
  });
};

export const openBinding = async (base: Foundation, verifier: CertificateVerifier) => {
  const { config, clock, db, vault, site } = base;
  const clientCertificates = new ClientCertificates({
    mode: config.tlsClientCertificate,
    header: config.clientCertHeader,
    isFromProxy: fromProxy(config.trustedProxies),
    verifier,
  });
  const nonces = new Nonces(vault.keys('dpop-nonce'), clock);
  return {
    clientCertificates,
    nonces,
    proofs: new Proofs({ db, clock, nonces, baseUrl: () => site.baseUrl }),
    tls: await openTls(base, ''),
    operatorTls: await openTls(base, 'OPERATOR_'),
  };
};
