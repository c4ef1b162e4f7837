/** Hashes. Secrets at rest are SHA-256 (they are random, so no salt is needed); card numbers are keyed, because they are not. */
import { createHash, createHmac } from 'node:crypto';

export const sha256 = (data: string | Buffer): string =>
  createHash('sha256').update(data).digest('base64url');

export const keyedHash = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');
