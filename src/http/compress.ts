/** Compressed answers, as Accept-Encoding allows them. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import type { Eventual } from '../lib/turn.js';
import type { Reply } from './operation.js';

/** Smaller bodies gain nothing from compression. */
const COMPRESS_FROM = 1400;

/** What the caller prefers of these; undefined for the plain bytes. */
export const codingFor = <Coding extends string>(
  acceptEncoding: string | undefined,
  size: number,
  codings: readonly Coding[],
): Coding | undefined => {
  if (acceptEncoding === undefined || size < COMPRESS_FROM) return undefined;
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  const [best] = negotiator.encodings([...codings, 'identity']);
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
