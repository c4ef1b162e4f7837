/** Signed requests: the three headers go together, and what is signed is what arrives. */
import type { Bank } from '../bank/bank.js';
import { anyConsent } from '../bank/consents.js';
import type { Answer } from '../bank/http.js';
import { confirmFunds, FUNDS, fundsBody, newId, statusPath } from '../bank/operations.js';
import { anotherKey, type Signing, signedHeaders } from '../bank/seal.js';
import { casesOf, document, law, profile } from '../case.js';
import { need } from '../verdict.js';
import { type Asking, asking } from './answered.js';

type Headers = Readonly<Record<string, string | null>>;

/** Changes what was signed. */
type Change = (headers: Headers) => Headers;

const unchanged: Change = (headers) => headers;

const postSigned = async (
  bank: Bank,
  how: Signing = {},
  change = unchanged,
  path = FUNDS,
): Promise<Answer> => {
  const body = JSON.stringify(fundsBody(bank));
  const target = bank.http.urlOf(path).pathname;
  const signed = signedHeaders(bank.seal(), { method: 'POST', target, requestId: newId(), body }, how);
  return confirmFunds(bank, body, change(signed));
};

const getSigned = async (bank: Bank): Promise<Answer> => {
  const path = statusPath(await anyConsent(bank, 'AccountAccess'));
  const target = bank.http.urlOf(path).pathname;
  const headers = signedHeaders(bank.seal(), { method: 'GET', target, requestId: newId(), body: '' });
  return bank.call({ path, headers });
};

const COUPLED = document('Authentication 3');
const MESSAGE = law('RTS 2018/389 Art. 35(1): integrity of the exchanged data');

/** What is refused says something only if a good signature is accepted. */
const afterGood = ([name, title, clause, ask, ...allowed]: Asking): Asking => [
  name,
  title,
  clause,
  async (bank) => {
    const { status } = await bank.once('a signed request', () => postSigned(bank));
    need(status === 200, `a good signature is answered ${status}`);
    return ask(bank);
  },
  ...allowed,
];

const accepted: readonly Asking[] = [
  ['post', 'a signed question is answered', COUPLED, (bank) => postSigned(bank), 200],
  ['get', 'a signed read is answered', COUPLED, getSigned, 200],
  [
    'sha512',
    'a digest by SHA-512 is accepted',
    profile('Authentication, Signatures'),
    (bank) => postSigned(bank, { hash: 'sha512' }),
    200,
  ],
];

const without =
  (...names: readonly string[]): Change =>
  (headers) => ({ ...headers, ...Object.fromEntries(names.map((name) => [name, null])) });

const flipped = (text: string): string => {
  const at = text.indexOf('signature="') + 20;
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
};

const refused: readonly Asking[] = [
  [
    'digest-alone',
    'a Digest without Signature is refused',
    COUPLED,
    (bank) => postSigned(bank, {}, without('Signature', 'TPP-Signature-Certificate')),
    400,
  ],
  [
    'digest-missing',
    'a Signature without Digest is refused',
    COUPLED,
    (bank) => postSigned(bank, {}, without('Digest')),
    400,
  ],
  [
    'certificate-missing',
    'a Signature without its certificate is refused',
    COUPLED,
    (bank) => postSigned(bank, {}, without('TPP-Signature-Certificate')),
    400,
  ],
  [
    'digest-wrong',
    'a digest of another body is refused',
    MESSAGE,
    (bank) =>
      postSigned(bank, {}, (headers) => ({
        ...headers,
        Digest: `SHA-256=${Buffer.alloc(32).toString('base64')}`,
      })),
    400,
    401,
  ],
  [
    'altered',
    'a signature of which one character is another is refused',
    MESSAGE,
    (bank) =>
      postSigned(bank, {}, (headers) => ({ ...headers, Signature: flipped(String(headers.Signature)) })),
    401,
  ],
  [
    'id-changed',
    'a signature over another request id is refused',
    MESSAGE,
    (bank) => postSigned(bank, {}, (headers) => ({ ...headers, 'X-Request-ID': newId() })),
    401,
  ],
  [
    'path-changed',
    'a signature over another address is refused',
    MESSAGE,
    (bank) => postSigned(bank, {}, unchanged, statusPath(newId())),
    401,
  ],
  [
    'other-key',
    'a signature by another key than that of the certificate is refused',
    MESSAGE,
    (bank) => postSigned(bank, { key: anotherKey() }),
    401,
  ],
  [
    'old',
    'a signature that is an hour old is refused',
    profile('Authentication, Times of a signature'),
    (bank) => postSigned(bank, { ageS: 3600 }),
    400,
    401,
  ],
  [
    'digest-uncovered',
    'a signature that does not cover the digest is refused',
    MESSAGE,
    (bank) => postSigned(bank, { covers: ['(request-target)', '(created)', 'x-request-id'] }),
    400,
    401,
  ],
  [
    'id-uncovered',
    'a signature that does not cover the request id is refused',
    MESSAGE,
    (bank) => postSigned(bank, { covers: ['(request-target)', '(created)', 'digest'] }),
    400,
    401,
  ],
  [
    'certificate-garbage',
    'a certificate that is none is refused',
    MESSAGE,
    (bank) => postSigned(bank, {}, (headers) => ({ ...headers, 'TPP-Signature-Certificate': 'AAAA' })),
    400,
    401,
  ],
];

export const signatureCases = casesOf('signatures', [...accepted, ...refused.map(afterGood)].map(asking));
