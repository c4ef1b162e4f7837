/**
 * What is secret at rest. Everything derives from TRAPEZA_SECRET: the key that encrypts, and the key that hashes card
 * numbers. Two versions may be given, `current,previous`: the first one writes, both read.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { keyedHash, sha256 } from './hash.js';
import { hashedId } from './id.js';

const TAG_BYTES = 16;

const derive = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'trapeza', purpose, 32));

interface Version {
  readonly name: string;
  /** Its name in the first format. */
  readonly firstName: string;
  readonly encryption: Buffer;
  readonly cards: Buffer;
  readonly nonces: Buffer;
  readonly events: Buffer;
  readonly forms: Buffer;
  readonly pairwise: Buffer;
  readonly devices: Buffer;
  readonly audit: Buffer;
}

export interface AuditKey {
  /** The fingerprint of its secret. */
  readonly name: string;
  readonly key: Buffer;
}

export class Vault {
  readonly #versions: readonly [Version, ...Version[]];

  constructor(secrets: string) {
    const versionOf = (secret: string): Version => ({
      name: derive(secret, 'version-name').toString('base64url', 0, 6),
      firstName: sha256(`version:${secret}`).slice(0, 8),
      encryption: derive(secret, 'encryption'),
      cards: derive(secret, 'card-number'),
      nonces: derive(secret, 'dpop-nonce'),
      events: derive(secret, 'security-event'),
      forms: derive(secret, 'form-token'),
      pairwise: derive(secret, 'pairwise-id'),
      devices: derive(secret, 'known-device'),
      audit: derive(secret, 'audit-log'),
    });
    const [first = '', ...others] = secrets.split(',');
    this.#versions = [versionOf(first), ...others.map(versionOf)];
  }

  /** By which a secret is recognised without being shown: the current one first. */
  get fingerprints(): readonly string[] {
    return this.#versions.map(({ name }) => name);
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
    const [format, name, nonce = '', data = ''] = sealed.split('.');
    // The first format knew no places. What is in the second cannot be passed off as it: the place is part of the tag.
    const isFirst = format === 'v1';
    const version = this.#versions.find((each) => (isFirst ? each.firstName : each.name) === name);
    if (!version) throw new Error('sealed under a TRAPEZA_SECRET that is not configured');
    const bytes = Buffer.from(data, 'base64url');
    // The length is demanded, because a shortened tag could be guessed.
    const decipher = createDecipheriv('aes-256-gcm', version.encryption, Buffer.from(nonce, 'base64url'), {
      authTagLength: TAG_BYTES,
    });
    if (!isFirst) decipher.setAAD(Buffer.from(place));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
  }

  /** What the nonces of proofs of possession are made from; equal on all nodes. */
  get nonceKey(): Buffer {
    return this.#versions[0].nonces;
  }

  /** What people and addresses are hashed with in security events and limits; equal on all nodes. */
  get eventKey(): Buffer {
    return this.#versions[0].events;
  }

  /** The token of a form that was made for the browser with this cookie. */
  formToken(cookie: string): string {
    return keyedHash(this.#versions[0].forms, cookie);
  }

  /** What a browser that has logged in may carry: the current tag, and those from before changes of the secret. */
  deviceTags(text: string): readonly string[] {
    return this.#versions.map(({ devices }) => keyedHash(devices, text));
  }

  /** What the rows of the audit log are chained with: the current key first. */
  get auditKeys(): readonly [AuditKey, ...AuditKey[]] {
    const keyOf = ({ name, audit }: Version): AuditKey => ({ name, key: audit });
    const [first, ...others] = this.#versions;
    return [keyOf(first), ...others.map(keyOf)];
  }

  /** A UUID for what is named, indistinguishable from a random one without the secret. */
  pairwiseId(name: string): string {
    return hashedId(keyedHash(this.#versions[0].pairwise, name));
  }

  /** The hash a new card number is stored under. */
  cardHash(cardNumber: string): string {
    return keyedHash(this.#versions[0].cards, cardNumber);
  }

  /** The hashes a card number may be stored under: the current one and the one before the last change of the secret. */
  cardHashes(cardNumber: string): readonly [string, string] {
    const previous = this.#versions[1] ?? this.#versions[0];
    return [this.cardHash(cardNumber), keyedHash(previous.cards, cardNumber)];
  }
}
