/** Hashes. Secrets at rest are SHA-256 (they are random, so no salt is needed); card numbers are keyed, because they are not. */
import { createHmac, hash } from 'node:crypto';

export const sha256 = (data: string | Buffer, encoding: 'base64url' | 'hex' = 'base64url'): string =>
  hash('sha256', data, encoding);

export const keyedHash = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');
