/** Writes DER: for the test PKI, and for the questions to OCSP responders. */
import { plain, TAG, wrapped } from './read.js';

const lengthOf = (size: number): Buffer => {
  if (size < 0x80) return Buffer.from([size]);
  const hex = size.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
};

export const tagged = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
};

export const sequence = (...parts: readonly Buffer[]): Buffer => tagged(TAG.sequence, ...parts);

/** The order of a SET OF is that of its bytes. */
export const set = (...parts: readonly Buffer[]): Buffer =>
  tagged(TAG.set, ...parts.toSorted(Buffer.compare));

/** `[number]` around others. */
export const wrap = (number: number, ...parts: readonly Buffer[]): Buffer =>
  tagged(wrapped(number), ...parts);

/** `[number]` in place of the tag of a primitive value. */
export const implicit = (number: number, content: Buffer): Buffer => tagged(plain(number), content);

export const boolean = (value: boolean): Buffer => tagged(TAG.boolean, Buffer.from([value ? 0xff : 0]));

/** Not negative: serial numbers, versions, counts. */
export const integer = (value: bigint | number): Buffer => {
  const hex = BigInt(value).toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const isHigh = (bytes[0] ?? 0) >= 0x80;
  return tagged(TAG.integer, ...(isHigh ? [Buffer.from([0])] : []), bytes);
};

export const enumerated = (value: number): Buffer => tagged(TAG.enumerated, Buffer.from([value]));
export const octets = (bytes: Buffer): Buffer => tagged(TAG.octets, bytes);
export const nothing = (): Buffer => tagged(TAG.null);
export const bits = (bytes: Buffer, unused = 0): Buffer => tagged(TAG.bits, Buffer.from([unused]), bytes);
export const utf8 = (text: string): Buffer => tagged(TAG.utf8, Buffer.from(text, 'utf8'));
export const printable = (text: string): Buffer => tagged(TAG.printable, Buffer.from(text, 'latin1'));

/** Named bits: trailing zeros are left out, as DER demands. */
export const namedBits = (set: readonly number[]): Buffer => {
  const size = Math.max(-1, ...set) + 1;
  const bytes = Buffer.alloc(Math.ceil(size / 8));
  for (const bit of set) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return bits(bytes, bytes.length * 8 - size);
};

const base128 = (value: bigint): number[] => {
  const digits = [Number(value & 0x7fn)];
  for (let rest = value >> 7n; rest > 0n; rest >>= 7n) digits.unshift(Number(rest & 0x7fn) | 0x80);
  return digits;
};

export const oid = (dotted: string): Buffer => {
  const [first = 0n, second = 0n, ...rest] = dotted.split('.').map(BigInt);
  return tagged(TAG.oid, Buffer.from([first * 40n + second, ...rest].flatMap(base128)));
};

/** In whole seconds; from 2050 on as GeneralizedTime (RFC 5280). */
const timeText = (ms: number): string =>
  new Date(ms)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '');

export const generalizedTime = (ms: number): Buffer => tagged(TAG.generalizedTime, Buffer.from(timeText(ms)));

export const time = (ms: number): Buffer =>
  ms < Date.UTC(2050, 0) ? tagged(TAG.utcTime, Buffer.from(timeText(ms).slice(2))) : generalizedTime(ms);
