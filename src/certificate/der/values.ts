/** The values of primitive DER types, each in its one allowed spelling. */
import { type Der, DerFault, expectTag, TAG } from './read.js';

export const booleanOf = (der: Der): boolean => {
  const { content } = expectTag(der, TAG.boolean);
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) throw new DerFault('bad boolean');
  return content[0] === 0xff;
};

/** Of an INTEGER, or of something that is tagged as one implicitly. */
export const integerOf = ({ content }: Der): bigint => {
  const [first, second = 0] = content;
  if (first === undefined) throw new DerFault('bad integer');
  if (content.length > 1 && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80)))
    throw new DerFault('integer not minimal');
  return BigInt.asIntN(content.length * 8, BigInt(`0x${content.toString('hex')}`));
};

/** A count such as a path length: small and not negative. */
export const countOf = (der: Der): number => {
  const value = integerOf(der);
  if (value < 0n || value > 1_000_000n) throw new DerFault('number out of range');
  return Number(value);
};

export const oidOf = (der: Der): string => {
  const { content } = expectTag(der, TAG.oid);
  if (content.length === 0 || content.length > 64 || (content.at(-1) ?? 0x80) >= 0x80)
    throw new DerFault('bad object identifier');
  const arcs: bigint[] = [];
  let value = 0n;
  let isFirst = true;
  for (const byte of content) {
    if (isFirst && byte === 0x80) throw new DerFault('object identifier not minimal');
    value = (value << 7n) | BigInt(byte & 0x7f);
    isFirst = byte < 0x80;
    if (!isFirst) continue;
    arcs.push(value);
    value = 0n;
  }
  const [head = 0n, ...rest] = arcs;
  const top = head < 40n ? 0n : head < 80n ? 1n : 2n;
  return [top, head - top * 40n, ...rest].join('.');
};

/** The bits in their order; unused ones at the end must be zero. */
export const bitsOf = ({ content }: Der): { readonly bytes: Buffer; has(bit: number): boolean } => {
  const [unused = 8] = content;
  const bytes = content.subarray(1);
  const last = bytes.at(-1) ?? 0;
  if (unused > 7 || (bytes.length === 0 && unused > 0) || (last & (2 ** unused - 1)) !== 0)
    throw new DerFault('bad bit string');
  return { bytes, has: (bit) => (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1 };
};

/** A bit string that holds bytes, as signatures are. */
export const bitBytesOf = (der: Der): Buffer => {
  const { content } = expectTag(der, TAG.bits);
  if (content[0] !== 0) throw new DerFault('bad bit string');
  return content.subarray(1);
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]*$/;

/** Without control characters, which have no business in an address. */
export const ia5Of = ({ content }: Der): string => {
  if (!content.every((byte) => byte >= 0x20 && byte < 0x7f)) throw new DerFault('bad text');
  return content.toString('latin1');
};

const bmpOf = (content: Buffer): string => {
  if (content.length % 2 !== 0) throw new DerFault('bad text');
  return new TextDecoder('utf-16be', { fatal: true }).decode(content);
};

const decoded = ({ tag, content }: Der): string => {
  switch (tag) {
    case TAG.utf8:
      return utf8.decode(content);
    case TAG.printable:
    case TAG.ia5:
    case TAG.teletex:
      return content.toString('latin1');
    case TAG.bmp:
      return bmpOf(content);
    default:
      throw new DerFault('not a text');
  }
};

export const derText = (der: Der): string => {
  const text = decoded(der);
  // A zero in a name has made one party read less of it than another before.
  if (text.includes('\0') || (der.tag === TAG.printable && !PRINTABLE.test(text)))
    throw new DerFault('bad text');
  return text;
};

const TIMES: Readonly<Record<number, RegExp>> = {
  [TAG.utcTime]: /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/,
  [TAG.generalizedTime]: /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/,
};

/** In milliseconds. Two digits of a year below 50 are of this century (RFC 5280, 4.1.2.5.1). */
export const timeOf = ({ tag, content }: Der): number => {
  const match = TIMES[tag]?.exec(content.toString('latin1'));
  if (!match) throw new DerFault('bad time');
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  const full = tag === TAG.generalizedTime ? year : year + (year < 50 ? 2000 : 1900);
  const date = new Date(Date.UTC(full, month - 1, day, hour, minute, second));
  if (full < 1000 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hour > 23)
    throw new DerFault('bad time');
  if (minute > 59 || second > 59) throw new DerFault('bad time');
  return date.getTime();
};
