/** What ties a call to its sender: the listener's TLS, client certificates and who judges them, proofs of possession. */
import type { CertificateVerifier } from '../certificate/verifier.js';
import { fromProxy } from '../gate/source.js';
import { ClientCertificates } from '../oauth/binding/client-certificates.js';
import { Nonces } from '../oauth/binding/nonces.js';
import { Proofs } from '../oauth/binding/proofs.js';
import { errorFields } from '../observe/log.js';
import type { Foundation } from './foundation.js';
import { openTls } from './start-checks.js';

export const openBinding = async (base: Foundation, verifier: CertificateVerifier) => {
  const { config, clock, db, log, vault, site } = base;
  const tell = (error: unknown): void => log.warn(errorFields(error), 'TLS certificate: not renewed');
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
    tls: await openTls(config, '', tell),
    operatorTls: await openTls(config, 'OPERATOR_', tell),
  };
};
