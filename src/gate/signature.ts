/**
 * Signed requests: Digest and Signature come together and with a certificate, the signature is valid if the policy demands one, and the body has
 * the signed digest. On every operation that takes the headers.
 */
import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.js';
import type { Exchange, Params } from '../http/exchange.js';
import type { Operation } from '../http/operation.js';
import { pathOf } from '../http/router.js';
import { type Completion, type Eventual, joinTurn } from '../lib/turn.js';
import { type Role, roleOf } from '../model/caller.js';
import { policyFor, type SignaturePolicy } from '../model/signature-policy.js';
import { type FieldErrors, fieldFault } from '../problem/field.js';
import { Problem } from '../problem/problem.js';
import { digestFault, digestHeader, digestNames, fitsDigest } from '../signature/digest.js';
import { refusalOf, signatureRequired } from '../signature/refusal.js';
import type { Examination, SignatureVerifier } from '../signature/verify.js';

export interface SignatureParts {
  readonly config: Pick<Config, 'signaturePolicy'>;
  readonly signatures: Pick<SignatureVerifier, 'examine'>;
}

export const isSignable = ({ headers }: Operation): boolean =>
  headers.some(({ name }) => name === 'Signature');

/** The caller has nothing but its certificate: its signature is always as strict as one can be. */
export const asksCertificate = ({ area }: Operation): boolean =>
  typeof area !== 'string' && area.asks === 'certificate';

/** What the checks below look at: an exchange, or a request that the dry run of the sandbox is asked about. */
export interface SignedCall extends Pick<Exchange, 'headers' | 'searchParams' | 'access' | 'rawBody'> {
  query: Params;
  readonly request: Pick<IncomingMessage, 'method' | 'url'>;
}

const names = ['Digest', 'Signature', 'TPP-Signature-Certificate'] as const;

type Headers = Exchange['headers'];

/** An RFC 9421 signature has its parameters in Signature-Input, and may have Content-Digest in place of Digest. */
const missingOf = (headers: Headers): string[] => {
  const isNew = Boolean(headers['signature-input']);
  const has = (name: string): boolean =>
    Boolean(headers[name.toLowerCase()]) ||
    (isNew && name === 'Digest' && Boolean(headers['content-digest']));
  return names.filter((name) => !has(name));
};

const couplingFaults = (headers: Headers): FieldErrors | undefined => {
  // A certificate alone proves nothing and harms nothing; Digest and Signature imply each other and demand it.
  if (headers.digest === undefined && !headers.signature && !headers['signature-input']) return undefined;
  const missing = missingOf(headers);
  if (missing.length === 0) return undefined;
  return Object.fromEntries(
    missing.map((name) => [
      `header.${name}`,
      [fieldFault('required', 'is required beside the other signature headers')],
    ]),
  );
};

const checkDigestForm = (headers: Headers): void => {
  for (const name of digestNames) {
    const fault = digestFault(headers, name);
    if (fault)
      throw new Problem('invalid-header', {
        errors: { [`header.${digestHeader(name)}`]: [fieldFault('format', fault, { format: 'digest' })] },
      });
  }
};

/** Whatever the policy. */
export const checkCoupling = ({ headers }: Pick<SignedCall, 'headers'>): void => {
  const errors = couplingFaults(headers);
  if (errors) throw new Problem('signature-headers-incomplete', { errors });
  checkDigestForm(headers);
};

const refuse = ({ failure }: Examination): void => {
  if (failure) throw refusalOf(failure);
};

/** The role that who has signed a call of this operation must have. */
const signingRole = ({ area }: Operation): Role | undefined =>
  typeof area === 'string' ? roleOf[area] : undefined;

/** In lower case. */
export const effectiveHeaders = ({ headers }: Operation): readonly string[] =>
  headers.filter(({ hasEffect }) => hasEffect).map(({ name }) => name.toLowerCase());

type Examine = (call: SignedCall, policy: SignaturePolicy, isThorough?: boolean) => Eventual<Examination>;

/** How the signature of a call of this operation is examined, at the gate and in the dry run. */
export const createExamine = (
  operation: Operation,
  { signatures }: Pick<SignatureParts, 'signatures'>,
): Examine => {
  const role = signingRole(operation);
  const effective = effectiveHeaders(operation);
  return ({ headers, access, request }, policy, isThorough = false) => {
    const sent = { method: request.method ?? '', target: pathOf(request.url ?? ''), headers };
    return signatures.examine(sent, {
      policy,
      effective,
      role,
      registration: access?.registration,
      isThorough,
    });
  };
};

export const checkSignature = (operation: Operation, parts: SignatureParts) => {
  const { config } = parts;
  const examine = createExamine(operation, parts);
  return (call: SignedCall): Completion => {
    const policy = policyFor(config.signaturePolicy, call.access?.signaturePolicy);
    if (policy === 'off') return;
    if (!call.headers.signature) {
      if (policy === 'if-present') return;
      throw signatureRequired();
    }
    const examination = examine(call, policy);
    return examination instanceof Promise ? joinTurn(examination).then(refuse) : refuse(examination);
  };
};

/** Over the bytes as they came, whatever the policy: a digest that is wrong is a message that was changed. */
export const checkDigest = ({ headers, rawBody }: SignedCall): void => {
  if (!fitsDigest(headers, rawBody ?? Buffer.alloc(0))) throw new Problem('digest-mismatch');
};
