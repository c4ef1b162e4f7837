/** Passwords and passphrases are kept as scrypt makes them, with the parameters, so that these can grow. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** OWASP's figures for the least memory, 16 MiB: several hashes at once must not take the node's. */
const CURRENT: ScryptCost = { N: 16_384, r: 8, p: 5 };
/** Of hashes without parameters. */
const FORMER: ScryptCost = { N: 16_384, r: 8, p: 1 };
const NAME = 'scrypt';

export const derivedKey = (passphrase: string, salt: string, cost: ScryptCost): Promise<string> =>
  new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, 32, cost, (error, key) =>
      error ? reject(error) : resolve(key.toString('base64url')),
    );
  });

export const isEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

const prefixOf = ({ N, r, p }: ScryptCost): string => [NAME, N, r, p, ''].join('$');

/** With a salt of its own. */
export const hashPassphrase = async (passphrase: string): Promise<string> => {
  const salt = randomBytes(16).toString('base64url');
  return `${prefixOf(CURRENT)}${salt}$${await derivedKey(passphrase, salt, CURRENT)}`;
};

interface Kept {
  readonly cost: ScryptCost;
  readonly salt: string;
  readonly key: string;
}

const keptIn = (hash: string): Kept => {
  const cost = [CURRENT, FORMER].find((each) => hash.startsWith(prefixOf(each)));
  const [salt = '', key = ''] = cost ? hash.slice(prefixOf(cost).length).split('$') : hash.split('.');
  return { cost: cost ?? FORMER, salt, key };
};

/** Takes as long without a hash, for an unknown name. */
export const isPassphrase = async (passphrase: string, hash = prefixOf(CURRENT)): Promise<boolean> => {
  const { cost, salt, key } = keptIn(hash);
  return isEqual(await derivedKey(passphrase, salt, cost), key);
};

/** It was made with other parameters: at the next right login, when the passphrase is known, it is made anew. */
export const isOutdated = (hash: string): boolean => !hash.startsWith(prefixOf(CURRENT));
