/** The hashes of a body that a request names: `Digest` (RFC 3230), and `Content-Digest` (RFC 9530) beside an RFC 9421 signature. */
import { hash as hashOf, timingSafeEqual } from 'node:crypto';
import { parseDictionary } from 'structured-headers';

interface Named {
  readonly hash: 'sha256' | 'sha512';
  /** Read only if it is compared. */
  readonly value: () => Buffer;
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
    return hash ? [{ hash, value: () => Buffer.from(part.slice(at + 1).trim(), 'base64') }] : [];
  });

/** Nothing if it is not in order: then it says nothing about the body either. */
const namedInContentDigest = (text: string): Named[] => {
  try {
    return [...parseDictionary(text)].flatMap(([name, [value]]) => {
      const hash = kindOf(name);
      return hash && value instanceof ArrayBuffer ? [{ hash, value: () => Buffer.from(value) }] : [];
    });
  } catch {
    return [];
  }
};

const NAMES_HASH = /(?:^|,)\s*sha-(?:256|512)\s*=/i;

/** The two headers, each with its reader and the form that is accepted. */
const readers = {
  digest: {
    header: 'Digest',
    read: namedInDigest,
    namesHash: (text: string): boolean => NAMES_HASH.test(text),
    form: 'SHA-256=<base64> or SHA-512=<base64>',
  },
  'content-digest': {
    header: 'Content-Digest',
    read: namedInContentDigest,
    namesHash: (text: string): boolean => namedInContentDigest(text).length > 0,
    form: 'sha-256=:<base64>: or sha-512=:<base64>:',
  },
} as const;

export type DigestName = keyof typeof readers;
export const digestNames = Object.keys(readers) as DigestName[];

type Headers = Readonly<Record<string, string | undefined>>;

/** What is wrong with a digest header that was sent but names no known hash: it would tie a signature to no body at all. */
export const digestFault = (headers: Headers, name: DigestName): string | undefined => {
  const text = headers[name];
  const { header, namesHash, form } = readers[name];
  return text !== undefined && !namesHash(text) ? `${header} must have ${form}.` : undefined;
};

export const digestHeader = (name: DigestName): string => readers[name].header;

export const digestOf = (body: Buffer): string => `SHA-256=${hashOf('sha256', body, 'base64')}`;

const isHashOf =
  (body: Buffer) =>
  ({ hash, value }: Named): boolean => {
    const [claimed, actual] = [value(), Buffer.from(hashOf(hash, body, 'base64'), 'base64')];
    return claimed.length === actual.length && timingSafeEqual(claimed, actual);
  };

/** Whether each digest header that was sent names a known hash, and every known hash in it is that of these bytes. */
export const fitsDigest = (headers: Headers, body: Buffer): boolean => {
  // As nearly everybody does, or writes it.
  if (
    headers['content-digest'] === undefined &&
    (headers.digest === undefined || headers.digest === digestOf(body))
  )
    return true;
  return digestNames.every((name) => {
    const text = headers[name];
    if (text === undefined) return true;
    const named = readers[name].read(text);
    return named.length > 0 && named.every(isHashOf(body));
  });
};
