/** A passkey device in software, which signs whatever a test wants to forge. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

interface Request {
  readonly challenge: string;
  readonly rpId?: string | undefined;
  readonly rp?: { readonly id?: string | undefined };
}

export interface Forgery {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  readonly isPresent?: boolean;
  readonly isVerified?: boolean;
  /** Where the counter stands after this one. */
  readonly counter?: number;
  readonly key?: KeyObject;
  readonly id?: string;
}

const hash = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

export const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

export class Authenticator {
  readonly id = randomBytes(16).toString('base64url');
  readonly #origin: string;
  readonly #key = newKey();
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  #clientData(type: string, { challenge }: Request, forged: Forgery): Buffer {
    const { origin = this.#origin, crossOrigin = false } = forged;
    const said = { type: forged.type ?? type, challenge: forged.challenge ?? challenge, origin, crossOrigin };
    return Buffer.from(JSON.stringify(said));
  }

  #data({ rpId, rp }: Request, forged: Forgery, flags = 0): Buffer {
    this.#counter = forged.counter ?? this.#counter + 1;
    const { isPresent = true, isVerified = true } = forged;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    const all = flags | (isPresent ? PRESENT : 0) | (isVerified ? VERIFIED : 0);
    return Buffer.concat([hash(forged.rpId ?? rpId ?? rp?.id ?? ''), Buffer.from([all]), counter]);
  }

  /** As `navigator.credentials.create`. */
  create(request: Request, forged: Forgery = {}): string {
    const { x = '', y = '' } = this.#key.export({ format: 'jwk' });
    const cose = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]);
    const id = Buffer.from(this.id, 'base64url');
    const authData = Buffer.concat([
      this.#data(request, forged, HAS_KEY),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      Buffer.from(isoCBOR.encode(cose)),
    ]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', request, forged).toString('base64url'),
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
      transports: ['internal'],
    });
  }

  /** As `navigator.credentials.get`. */
  get(request: Request, forged: Forgery = {}): string {
    const clientData = this.#clientData('webauthn.get', request, forged);
    const authData = this.#data(request, forged);
    const signature = sign('sha256', Buffer.concat([authData, hash(clientData)]), forged.key ?? this.#key);
    return this.#answer(
      {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
      },
      forged.id,
    );
  }

  #answer(response: object, id = this.id): string {
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
  }
}
