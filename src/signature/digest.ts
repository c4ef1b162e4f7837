/** The hashes of a body that a request names: `Digest` (RFC 3230), and `Content-Digest` (RFC 9530) beside an RFC 9421 signature. */
import { hash as hashOf, timingSafeEqual } from 'node:crypto';
import { parseDictionary } from 'structured-headers';

interface Named {
  readonly hash: 'sha256' | 'sha512';
  readonly value: Buffer;
}

const kindOf = (name: string): Named['hash'] | undefined => {
  const plain = name.trim().toLowerCase();
  if (plain === 'sha-256') return 'sha256';
  return plain === 'sha-512' ? 'sha512' : undefined;
};

const namedInDigest = (text: string): Named[] =>
  text.split(',').flatMap((part) => {
    const at = part.indexOf('=');
    const hash = kindOf(part.slice(0, at));
    return hash ? [{ hash, value: Buffer.from(part.slice(at + 1).trim(), 'base64') }] : [];
  });

/** Nothing where it is not in order: then it says nothing about the body either. */
export const namedInContentDigest = (text: string): Named[] => {
  try {
    return [...parseDictionary(text)].flatMap(([name, [value]]) => {
      const hash = kindOf(name);
      return hash && value instanceof ArrayBuffer ? [{ hash, value: Buffer.from(value) }] : [];
    });
  } catch {
    return [];
  }
};

export const digestOf = (body: Buffer): string => `SHA-256=${hashOf('sha256', body, 'base64')}`;

type Headers = Readonly<Record<string, string | undefined>>;

/** Whether every hash that is named is that of these bytes; the ones nobody knows do not count. */
export const fitsDigest = (headers: Headers, body: Buffer): boolean => {
  const { digest, 'content-digest': contentDigest } = headers;
  if (!digest && !contentDigest) return true;
  // As nearly everybody writes it.
  if (!contentDigest && digest === digestOf(body)) return true;
  const named = [
    ...(digest ? namedInDigest(digest) : []),
    ...(contentDigest ? namedInContentDigest(contentDigest) : []),
  ];
  return named.every(({ hash, value }) => {
    const actual = Buffer.from(hashOf(hash, body, 'base64'), 'base64');
    return value.length === actual.length && timingSafeEqual(value, actual);
  });
};
