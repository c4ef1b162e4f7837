/** Passwords and passphrases are kept as scrypt makes them. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const COST = { N: 16_384, r: 8, p: 1 } as const;

export const derivedKey = (passphrase: string, salt: string): Promise<string> =>
  new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, 32, COST, (error, key) =>
      error ? reject(error) : resolve(key.toString('base64url')),
    );
  });

export const isEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** With a salt of its own. */
export const hashPassphrase = async (passphrase: string): Promise<string> => {
  const salt = randomBytes(16).toString('base64url');
  return `${salt}.${await derivedKey(passphrase, salt)}`;
};

/** Takes as long without a hash, for an unknown name. */
export const isPassphrase = async (passphrase: string, hash = '.'): Promise<boolean> => {
  const [salt = '', key = ''] = hash.split('.');
  return isEqual(await derivedKey(passphrase, salt), key);
};
