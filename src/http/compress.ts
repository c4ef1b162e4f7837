/** Compressed answers, as Accept-Encoding allows them. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { LruCache } from '../lib/lru-cache.js';
import type { Eventual } from '../lib/turn.js';
import type { Reply } from './operation.js';

/** Smaller bodies gain nothing from compression. */
const COMPRESS_FROM = 1400;

/** The type declarations are of a version before this option. */
interface Preferring {
  encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): string[];
}

/** What the caller prefers of these; undefined for the plain bytes. */
export const codingFor = <Coding extends string>(
  acceptEncoding: string | undefined,
  size: number,
  codings: readonly Coding[],
): Coding | undefined => {
  if (acceptEncoding === undefined || size < COMPRESS_FROM) return undefined;
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } }) as Negotiator &
    Preferring;
  // Browsers like all of theirs alike: ours decide then.
  const [best] = negotiator.encodings([...codings, 'identity'], { preferred: codings });
  return codings.find((coding) => coding === best);
};

export const variesByEncoding = { Vary: 'Accept-Encoding' } as const;

const zip = promisify(gzip);

/** Waits only if there is something to compress, and then on a thread of its own. */
export const compressed = (
  { status, body, bytes, headers }: Reply,
  acceptEncoding: string | undefined,
  write: (body: unknown) => string,
): Eventual<Reply> => {
  const varied = { ...headers, ...variesByEncoding };
  if (body === undefined || acceptEncoding === undefined)
    return { status, body, ...(bytes ? { bytes } : {}), headers: varied };
  const text = write(body);
  const coding = codingFor(acceptEncoding, text.length, ['gzip']);
  if (!coding) return { status, bytes: Buffer.from(text), headers: varied };
  return zip(text).then((zipped) => ({
    status,
    bytes: zipped,
    headers: { ...varied, 'Content-Encoding': coding },
  }));
};

const brotli = promisify(brotliCompress);
const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
const zips = {
  br: (body: string | Buffer) => brotli(body, { params }),
  gzip: (body: string | Buffer) => zip(body),
};

export interface Copy {
  readonly coding: keyof typeof zips;
  readonly bytes: Promise<Buffer>;
}

/** Compressed copies of public bodies, each made once; `hash` stands for the body. */
export const createCopies = () => {
  const made = new LruCache<Promise<Buffer>>(256);
  return (body: string | Buffer, hash: string, acceptEncoding: string | undefined): Copy | undefined => {
    const coding = codingFor(acceptEncoding, body.length, ['br', 'gzip']);
    if (!coding) return undefined;
    const key = `${coding} ${hash}`;
    const bytes = made.get(key) ?? zips[coding](body);
    made.set(key, bytes);
    return { coding, bytes };
  };
};
