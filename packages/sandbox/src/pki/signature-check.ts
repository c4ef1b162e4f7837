/** The dry run of a signed request: what the bank would build and verify, and which of its checks would fail. Nothing is called. */

import {
  type Access,
  createRouter,
  fieldFault,
  fieldProblem,
  type Operation,
  operation,
  pathOf,
  policyFor,
  type SignaturePolicy,
  signaturePolicies,
} from 'trapeza/base';
import {
  couplingFaults,
  digestOf,
  effectiveHeaders,
  fitsDigest,
  isSignable,
  type SignatureCheck,
  type SignatureVerifier,
  signingRole,
} from 'trapeza/extend';
import { type Static, Type } from 'typebox';
import { sandboxArea } from '../area.js';

export interface SignatureCheckParts {
  readonly signatures: Pick<SignatureVerifier, 'examine'>;
  readonly policy: SignaturePolicy;
  /** Whose key it is, if anybody's. */
  readonly find: (key: string) => Promise<Access | undefined>;
  readonly operations: readonly Operation[];
}

const strict = { additionalProperties: false } as const;
const MAX_HEADERS = 100;
const TOKEN = "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$";

const policySchema = Type.Unsafe<SignaturePolicy>({ type: 'string', enum: [...signaturePolicies] });

const RequestToCheck = Type.Object(
  {
    method: Type.String({ minLength: 1, maxLength: 20 }),
    path: Type.String({ minLength: 1, maxLength: 8192, description: 'With the query, as it is sent.' }),
    headers: Type.Record(Type.String({ pattern: TOKEN }), Type.String(), {
      ...strict,
      description: 'By name. With Ocp-Apim-Subscription-Key the certificate is also compared with its owner.',
    }),
    body: Type.Optional(Type.String({ description: 'Exactly the text that is sent; absent: no body.' })),
    policy: Type.Optional(policySchema),
  },
  {
    ...strict,
    description: 'The request as you want to send it. `policy`: tried instead of the one that holds for you.',
  },
);

const CheckedRequest = Type.Object(
  {
    wouldPass: Type.Boolean(),
    policy: policySchema,
    signingString: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'What the bank verifies the signature over; compare it with yours.',
    }),
    computedDigest: Type.String({ description: 'Of the body, as Digest has it.' }),
    checks: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          verdict: Type.Unsafe<SignatureCheck['verdict']>({
            type: 'string',
            enum: ['passed', 'failed', 'unknown', 'skipped'],
          }),
          detail: Type.String(),
        },
        strict,
      ),
    ),
  },
  strict,
);

/** By lower-case name, a character for each byte, as a listener would have them. */
const headersOf = (sent: Readonly<Record<string, string>>): Record<string, string> => {
  const entries = Object.entries(sent).map(
    ([name, value]) => [name.toLowerCase(), Buffer.from(value, 'utf8').toString('latin1').trim()] as const,
  );
  if (entries.length > MAX_HEADERS || new Set(entries.map(([name]) => name)).size < entries.length)
    throw fieldProblem(
      'headers',
      fieldFault('too-many', `must have at most ${MAX_HEADERS} names, each of them once`, {
        max: MAX_HEADERS,
      }),
    );
  return Object.fromEntries(entries);
};

const check = (name: string, isPassed: boolean, words: string, fault: string): SignatureCheck => ({
  name,
  verdict: isPassed ? 'passed' : 'failed',
  detail: isPassed ? words : fault,
});

const togetherCheck = (headers: Record<string, string>): SignatureCheck => {
  const missing = Object.keys(couplingFaults(headers) ?? {}).map((name) => name.replace('header.', ''));
  return check(
    'headers',
    missing.length === 0,
    'The headers of a signature are all there, or none is.',
    `Missing beside the other signature headers: ${missing.join(', ')}.`,
  );
};

const presenceCheck = (policy: SignaturePolicy): SignatureCheck => {
  const isDemanded = policy === 'required' || policy === 'strict';
  return check('presence', !isDemanded, 'Not signed, which is allowed.', 'A signature is demanded.');
};

const createExamination =
  ({ signatures, policy: ofBank, find, operations }: SignatureCheckParts) =>
  async (asked: Static<typeof RequestToCheck>) => {
    const headers = headersOf(asked.headers);
    const body = Buffer.from(asked.body ?? '');
    const key = headers['ocp-apim-subscription-key'];
    const access = key ? await find(key) : undefined;
    const policy = asked.policy ?? policyFor(ofBank, access?.signaturePolicy);
    const { operation: found } = createRouter(operations, [])({ method: asked.method, url: asked.path });
    const isFound = found !== undefined && isSignable(found);
    const checks = [
      check(
        'operation',
        isFound,
        'It takes the headers of a signature.',
        'No operation with this method and path takes a signature.',
      ),
      togetherCheck(headers),
    ];
    let signingString: string | null = null;
    if (!headers.signature) checks.push(presenceCheck(policy));
    else {
      const role = found && signingRole(found);
      const effective = found ? effectiveHeaders(found) : [];
      const examined = await signatures.examine(
        { method: asked.method, target: pathOf(asked.path), headers },
        { policy, effective, isThorough: true, role, registration: access?.registration },
      );
      signingString = examined.signingString ?? null;
      checks.push(...examined.checks);
    }
    checks.push(
      check(
        'digest',
        fitsDigest(headers, body),
        'It is the digest of the body, or there is none.',
        'The digest is not the one of the body.',
      ),
    );
    return { policy, signingString, computedDigest: digestOf(body), checks };
  };

/** The checks that can refuse even if no signature is verified. */
const always: ReadonlySet<string> = new Set(['operation', 'headers', 'digest']);

export const checkSignedRequest = (parts: SignatureCheckParts): Operation => {
  const examine = createExamination(parts);
  return operation({
    area: sandboxArea,
    headers: [],
    query: [],
    params: [],
    repeat: 'ignored',
    id: 'checkSandboxSignature',
    method: 'POST',
    path: '/sandbox/signature-check',
    summary: 'Try a signature',
    description:
      'Shows the signing string that the bank builds of a request, the digest of its body, and every check of signature and certificate with its verdict. The request is not carried out. See /docs/guides/signatures.',
    body: RequestToCheck,
    bodyExample: {
      method: 'GET',
      path: '/ais/psd2/v1/consents/99391c7e-ad88-49ec-a2ad-99ddcb1f7721/status',
      headers: {
        'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
        Digest: 'SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
        Signature: 'keyId="SN=…,CA=…",algorithm="rsa-sha256",headers="digest x-request-id",signature="…"',
        'TPP-Signature-Certificate': 'MII…',
      },
    },
    success: {
      status: 200,
      description: 'What was found.',
      schema: CheckedRequest,
      example: {
        wouldPass: false,
        policy: 'if-present',
        signingString: null,
        computedDigest: 'SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
        checks: [
          { name: 'signature', verdict: 'failed', detail: 'The signature is not the one of this request.' },
        ],
      },
    },
    async handle({ body }) {
      const found = await examine(body);
      const wouldPass = found.checks.every(
        ({ name, verdict }) => verdict !== 'failed' || (found.policy === 'off' && !always.has(name)),
      );
      return { status: 200, body: { wouldPass, ...found } };
    },
  });
};
