/** A service whose third parties have certificates of the test PKI, and proofs of possession that can be spoilt. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type * as client from 'openid-client';
import { Agent, fetch as undiciFetch } from 'undici';
import { demoApplications } from '../../../packages/sandbox/src/applications.js';
import { keyPem, type Wish } from '../../../packages/sandbox/src/authority/authority.js';
import type { CertificatePlan } from '../../../packages/sandbox/src/authority/build.js';
import { pemOf } from '../../../src/certificate/certificate.js';
import { sha256 } from '../../../src/lib/hash.js';
import { type SecurityWish, setSecurity } from '../../../src/tpp/security.js';
import { ec, World } from '../../certificate/world.js';
import { type Answer, type Identity, slugOf } from '../../support/client.js';
import { FINANCE } from '../../support/operations.js';
import { notice } from '../../support/registry.js';
import type { Service } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';

export const registrationOf = (clientId = FINANCE): string =>
  demoApplications.find((each) => each.clientId === clientId)?.registration ?? '';

export interface Holder extends Identity {
  readonly der: Buffer;
}

/** The test PKI with its files: anchors, and the certificate of the listener. */
export class Pki {
  readonly world: World;
  readonly folder = mkdtempSync(join(tmpdir(), 'trapeza-tls-'));

  private constructor(world: World) {
    this.world = world;
    const anchors = join(this.folder, 'anchors');
    mkdirSync(join(anchors, 'intermediates'), { recursive: true });
    writeFileSync(join(anchors, 'root.pem'), pemOf(world.authority.root));
    this.renewListener();
  }

  static async open(): Promise<Pki> {
    return new Pki(await World.open());
  }

  /** Another certificate for the listener; its serial number. */
  renewListener(): bigint {
    const keys = ec();
    const plan = this.world.plan({ use: 'web', publicKey: keys.publicKey });
    writeFileSync(join(this.folder, 'tls.pem'), pemOf(this.world.build(plan)));
    writeFileSync(join(this.folder, 'tls.key'), keyPem(keys.privateKey));
    return plan.serial;
  }

  /** A key that is not the one of the certificate. */
  breakListener(): void {
    writeFileSync(join(this.folder, 'tls.key'), keyPem(ec().privateKey));
  }

  /** With the issuing certificate behind it, as a client sends it. */
  holder(
    wish: Partial<Wish> = {},
    spoil: (plan: CertificatePlan) => CertificatePlan = (plan) => plan,
    revokedAt?: number,
  ): Holder {
    const keys = ec();
    const plan = this.world.plan({
      use: 'web',
      registration: registrationOf(),
      publicKey: keys.publicKey,
      ...wish,
    });
    const der = this.world.build(spoil(plan), revokedAt);
    return { der, cert: pemOf(der) + pemOf(this.world.authority.issuing), key: keyPem(keys.privateKey) };
  }

  get trustEnv(): Record<string, string> {
    return {
      TRAPEZA_TRUST_ANCHORS: join(this.folder, 'anchors'),
      TRAPEZA_REVOCATION_HOSTS: this.world.host,
    };
  }

  get tlsEnv(): Record<string, string> {
    return {
      ...this.trustEnv,
      TRAPEZA_TLS_CERTIFICATE: join(this.folder, 'tls.pem'),
      TRAPEZA_TLS_KEY: join(this.folder, 'tls.key'),
    };
  }

  async close(): Promise<void> {
    await this.world.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Sets the security of an application as its operator does, and waits until all nodes know it. */
export const secure = async (service: Service, clientId: string, wish: SecurityWish): Promise<void> => {
  await withStore(service, (db) => db.transaction((tx) => setSecurity(tx, clientId, wish)));
  notice(service);
};

export const registerJwks = (service: Service, clientId: string, keys: readonly JWK[]): Promise<number> =>
  withStore(service, (db) =>
    db.run('update applications set jwks = ? where client_id = ?', [JSON.stringify({ keys }), clientId]),
  );

/** openid-client over TLS, with a certificate of its own or without. */
export const fetchAs = (identity?: Identity): client.CustomFetch => {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false, ...identity } });
  return (url, options) =>
    undiciFetch(url, { ...(options as object), dispatcher }) as unknown as Promise<Response>;
};

/** The verdict of an answer: its status, and of a refusal the slug and the code. */
export const told = (answer: Answer): string => {
  if (answer.status < 400) return String(answer.status);
  const { extensions } = answer.json as { extensions: { error: { code: string } } };
  return `${answer.status} ${slugOf(answer)} ${extensions.error.code}`;
};

export interface Wallet {
  readonly pair: CryptoKeyPair;
  readonly jwk: JWK;
  readonly thumbprint: string;
}

export const newWallet = async (algorithm = 'ES256'): Promise<Wallet> => {
  const pair = await generateKeyPair(algorithm, { extractable: true });
  const jwk = await exportJWK(pair.publicKey);
  return { pair, jwk, thumbprint: await calculateJwkThumbprint(jwk) };
};

export interface ProofWish {
  readonly header?: object;
  readonly claims?: object;
  /** Signs in place of the wallet's own key. */
  readonly signer?: CryptoKey;
}

export const proofOf = (
  wallet: Wallet,
  use: { readonly method: string; readonly url: string; readonly token: string; readonly now: number },
  { header = {}, claims = {}, signer }: ProofWish = {},
): Promise<string> =>
  new SignJWT({
    jti: randomUUID(),
    htm: use.method,
    htu: use.url,
    iat: Math.floor(use.now / 1000),
    ath: sha256(use.token),
    ...claims,
  })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: wallet.jwk, ...header })
    .sign(signer ?? wallet.pair.privateKey);
