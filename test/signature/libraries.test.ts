/** Requests that public libraries have signed, each with its own reading of the drafts and of RFC 9421; and RFC 9421 spoilt. */
import { constants, createHash, type KeyObject, randomUUID, sign } from 'node:crypto';
import { ClientRequest } from 'node:http';
import { createSignatureSync } from 'http-message-sig';
import { cavage, httpbis } from 'http-message-signatures';
import httpSignature from 'http-signature';
import { describe, expect, it } from 'vitest';
import { FUNDS, fundsBody } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import { callWith, digestOf, getSeal, type Plain, type Seal, setPolicy, signed, verdict } from './support.js';

let ec: Seal;
let rsa: Seal;
const service = useService({}, async (made) => {
  [ec, rsa] = await Promise.all([getSeal(made), getSeal(made, { key: 'rsa' })]);
  await setPolicy(made, 'strict');
});

const body = JSON.stringify(fundsBody({ payee: 'Περίπτερο' }));
const funds: Plain = { method: 'POST', path: FUNDS, body };

type Headers = Record<string, string>;
const ask = async (headers: Headers, plain = funds): Promise<string> =>
  verdict(await callWith(service(), plain, headers));

const contentDigest = (text: string, hash = 'sha256'): string =>
  `${hash.replace('sha', 'sha-')}=:${createHash(hash).update(text).digest('base64')}:`;

const common = ({ certificate }: Seal): Headers => ({
  'X-Request-ID': randomUUID(),
  'TPP-Signature-Certificate': certificate,
});

/** The request itself is never sent: the library writes its header into it. */
const signedByHttpSignature = (seal: Seal): Headers => {
  const headers = { ...common(seal), Digest: digestOf(body), Date: new Date().toUTCString() };
  const request = new ClientRequest({ host: '127.0.0.1', port: 1, method: 'POST', path: FUNDS, headers });
  request.on('error', () => undefined);
  const options = {
    key: seal.keyPem,
    keyId: seal.keyId,
    headers: ['(request-target)', 'digest', 'x-request-id', 'date'],
    authorizationHeaderName: 'Signature',
  };
  httpSignature.sign(request, options);
  const signature = String(request.getHeader('signature'));
  request.destroy();
  return { ...headers, Signature: signature };
};

const signer = (key: KeyObject, alg: string) => (data: Uint8Array) => {
  if (alg === 'rsa-pss-sha512')
    return sign('sha512', data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 });
  return sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' });
};

const message = (headers: Headers) => ({ method: 'POST', url: `${service().url}${FUNDS}`, headers });

const signedByCavage = async (seal: Seal, alg: string): Promise<Headers> => {
  const key = { id: seal.keyId, alg, sign: async (data: Buffer) => sign('sha256', data, seal.key) };
  const fields = ['@request-target', '@created', 'digest', 'x-request-id'];
  const headers = { ...common(seal), Digest: digestOf(body) };
  const made = await cavage.signMessage(
    { key, fields, params: ['created', 'keyid', 'alg'] },
    message(headers),
  );
  return made.headers as Headers;
};

const covered = ['@method', '@target-uri', 'content-digest', 'x-request-id'];

const signedByHttpbis = async (seal: Seal, alg: string, fields = covered): Promise<Headers> => {
  const key = { id: seal.keyId, alg, sign: async (data: Buffer) => signer(seal.key, alg)(data) };
  const headers = { ...common(seal), 'Content-Digest': contentDigest(body) };
  const made = await httpbis.signMessage(
    { key, fields, params: ['created', 'keyid', 'alg'] },
    message(headers),
  );
  return made.headers as Headers;
};

interface Changes {
  readonly components?: Parameters<typeof createSignatureSync>[1]['components'];
  readonly parameters?: Parameters<typeof createSignatureSync>[1]['parameters'];
  readonly headers?: Headers;
  readonly method?: string;
  readonly path?: string;
}

