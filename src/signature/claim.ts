/** What a signature claims, whichever of the two schemes wrote it down, and the request that it claims it of. */

/** A request as its signer sees it. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  /** By lower-case name, one character for each byte. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export type Scheme = 'cavage' | 'rfc9421';

export interface Claim {
  readonly scheme: Scheme;
  readonly keyId: string | undefined;
  /** Undefined if the kind of the key is to decide it, which RFC 9421 allows. */
  readonly algorithm: string | undefined;
  /** The names of what is signed, in their order. */
  readonly covered: readonly string[];
  /** Seconds. */
  readonly created: number | undefined;
  readonly expires: number | undefined;
  /** In base64. */
  readonly signature: string;
  /** What the signer must have signed; throws a fault where something that is listed is not there. */
  signingString(): string;
}

/** A claim that cannot hold. The message is for the sender and has nothing of what it sent. */
export class SignatureFault extends Error {
  /** What exactly, for the dry run of the sandbox, where developers see their own request. */
  readonly more: string | undefined;
  /** The header with the wrong format, if that is the fault (400 instead of 401). */
  readonly header: string | undefined;

  constructor(message: string, { more, header }: { more?: string; header?: string } = {}) {
    super(message);
    this.name = 'SignatureFault';
    this.more = more;
    this.header = header;
  }
}

export const MAX_FIELD = 4096;
export const MAX_COVERED = 40;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export const isBase64 = (text: string): boolean => text.length % 4 === 0 && BASE64.test(text);

/** A header that was sent; names such as `constructor` are none. */
export const headerOf = ({ headers }: SignedRequest, name: string): string | undefined => {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return typeof value === 'string' ? value : undefined;
};

export const checkNames = (names: readonly string[]): void => {
  if (names.length > MAX_COVERED) throw new SignatureFault(`More than ${MAX_COVERED} headers are signed.`);
  if (new Set(names).size === names.length) return;
  throw new SignatureFault('The list of signed headers names one of them twice.', {
    header: 'Signature',
  });
};

export const absent = (name: string): SignatureFault =>
  new SignatureFault('The list of signed headers names one that is not in the request.', { more: name });
