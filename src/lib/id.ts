/** Identifiers: random ones for real records, derived ones for the demo bank, and the shapes that requests may use. */

import { createHash, randomBytes, randomUUID } from 'node:crypto';

export const newId = (): string => randomUUID();

/**
 * A UUID that begins with its time (version 7): rows that are only ever added stay side by side in their index; random ids would
 * each dirty a page of their own. For records that are not read by id.
 */
export const newOrderedId = (ms: number): string => {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
};

/** `bytes` random bytes in URL-safe text; 32 of them make a secret. */
export const newSecret = (bytes = 32): string => randomBytes(bytes).toString('base64url');

const hashAsUuid = (name: string, version: 4 | 8): string => {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | (version << 4), 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

/** A UUID that depends on its name alone, version 4: demo data is the same on every machine. */
export const derivedId = (name: string): string => hashAsUuid(`trapeza-demo:${name}`, 4);

/** A UUID that depends on its name alone, for real records (version 8, RFC 9562). */
export const hashedId = (name: string): string => hashAsUuid(name, 8);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => text.length === 36 && UUID.test(text);
