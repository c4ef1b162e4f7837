/** Whether the caller is the one its credentials were made for: its client certificate, and what its token is tied to. */
import { CertificateRefusal, type Reason, reasons } from '../certificate/reasons.js';
import type { CertificateReport } from '../certificate/report.js';
import type { Exchange } from '../http/exchange.js';
import type { Completion } from '../lib/turn.js';
import { type CallArea, roleOf } from '../model/caller.js';
import type { ClientCertificates, Presented } from '../oauth/binding/client-certificates.js';
import { dpopRefusal, type Proofs } from '../oauth/binding/proofs.js';
import { Problem } from '../problem/problem.js';
import { callerAccess } from './credentials.js';

export interface SenderParts {
  readonly clientCertificates: ClientCertificates;
  readonly proofs: Proofs;
}

export const certificateProblem = (code: string, detail: string): Problem =>
  new Problem('certificate-invalid', {
    detail,
    code,
    headers: { 'WWW-Authenticate': 'ClientCertificate realm="trapeza"' },
  });

export const refusalOf = (reason: Reason): Problem => {
  const { code, detail } = reasons[reason];
  return reason === 'revocation-unknown'
    ? new Problem('dependency-unavailable', { detail })
    : certificateProblem(code, detail);
};

export const judge = ({ reason }: CertificateReport): void => {
  if (reason !== undefined) throw refusalOf(reason);
};

export const presentedIn = (
  clientCertificates: ClientCertificates,
  { request }: Exchange,
): Presented | undefined => {
  try {
    return clientCertificates.of(request);
  } catch (error) {
    throw error instanceof CertificateRefusal ? refusalOf(error.reason) : error;
  }
};

/** 401 by the client certificate: missing although it is demanded, or invalid. */
export const checkClientCertificate =
  ({ clientCertificates }: SenderParts) =>
  (exchange: Exchange): Completion => {
    const { binding, registration } = callerAccess(exchange);
    if (!clientCertificates.isAsked && binding !== 'certificate') return;
    const presented = presentedIn(clientCertificates, exchange);
    if (!presented) {
      if (!clientCertificates.isRequired && binding !== 'certificate') return;
      throw certificateProblem(
        'CERTIFICATE_MISSING',
        'The call must be made with a client certificate (QWAC).',
      );
    }
    const role = roleOf[exchange.operation?.area as CallArea];
    const report = clientCertificates.verify(presented, { registration, ...(role ? { role } : {}) });
    return report instanceof Promise ? report.then(judge) : judge(report);
  };

const tokenProblem = (detail: string): Problem =>
  new Problem('token-invalid', {
    detail,
    advice: 'fix-request',
    headers: { 'WWW-Authenticate': 'Bearer realm="trapeza", error="invalid_token"' },
  });

/** 401 by what the token is tied to. Plain tokens of applications that need no more have nothing to show here. */
export const checkBinding =
  ({ clientCertificates, proofs }: SenderParts) =>
  (exchange: Exchange): Completion => {
    const { sender } = exchange;
    if (sender === undefined) return;
    const { confirmation, isDpop, token } = sender;
    const { binding } = callerAccess(exchange);
    const { certificate, key } = confirmation ?? {};
    if (binding === 'certificate' && certificate === undefined)
      throw tokenProblem('Tokens of this application must be bound to its client certificate.');
    if (binding === 'dpop' && key === undefined)
      throw dpopRefusal('invalid_token', 'Tokens of this application must be bound to a key (DPoP).');
    if (certificate !== undefined && presentedIn(clientCertificates, exchange)?.thumbprint !== certificate)
      throw tokenProblem('The access token is bound to another client certificate.');
    if (key === undefined) {
      if (isDpop) throw dpopRefusal('invalid_token', 'The access token is not bound to a key.');
      return;
    }
    if (!isDpop)
      throw dpopRefusal('invalid_token', 'The access token is bound to a key: send it as DPoP with a proof.');
    const { method = '', url = '' } = exchange.request;
    return proofs.check(exchange.headers.dpop, { method, url, token, key });
  };