const signedByMessageSig = (seal: Seal, algorithm: string, changes: Changes = {}): Headers => {
  const { components = covered, parameters, method = 'POST', path = FUNDS } = changes;
  const headers: Headers = { ...common(seal), 'Content-Digest': contentDigest(body), ...changes.headers };
  const { signature, signatureInput } = createSignatureSync(
    {
      kind: 'request',
      method,
      targetUri: `${service().url}${path}`,
      fields: Object.entries(headers).map(([name, value]) => ({ name, value })),
    },
    {
      label: 'sig1',
      components,
      parameters: parameters ?? { created: Math.floor(Date.now() / 1000), keyid: seal.keyId, alg: algorithm },
      signer: { algorithm, sign: (data) => new Uint8Array(signer(seal.key, algorithm)(data)) },
    },
  );
  return { ...headers, Signature: signature, 'Signature-Input': signatureInput };
};

describe('a request is accepted, under the strictest policy, when it was signed by', () => {
  it.each([['EC'], ['RSA']])('http-signature, with an %s key', async (kind) => {
    expect(await ask(signedByHttpSignature(kind === 'EC' ? ec : rsa))).toBe('200');
  });

  it('http-message-signatures, in the way of draft-cavage', async () => {
    expect(await ask(await signedByCavage(ec, 'ecdsa-p256-sha256'))).toBe('200');
    expect(await ask(await signedByCavage(rsa, 'rsa-v1_5-sha256'))).toBe('200');
  });

  it('http-message-signatures, in the way of RFC 9421', async () => {
    expect(await ask(await signedByHttpbis(ec, 'ecdsa-p256-sha256'))).toBe('200');
    expect(await ask(await signedByHttpbis(rsa, 'rsa-v1_5-sha256'))).toBe('200');
    const others = ['@method', '@authority', '@scheme', '@path', '@query', 'content-digest', 'x-request-id'];
    expect(await ask(await signedByHttpbis(rsa, 'rsa-pss-sha512', others))).toBe('200');
  });

  it('http-message-sig, by RFC 9421', async () => {
    for (const [seal, algorithm] of [
      [ec, 'ecdsa-p256-sha256'],
      [rsa, 'rsa-v1_5-sha256'],
      [rsa, 'rsa-pss-sha512'],
    ] as const)
      expect(await ask(signedByMessageSig(seal, algorithm))).toBe('200');
    const digests = { 'Content-Digest': `${contentDigest(body, 'sha512')}, ${contentDigest(body)}` };
    expect(await ask(signedByMessageSig(ec, 'ecdsa-p256-sha256', { headers: digests }))).toBe('200');
  });
});

const invalid = (check: string): string => `401 signature-invalid SIGNATURE_INVALID ${check}`;
const P256 = 'ecdsa-p256-sha256';
const now = (): number => Math.floor(Date.now() / 1000);

