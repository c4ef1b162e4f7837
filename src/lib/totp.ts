/** One-time codes by time (RFC 6238): SHA-1, six digits, thirty seconds, as every authenticator app has them. */
import { createHmac, randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;
const DIGITS = 6;
/** Codes before and after the present one that are accepted too, for clocks that differ. */
const DRIFT = 1;

/** 160 bits in base 32, as it is typed into an app. */
export const newTotpSecret = (): string =>
  [...randomBytes(32)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');

const bytesOf = (secret: string): Buffer => {
  let bits = '';
  for (const letter of secret) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, '0');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

const codeOf = (secret: string, counter: number): string => {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const digest = createHmac('sha1', bytesOf(secret)).update(message).digest();
  const offset = (digest.at(-1) ?? 0) % 16;
  const number = digest.readUInt32BE(offset) % 2 ** 31;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
};

const counterAt = (now: number): number => Math.floor(now / STEP_MS);

export const totpCode = (secret: string, now: number): string => codeOf(secret, counterAt(now));

/** Which code it is, if it is newer than the last one that was used; undefined if it is wrong or was used. */
export const totpCounter = (secret: string, code: string, now: number, last: number): number | undefined => {
  const typed = code.replaceAll(/\s/g, '');
  for (let counter = counterAt(now) - DRIFT; counter <= counterAt(now) + DRIFT; counter += 1)
    if (counter > last && codeOf(secret, counter) === typed) return counter;
  return undefined;
};
