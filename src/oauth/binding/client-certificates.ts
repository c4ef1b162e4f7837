/**
 * The client certificate of a request: from the TLS connection, or from the header of a trusted proxy (RFC 9440). From anybody
 * else the header is not even looked at. What a connection has presented is read once and kept on its socket.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type Certificate, certificateOf, readCertificate } from '../../certificate/certificate.js';
import { CertificateRefusal, reasons } from '../../certificate/reasons.js';
import type { CertificateReport } from '../../certificate/report.js';
import type { CertificateVerifier, Verification } from '../../certificate/verifier.js';
import type { Eventual } from '../../lib/turn.js';
import { Problem } from '../../problem/problem.js';

export interface Presented {
  readonly certificate: Certificate;
  /** Those that lead to its issuer, as far as they were sent. */
  readonly extra: readonly Certificate[];
  /** What a bound token names it by: `x5t#S256` of RFC 8705. */
  readonly thumbprint: string;
}

export interface ClientCertificateParts {
  readonly mode: 'off' | 'optional' | 'required';
  readonly header: string;
  readonly isFromProxy: (request: IncomingMessage) => boolean;
  readonly verifier: CertificateVerifier;
}

const MAX_CHAIN = 5;
const BYTES = /^:([A-Za-z0-9+/]+={0,2}):$/;
/** PEM as nginx writes it into a header (`$ssl_client_escaped_cert`). */
const ESCAPED =
  /^-----BEGIN%20CERTIFICATE-----(?:[A-Za-z0-9]|%2B|%2F|%3D|%0A)+-----END%20CERTIFICATE-----%0A$/;

/** On the socket itself, because a weak map costs at every collection. Null: it has presented none. */
const SEEN = Symbol('client certificate');
type Seen = Socket & { [SEEN]?: Presented | CertificateRefusal | null };

const presentedOf = (certificate: Certificate, extra: readonly Certificate[]): Presented => ({
  certificate,
  extra,
  thumbprint: Buffer.from(certificate.fingerprint, 'hex').toString('base64url'),
});

const fromSocket = (socket: Socket): Presented | undefined => {
  const leaf = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  if (!leaf) return undefined;
  const extra: Certificate[] = [];
  let issuer = leaf.issuerCertificate;
  while (issuer && extra.length < MAX_CHAIN) {
    extra.push(certificateOf(issuer.raw));
    issuer = issuer.issuerCertificate;
  }
  return presentedOf(certificateOf(leaf.raw), extra);
};

/** A byte sequence of RFC 8941 or escaped PEM, and nothing else. */
const bytesOf = (item: string): Certificate => {
  const text = item.trim();
  if (ESCAPED.test(text)) return readCertificate(decodeURIComponent(text));
  const [, base64] = BYTES.exec(text) ?? [];
  if (base64 === undefined) throw new CertificateRefusal('unreadable');
  return readCertificate(base64);
};

const fromHeaders = (certificate: string, chain: string): Presented => {
  const items = chain === '' ? [] : chain.split(',');
  if (items.length > MAX_CHAIN) throw new CertificateRefusal('unreadable');
  return presentedOf(bytesOf(certificate), items.map(bytesOf));
};

const headerText = (value: string | string[] | undefined): string => [value ?? ''].flat().join(',');

export class ClientCertificates {
  readonly #parts: ClientCertificateParts;
  readonly #header: string;
  readonly #admitted = new WeakMap<IncomingMessage, Presented>();
  readonly isAsked: boolean;
  readonly isRequired: boolean;

  constructor(parts: ClientCertificateParts) {
    this.#parts = parts;
    this.#header = parts.header.toLowerCase();
    this.isAsked = parts.mode !== 'off';
    this.isRequired = parts.mode === 'required';
  }

  /** Undefined if none was presented; throws `CertificateRefusal` if it cannot be read. */
  of(request: IncomingMessage): Presented | undefined {
    if (!this.isAsked) return undefined;
    // The connection of a proxy is the proxy's: its own certificate says nothing about the client.
    if (this.#parts.isFromProxy(request)) return this.#forwarded(request);
    const socket: Seen = request.socket;
    if (socket[SEEN] === undefined) socket[SEEN] = this.#read(socket);
    const seen = socket[SEEN];
    if (seen instanceof CertificateRefusal) throw seen;
    return seen ?? undefined;
  }

  #read(socket: Socket): Presented | CertificateRefusal | null {
    try {
      return fromSocket(socket) ?? null;
    } catch (error) {
      if (error instanceof CertificateRefusal) return error;
      throw error;
    }
  }

  #forwarded({ headers }: IncomingMessage): Presented | undefined {
    const certificate = headerText(headers[this.#header]);
    if (certificate === '') return undefined;
    const chain = headerText(headers[`${this.#header}-chain`]);
    return fromHeaders(certificate, chain);
  }

  /** Synchronous if the certificate was verified lately, else a promise. */
  verify(
    { certificate, extra }: Presented,
    wanted: Pick<Verification, 'role' | 'registration'>,
  ): Eventual<CertificateReport> {
    return this.#parts.verifier.verify(certificate, { ...wanted, use: 'web', extra });
  }

  /** For the endpoints of the authorization server: why the request must be refused, if it must. Whose it is, is asked later. */
  async admit(request: IncomingMessage): Promise<string | undefined> {
    try {
      const presented = this.of(request);
      if (!presented) return this.isRequired ? 'a client certificate is required' : undefined;
      const { reason } = await this.verify(presented, {});
      if (reason === 'revocation-unknown')
        throw new Problem('dependency-unavailable', { detail: reasons[reason].detail });
      if (reason !== undefined) return reasons[reason].detail;
      this.#admitted.set(request, presented);
      return undefined;
    } catch (error) {
      if (error instanceof CertificateRefusal) return error.message;
      throw error;
    }
  }

  /** The certificate of an admitted request, if it is one of this third party. */
  admitted(request: IncomingMessage, registration: unknown): Certificate | undefined {
    const certificate = this.#admitted.get(request)?.certificate;
    return registration !== undefined && certificate?.organizationIdentifier === registration
      ? certificate
      : undefined;
  }
}
