/** The dry run of a signed request: what the bank would build and verify, and which of its checks would fail. Nothing is called. */

import {
  type Access,
  createRouter,
  fieldFault,
  fieldProblem,
  type Operation,
  operation,
  Problem,
  pathOf,
  policyFor,
  type SignaturePolicy,
  sentencesOf,
  signaturePolicies,
} from 'trapeza/base';
import {
  asksCertificate,
  checkDigest,
  checkHeadersAndQuery,
  checkSignature,
  createExamine,
  digestOf,
  isSignable,
  type SignatureCheck,
  type SignatureVerifier,
  type SignedCall,
} from 'trapeza/extend';
import { type Static, Type } from 'typebox';
import { sandboxArea } from '../area.js';

export interface SignatureCheckParts {
  readonly signatures: Pick<SignatureVerifier, 'examine' | 'received'>;
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
    path: Type.String({
      minLength: 1,
      maxLength: 8192,
      description:
        'All that follows the host, as it is sent: also the path of the base address, and the query.',
    }),
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

const explain = ({ details, kind }: Problem): string =>
  details.errors
    ? Object.entries(sentencesOf(details.errors))
        .map(([name, sentences]) => `${name} ${sentences.join(', ')}.`)
        .join(' ')
    : (details.detail ?? kind.when);

/** How the gate refuses, if it does. */
const refusalIn = async (work: () => unknown): Promise<Problem | undefined> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
};

/** The gate has accepted the credentials before it looks at the other headers; here they may be left out. */
const withCredentials = (call: SignedCall): SignedCall => ({
  ...call,
  headers: { authorization: 'given', 'ocp-apim-subscription-key': 'given', ...call.headers },
});

type Parts = Pick<SignatureCheckParts, 'signatures'>;

/** Asks the very functions of the gate, and the examination once more for everything that it finds. */
const judge = async (
  operation: Operation,
  policy: SignaturePolicy,
  call: SignedCall,
  { signatures }: Parts,
) => {
  const parts = { signatures, config: { signaturePolicy: policy } };
  const headers = await refusalIn(() => checkHeadersAndQuery(operation)(withCredentials(call)));
  const signature = await refusalIn(() => checkSignature(operation, parts)(call));
  const digest = await refusalIn(() => checkDigest(call));
  const checkOf = (name: string, refusal: Problem | undefined, words: string) =>
    check(name, refusal === undefined, words, refusal ? explain(refusal) : '');
  const examined = call.headers.signature
    ? await createExamine(operation, parts)(call, policy, true)
    : undefined;
  return {
    wouldPass: !headers && !signature && !digest,
    signingString: examined?.signingString ?? null,
    checks: [
      checkOf('headers', headers, 'They are in order, and those of a signature are all there, or none is.'),
      ...(examined?.checks ?? [checkOf('presence', signature, 'Not signed, which is allowed.')]),
      checkOf('digest', digest, 'It is the digest of the body, or there is none.'),
    ],
  };
};

const createExamination =
  ({ signatures, policy: ofBank, find, operations }: SignatureCheckParts) =>
  async (asked: Static<typeof RequestToCheck>) => {
    const { method } = asked;
    const headers = headersOf(asked.headers);
    const rawBody = Buffer.from(asked.body ?? '');
    const key = headers['ocp-apim-subscription-key'];
    const access = key ? await find(key) : undefined;
    const url = signatures.received(pathOf(asked.path));
    const { operation: found, searchParams } = createRouter(operations, [])({ method, url: url ?? '' });
    const isFound = found !== undefined && isSignable(found);
    const policy =
      found && asksCertificate(found)
        ? 'strict'
        : (asked.policy ?? policyFor(ofBank, access?.signaturePolicy));
    const own = check(
      'operation',
      isFound,
      'It takes the headers of a signature.',
      'No operation with this method and path takes a signature. The path begins with that of the base address.',
    );
    const common = { policy, computedDigest: digestOf(rawBody) };
    if (!isFound) return { ...common, wouldPass: false, signingString: null, checks: [own] };
    const judged = await judge(
      found,
      policy,
      // The policy is decided.
      {
        headers,
        searchParams,
        query: {},
        rawBody,
        access: access && { ...access, signaturePolicy: undefined },
        request: { method, url },
      },
      { signatures },
    );
    return { ...common, ...judged, checks: [own, ...judged.checks] };
  };

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
    handle: async ({ body }) => ({ status: 200, body: await examine(body) }),
  });
};
