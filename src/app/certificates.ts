/** How certificates of third parties are verified; in the sandbox with an authority of its own, which is trusted. */
import { lacksAnchors, NO_ANCHORS, openVerifier } from '../certificate/open.js';
import { createResponder } from '../certificate/pki/responder.js';
import type { VerifierOptions } from '../certificate/verifier.js';
import type { Mount } from '../http/router.js';
import { PKI_PATH, SandboxAuthority } from '../sandbox/pki/sandbox-authority.js';
import type { Foundation } from './foundation.js';

/** Named with its port, so that it may be this machine. */
const authorityOf = (baseUrl: string): string => {
  const { protocol, hostname, port } = new URL(baseUrl);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
};

export const openCertificates = async (base: Foundation, blocked: VerifierOptions['blocked']) => {
  const { config, clock, log, site, isSandbox } = base;
  if (!isSandbox && lacksAnchors(config)) log.warn({}, NO_ANCHORS);
  if (!isSandbox)
    return { certificates: await openVerifier({ config, blocked, clock, log }), sandboxAuthority: undefined };
  const sandboxAuthority = new SandboxAuthority(base);
  const hosts = (): readonly string[] => [authorityOf(site.baseUrl)];
  const certificates = await openVerifier({ config, blocked, clock, log, trust: sandboxAuthority, hosts });
  return { certificates, sandboxAuthority };
};

export const responderOf = (authority: SandboxAuthority, { clock }: Foundation): Mount =>
  createResponder({
    authority: () => authority.authority(),
    issued: () => authority.issued(),
    clock,
    prefix: PKI_PATH,
  });