describe('an RFC 9421 signature is refused', () => {
  it.each<[string, string, () => Headers]>([
    ['for another path', 'signature', () => signedByMessageSig(ec, P256, { path: '/piis/psd2/v1/other' })],
    [
      'with X-Request-ID changed',
      'signature',
      () => ({ ...signedByMessageSig(ec, P256), 'X-Request-ID': randomUUID() }),
    ],
    [
      'with other parameters',
      'signature',
      () => {
        const headers = signedByMessageSig(ec, P256);
        return { ...headers, 'Signature-Input': `${headers['Signature-Input']};nonce="x"` };
      },
    ],
    [
      'without the digest',
      'coverage',
      () => signedByMessageSig(ec, P256, { components: ['@method', '@target-uri', 'x-request-id'] }),
    ],
    [
      'without X-Request-ID',
      'coverage',
      () => signedByMessageSig(ec, P256, { components: ['@method', '@target-uri', 'content-digest'] }),
    ],
    [
      'without the method',
      'coverage',
      () => signedByMessageSig(ec, P256, { components: ['@target-uri', 'content-digest', 'x-request-id'] }),
    ],
    [
      'without the address',
      'coverage',
      () => signedByMessageSig(ec, P256, { components: ['@method', 'content-digest', 'x-request-id'] }),
    ],
    [
      'without a time',
      'coverage',
      () => signedByMessageSig(ec, P256, { parameters: { keyid: ec.keyId, alg: P256 } }),
    ],
    [
      'from the future',
      'time',
      () => signedByMessageSig(ec, P256, { parameters: { created: now() + 60, keyid: ec.keyId, alg: P256 } }),
    ],
    [
      'that has expired',
      'time',
      () =>
        signedByMessageSig(ec, P256, {
          parameters: { created: now() - 9, expires: now() - 1, keyid: ec.keyId, alg: P256 },
        }),
    ],
    [
      'with the keyid of another',
      'key-id',
      () => signedByMessageSig(ec, P256, { parameters: { created: now(), keyid: rsa.keyId, alg: P256 } }),
    ],
    [
      'with a keyid that is no text',
      'format',
      () => {
        const headers = signedByMessageSig(ec, P256);
        return {
          ...headers,
          'Signature-Input': headers['Signature-Input']?.replace(/keyid="[^"]+"/, 'keyid=7') ?? '',
        };
      },
    ],
    [
      'with parameters of components',
      'format',
      () => {
        const headers = signedByMessageSig(ec, P256);
        const input = headers['Signature-Input']?.replace('"x-request-id"', '"x-request-id";bs') ?? '';
        return { ...headers, 'Signature-Input': input };
      },
    ],
    [
      'with two signatures',
      'format',
      () => {
        const headers = signedByMessageSig(ec, P256);
        const [one, two] = [headers['Signature-Input'] ?? '', headers.Signature ?? ''];
        return {
          ...headers,
          'Signature-Input': `${one}, ${one.replace('sig1', 'sig2')}`,
          Signature: `${two}, ${two.replace('sig1', 'sig2')}`,
        };
      },
    ],
    [
      'with labels that differ',
      'format',
      () => {
        const headers = signedByMessageSig(ec, P256);
        return { ...headers, Signature: headers.Signature?.replace('sig1', 'sig2') ?? '' };
      },
    ],
    ['that is garbage', 'format', () => ({ ...signedByMessageSig(ec, P256), 'Signature-Input': '(((' })],
  ])('%s: by the check "%s"', async (_what, check, headers) => {
    expect(await ask(headers())).toBe(invalid(check));
  });

  it('over a path with a query that it does not cover', async () => {
    const asked = { method: 'GET', path: '/events/psd2/v1?limit=1' };
    const headers = { 'Content-Digest': contentDigest('') };
    const over = (...components: string[]): Promise<string> =>
      ask(signedByMessageSig(ec, P256, { ...asked, headers, components }), asked);
    expect(await over('@method', '@path', 'content-digest', 'x-request-id')).toBe(invalid('coverage'));
    expect(await over('@method', '@path', '@query', 'content-digest', 'x-request-id')).toBe('200');
  });

  it('and so is one of draft-cavage over Content-Digest alone, which the draft does not know', async () => {
    const digests = { 'Content-Digest': contentDigest(body), 'X-Request-ID': randomUUID() };
    const covered = ['(request-target)', '(created)', 'content-digest', 'x-request-id'];
    expect(await ask(signed(ec, { ...funds, headers: digests }, { covered }))).toBe(invalid('coverage'));
  });

  it('with a component twice, or without all of its headers: 400', async () => {
    const headers = signedByMessageSig(ec, P256);
    const input = headers['Signature-Input']?.replace('"@method"', '"@method" "@method"') ?? '';
    expect(await ask({ ...headers, 'Signature-Input': input })).toBe(
      '400 invalid-header FORMAT_ERROR format',
    );
    for (const name of ['Signature', 'Content-Digest', 'TPP-Signature-Certificate']) {
      const { [name]: _left, ...others } = headers;
      expect(await ask(others)).toBe('400 signature-headers-incomplete SIGNATURE_HEADERS_INCOMPLETE');
    }
  });

  it('over a digest that nobody can check: 400', async () => {
    const headers = signedByMessageSig(ec, P256, { headers: { 'Content-Digest': 'md5=:AAAA:' } });
    expect(await ask(headers)).toBe('400 invalid-header FORMAT_ERROR');
  });

  it('without alg, unless the key decides the algorithm', async () => {
    const parameters = (seal: Seal) => ({ created: now(), keyid: seal.keyId });
    expect(await ask(signedByMessageSig(ec, P256, { parameters: parameters(ec) }))).toBe('200');
    expect(await ask(signedByMessageSig(rsa, 'rsa-v1_5-sha256', { parameters: parameters(rsa) }))).toBe(
      invalid('algorithm'),
    );
  });

  it('when the body is another one: 400', async () => {
    const headers = signedByMessageSig(ec, P256);
    expect(await ask(headers, { ...funds, body: `${body} ` })).toBe('400 digest-mismatch DIGEST_MISMATCH');
  });
});
