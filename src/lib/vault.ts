/**
 * What is secret at rest or must not be forged. Everything derives from TRAPEZA_SECRET, of which several versions may be given,
 * `current,previous`. One rule for all of it: the first version makes, every listed one verifies and opens.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { keyedHash, sha256 } from './hash.js';
import { hashedId } from './id.js';

const TAG_BYTES = 16;

/** What keys are derived for, beside the one that encrypts. */
export const secretPurposes = [
  /** The rows of the audit log are chained with it. */
  'audit-log',
  /** Card numbers of consents are stored under its hash. */
  'card-number',
  /** The nonces of proofs of possession are made from it. */
  'dpop-nonce',
  /** The tokens of forms without a session. */
  'form-token',
  /** Browsers that have logged in before carry its tag. */
  'known-device',
  /** The ids under which applications know accounts are made from it. */
  'pairwise-id',
  /** People and addresses are hashed with it in security events and limits. */
  'security-event',
] as const;
export type SecretPurpose = (typeof secretPurposes)[number];

export interface NamedKey {
  /** The fingerprint of its secret. */
  readonly name: string;
  readonly key: Buffer;
}

const derive = (secret: string, info: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'trapeza', info, 32));

interface Version {
  readonly name: string;
  /** Its name in the first format. */
  readonly firstName: string;
  readonly encryption: Buffer;
  readonly keys: ReadonlyMap<SecretPurpose, NamedKey>;
}

const versionOf = (secret: string): Version => {
  const name = derive(secret, 'version-name').toString('base64url', 0, 6);
  return {
    name,
    firstName: sha256(`version:${secret}`).slice(0, 8),
    encryption: derive(secret, 'encryption'),
    keys: new Map(secretPurposes.map((purpose) => [purpose, { name, key: derive(secret, purpose) }])),
  };
};

const isEqual = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** A UUID for what is named, indistinguishable from a random one without the key. */
export const pairwiseId = (key: Buffer, name: string): string => hashedId(keyedHash(key, name));

/** Sealed under a version that is not listed. */
export class UnlistedSecret extends Error {
  constructor() {
    super('sealed under a TRAPEZA_SECRET that is not configured');
    this.name = 'UnlistedSecret';
  }
}

export class Vault {
  readonly #versions: readonly [Version, ...Version[]];
  readonly #former = new Map<SecretPurpose, readonly NamedKey[]>();

  constructor(secrets: string) {
    const [first = '', ...others] = secrets.split(',');
    this.#versions = [versionOf(first), ...others.map(versionOf)];
  }

  /** By which a secret is recognised without being shown: the current one first. */
  get fingerprints(): readonly [string, ...string[]] {
    const [{ name }, ...others] = this.#versions;
    return [name, ...others.map((each) => each.name)];
  }

  /** `place` says what the text is and where it is stored, such as the key of its row: it cannot be opened in another place. */
  seal(text: string, place: string): string {
    const [{ name, encryption }] = this.#versions;
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', encryption, nonce).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return ['v2', name, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  open(sealed: string, place: string): string {
    const [format, , nonce = '', data = ''] = sealed.split('.');
    const version = this.#versionUsed(sealed);
    if (!version) throw new UnlistedSecret();
    const bytes = Buffer.from(data, 'base64url');
    // The length is demanded, because a shortened tag could be guessed.
    const decipher = createDecipheriv('aes-256-gcm', version.encryption, Buffer.from(nonce, 'base64url'), {
      authTagLength: TAG_BYTES,
    });
    // The first format knew no places. What is in the second cannot be passed off as it: the place is part of the tag.
    if (format !== 'v1') decipher.setAAD(Buffer.from(place));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
  }

  canOpen(sealed: string, place: string): boolean {
    try {
      this.open(sealed, place);
      return true;
    } catch {
      return false;
    }
  }

  /** The fingerprint of the secret it was sealed under; of one that is not listed, the name that the text has for it. */
  sealedUnder(sealed: string): string {
    return this.#versionUsed(sealed)?.name ?? sealed.split('.')[1] ?? '';
  }

  #versionUsed(sealed: string): Version | undefined {
    const [format, name] = sealed.split('.');
    return this.#versions.find((each) => (format === 'v1' ? each.firstName : each.name) === name);
  }

  /** The first one makes, each of them verifies. */
  keys(purpose: SecretPurpose): readonly [NamedKey, ...NamedKey[]] {
    const listed = this.#versions.flatMap(({ keys }) => keys.get(purpose) ?? []);
    const former = this.#former.get(purpose) ?? [];
    const names = new Set(listed.map(({ name }) => name));
    const [first, ...others] = [...listed, ...former.filter(({ name }) => !names.has(name))];
    if (!first) throw new Error(`there is no key for ${purpose}`);
    return [first, ...others];
  }

  /** Keys of secrets that are no longer listed, as the store has kept them: they verify, too. */
  remember(purpose: SecretPurpose, keys: readonly NamedKey[]): void {
    this.#former.set(purpose, keys);
  }

  /** The keyed hash of a text. */
  mark(purpose: SecretPurpose, text: string): string {
    return keyedHash(this.keys(purpose)[0].key, text);
  }

  /** Under every key that verifies, the current one first. */
  marks(purpose: SecretPurpose, text: string): readonly [string, ...string[]] {
    const [first, ...others] = this.keys(purpose);
    return [keyedHash(first.key, text), ...others.map(({ key }) => keyedHash(key, text))];
  }

  isMark(purpose: SecretPurpose, text: string, mark: string): boolean {
    return this.marks(purpose, text).some((each) => isEqual(each, mark));
  }
}
