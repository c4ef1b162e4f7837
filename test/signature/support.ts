/** Signs requests as a third party does, with a certificate of the sandbox; every part can be spoilt. */
import { createHash, createPrivateKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import { demoApplications } from '../../packages/sandbox/src/applications.js';
import { readCertificate } from '../../src/certificate/certificate.js';
import { nameText } from '../../src/certificate/x509/name.js';
import { derivedId } from '../../src/lib/id.js';
import type { SignaturePolicy } from '../../src/model/signature-policy.js';
import { setSignaturePolicy } from '../../src/tpp/registry.js';
import { type Answer, done, send, slugOf, type Wanted } from '../support/client.js';
import { FINANCE } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { withStore } from '../support/use-service.js';

export interface Seal {
  /** The value of the header. */
  readonly certificate: string;
  readonly key: KeyObject;
  readonly keyPem: string;
  readonly keyId: string;
  readonly serial: string;
}

/** `prefix` is the path of a developer's sandbox. */
export const getSeal = async (service: Service, wanted: object = {}, prefix = ''): Promise<Seal> => {
  const answer = done(
    await send(service.url, {
      method: 'POST',
      outsideContract: prefix !== '',
      path: `${prefix}/sandbox/pki/certificates`,
      body: { application: FINANCE, key: 'ec', ...wanted },
    }),
  );
  const { header, privateKey, serial } = answer.json as Record<'header' | 'privateKey' | 'serial', string>;
  const { issuer } = readCertificate(header);
  return {
    certificate: header,
    key: createPrivateKey(privateKey),
    keyPem: privateKey,
    keyId: `SN=${serial},CA=${nameText(issuer)}`,
    serial,
  };
};

export const digestOf = (body: string): string =>
  `SHA-256=${createHash('sha256').update(body).digest('base64')}`;

export interface Plain {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Spoil {
  readonly keyId?: string;
  readonly algorithm?: string;
  readonly covered?: readonly string[];
  readonly created?: number;
  readonly expires?: number;
  /** What is signed instead of the right thing. */
  readonly signed?: (signingString: string) => string;
  /** The header itself, after it was made. */
  readonly header?: (value: string) => string;
}

export const algorithmOf = (key: KeyObject): string =>
  key.asymmetricKeyType === 'ec' ? 'ecdsa-sha256' : 'rsa-sha256';

/** All headers of the request, and a signature that covers everything there is. */
export const signed = (
  seal: Seal,
  { method, path, headers = {}, body = '' }: Plain,
  spoil: Spoil = {},
): Record<string, string> => {
  const sent: Record<string, string> = { 'X-Request-ID': randomUUID(), Digest: digestOf(body), ...headers };
  const { created = Math.floor(Date.now() / 1000), expires, algorithm = algorithmOf(seal.key) } = spoil;
  const covered = spoil.covered ?? [
    '(request-target)',
    '(created)',
    ...Object.keys(sent).map((name) => name.toLowerCase()),
  ];
  const special: Record<string, string> = {
    '(request-target)': `${method.toLowerCase()} ${path}`,
    '(created)': String(created),
    '(expires)': String(expires),
  };
  const byName = new Map(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]));
  const text = covered.map((name) => `${name}: ${special[name] ?? byName.get(name) ?? ''}`).join('\n');
  const hash = algorithm.endsWith('512') ? 'sha512' : 'sha256';
  const bytes = sign(hash, Buffer.from(spoil.signed?.(text) ?? text, 'latin1'), seal.key);
  const quoted = (spoil.keyId ?? seal.keyId).replace(/["\\]/g, '\\$&');
  const value = [
    `keyId="${quoted}"`,
    `algorithm="${algorithm}"`,
    ...(covered.includes('(created)') || spoil.created !== undefined ? [`created=${created}`] : []),
    ...(expires === undefined ? [] : [`expires=${expires}`]),
    `headers="${covered.join(' ')}"`,
    `signature="${bytes.toString('base64')}"`,
  ].join(',');
  return {
    ...sent,
    Signature: spoil.header?.(value) ?? value,
    'TPP-Signature-Certificate': seal.certificate,
  };
};

export const callWith = (
  service: Service,
  { method, path, body }: Plain,
  headers: Wanted['headers'],
  as: Parameters<Service['token']>[0] = {},
): Promise<Answer> =>
  service.call({
    method,
    path,
    as,
    ...(headers ? { headers } : {}),
    ...(body === undefined ? {} : { body }),
  });

/** `401 signature-invalid SIGNATURE_INVALID coverage`, or the status alone. */
export const verdict = (answer: Answer): string => {
  if (answer.status < 400) return String(answer.status);
  const { extensions } = answer.json as {
    extensions: { error: { code: string }; signature?: { failed: string } };
  };
  const failed = extensions.signature ? [extensions.signature.failed] : [];
  return [answer.status, slugOf(answer), extensions.error.code, ...failed].join(' ');
};

/** Of the third party of a demo application; counts with the next call. */
export const setPolicy = async (
  service: Service,
  policy: SignaturePolicy | undefined,
  application = FINANCE,
): Promise<void> => {
  const registration = demoApplications.find(({ clientId }) => clientId === application)?.registration;
  const id = derivedId(`tpp:${registration}`);
  await withStore(service, (db) => db.transaction((tx) => setSignaturePolicy(tx, id, policy)));
  // A key that nobody knows makes the directory look, unless it has just done so.
  service.clock.advance(100);
  await service.call({ path: '/events/psd2/v1', headers: { 'Ocp-Apim-Subscription-Key': 'nobody' } });
};
