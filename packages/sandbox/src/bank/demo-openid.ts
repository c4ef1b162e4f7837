/**
 * The demo bank's OpenID provider, at which some demo people can confirm. Browsers see its login page; what programs ask a provider is
 * answered within this process. A code is a row beside the other challenges, so any node can redeem it, once.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import {
  type Challenge,
  CONFIRMED,
  type CodeOutcome,
  OpenIdLogin,
  OpenIdStepUp,
  type ScaContext,
  type StepUpFault,
} from 'trapeza/bank';
import { type Clock, type Db, MINUTE, newSecret, type PsuId, SECOND, sha256, type Vault } from 'trapeza/base';
import { demoPsus } from './people.js';

export const BANK_LOGIN = '/sandbox/bank-login';
const CLIENT = 'trapeza';
const STRONG = 'urn:demo-bank:two-factors';
const CODE_LIVES_MS = MINUTE;

const INSERT_CODE = `
  insert into demo_challenges (id, psu_id, context_hash, code_hash, attempts, expires_at) values (?, ?, ?, ?, 0, ?)`;
const REDEEM_CODE = `
  update demo_challenges set used_at = ? where id = ? and code_hash = ? and used_at is null and expires_at > ?
  returning psu_id as "psuId", context_hash as nonce, expires_at as "expiresAt"`;

const people: ReadonlyMap<string, string> = new Map(
  demoPsus
    .filter(({ username }) => username === 'dimitris' || username === 'katerina')
    .map(({ id, name }) => [id, name]),
);

/** An authorization request that fits: who shall confirm what, and how the browser goes back. */
export interface AskedOfProvider {
  readonly psuId: PsuId;
  readonly name: string;
  readonly payment: ScaContext['payment'];
  readonly query: URLSearchParams;
}

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly site: { readonly baseUrl: string };
  readonly onRefused: (fault: StepUpFault, psuId: PsuId) => void;
}

const paymentIn = (details: string | null): ScaContext['payment'] => {
  try {
    const [{ amount, payee, account }] = JSON.parse(details ?? '') as [Record<string, unknown>];
    if (typeof amount !== 'string' || typeof payee !== 'string' || typeof account !== 'string')
      return undefined;
    return { amount, payee, account };
  } catch {
    return undefined;
  }
};

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

export class DemoOpenId {
  readonly #parts: Parts;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #stepUp: OpenIdStepUp | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get #issuer(): string {
    return `${this.#parts.site.baseUrl}/sandbox/openid`;
  }

  get #callback(): string {
    return `${this.#parts.site.baseUrl}${CONFIRMED}`;
  }

  isOffered(psuId: PsuId): boolean {
    return people.has(psuId);
  }

  challenge(psuId: PsuId, context: ScaContext): Promise<Challenge> {
    return this.#client().challenge(psuId, context);
  }

  verify(psuId: PsuId, id: string, context: ScaContext, query: string): Promise<CodeOutcome> {
    return this.#client().verify(psuId, id, context, query);
  }

  /** Only now: the address is known once the service listens. */
  #client(): OpenIdStepUp {
    if (this.#stepUp) return this.#stepUp;
    const { vault, clock, onRefused } = this.#parts;
    const settings = { issuer: this.#issuer, clientId: CLIENT, clientSecret: newSecret() };
    const login = new OpenIdLogin({ ...settings, fetch: this.#answer }, vault, clock);
    const ways = { provider: () => login.provider(), callback: () => this.#callback };
    this.#stepUp = new OpenIdStepUp({ ...ways, acrValues: [STRONG], vault, clock, onRefused });
    return this.#stepUp;
  }

  /** Undefined if the request is not one of this service. */
  asked(query: URLSearchParams): AskedOfProvider | undefined {
    const psuId = query.get('login_hint') ?? '';
    const name = people.get(psuId);
    const isOurs = query.get('client_id') === CLIENT && query.get('redirect_uri') === this.#callback;
    if (name === undefined || !isOurs) return undefined;
    return { psuId, name, payment: paymentIn(query.get('authorization_details')), query };
  }

  async confirm({ psuId, query }: AskedOfProvider): Promise<string> {
    const { db, clock } = this.#parts;
    const code = newSecret();
    const proof = query.get('code_challenge') ?? '';
    const expiresAt = clock.now() + CODE_LIVES_MS;
    await db.run(INSERT_CODE, [sha256(code), psuId, query.get('nonce') ?? '', proof, expiresAt]);
    return this.#back(query, { code });
  }

  refuse({ query }: AskedOfProvider): string {
    return this.#back(query, { error: 'access_denied' });
  }

  #back(query: URLSearchParams, answer: Readonly<Record<string, string>>): string {
    const given = { ...answer, state: query.get('state') ?? '', iss: this.#issuer };
    return `${this.#callback}?${new URLSearchParams(given)}`;
  }

  readonly #answer = async (url: string, { body }: { readonly body?: unknown }): Promise<Response> => {
    const { pathname } = new URL(url);
    if (pathname.endsWith('/openid-configuration')) return Response.json(this.#metadata());
    if (pathname.endsWith('/jwks'))
      return Response.json({ keys: [this.#keys.publicKey.export({ format: 'jwk' })] });
    const tokens = await this.#redeem(new URLSearchParams(String(body)));
    return tokens ? Response.json(tokens) : Response.json({ error: 'invalid_grant' }, { status: 400 });
  };

  #metadata() {
    return {
      issuer: this.#issuer,
      authorization_endpoint: `${this.#parts.site.baseUrl}${BANK_LOGIN}`,
      token_endpoint: `${this.#issuer}/token`,
      jwks_uri: `${this.#issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  async #redeem(form: URLSearchParams): Promise<object | undefined> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    const verifier = form.get('code_verifier') ?? '';
    const proof = createHash('sha256').update(verifier).digest('base64url');
    const row = await db.one<{ psuId: string; nonce: string; expiresAt: number }>(REDEEM_CODE, [
      now,
      sha256(form.get('code') ?? ''),
      proof,
      now,
    ]);
    return row && { access_token: newSecret(), token_type: 'bearer', id_token: this.#token(row, now) };
  }

  #token({ psuId, nonce, expiresAt }: { psuId: string; nonce: string; expiresAt: number }, now: number) {
    const seconds = (ms: number): number => Math.floor(ms / SECOND);
    const claims = {
      iss: this.#issuer,
      sub: psuId,
      aud: CLIENT,
      nonce,
      acr: STRONG,
      auth_time: seconds(expiresAt - CODE_LIVES_MS),
      iat: seconds(now),
      exp: seconds(now + CODE_LIVES_MS),
    };
    const signed = `${encoded({ alg: 'ES256', typ: 'JWT' })}.${encoded(claims)}`;
    const key = { key: this.#keys.privateKey, dsaEncoding: 'ieee-p1363' as const };
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  }
}
