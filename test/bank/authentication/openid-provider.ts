/** A bank's OpenID provider of a few lines. It signs whatever claims a test wants to forge. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

type Claims = Readonly<Record<string, unknown>>;

/** What the person does there, and what the provider makes of it. */
export interface Visit {
  readonly sub?: string;
  /** In the place of the right ones; undefined leaves a claim out. */
  readonly claims?: Claims;
  readonly details?: readonly object[];
}

interface Issued extends Visit {
  readonly asked: URLSearchParams;
}

export class OpenIdProvider {
  readonly codes = new Map<string, Issued>();
  readonly #server: Server;
  #keys: Awaited<ReturnType<typeof generateKeyPair>> | undefined;
  /** In the place of tokens. */
  tokenStatus = 200;
  /** What authorization requests are answered with in a browser; a test's own page. */
  visit: Visit = {};

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const url = new URL(request.url ?? '', this.issuer);
        if (url.pathname === '/authorize') {
          response.writeHead(302, { Location: this.answer(url, this.visit).href }).end();
          return;
        }
        const form = new URLSearchParams(Buffer.concat(chunks).toString());
        void this.#answer(url, form).then(([status, body]) =>
          response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
        );
      });
    });
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async up(): Promise<void> {
    this.#keys = await generateKeyPair('RS256');
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async down(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The address with which the browser comes back after this visit. */
  answer(location: URL, visit: Visit = {}): URL {
    const asked = location.searchParams;
    const code = `code-${this.codes.size}`;
    this.codes.set(code, { ...visit, asked });
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.search = new URLSearchParams({ code, state: asked.get('state') ?? '', iss: this.issuer }).toString();
    return back;
  }

  async #answer({ pathname }: URL, form: URLSearchParams): Promise<readonly [number, object]> {
    if (pathname.endsWith('/openid-configuration'))
      return [
        200,
        {
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          jwks_uri: `${this.issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          authorization_response_iss_parameter_supported: true,
        },
      ];
    if (pathname === '/jwks')
      return [200, { keys: [this.#keys ? await exportJWK(this.#keys.publicKey) : {}] }];
    if (this.tokenStatus !== 200) return [this.tokenStatus, { error: 'server_error' }];
    const issued = this.codes.get(form.get('code') ?? '');
    this.codes.delete(form.get('code') ?? '');
    return issued ? [200, await this.#tokens(issued)] : [400, { error: 'invalid_grant' }];
  }

  async #tokens({ asked, sub = asked.get('login_hint') ?? '', claims, details }: Issued): Promise<object> {
    const now = Math.floor(Date.now() / 1000);
    const [acr] = (asked.get('acr_values') ?? '').split(' ');
    const all = {
      iss: this.issuer,
      sub,
      aud: asked.get('client_id') ?? '',
      iat: now,
      exp: now + 60,
      auth_time: now,
      nonce: asked.get('nonce') ?? '',
      acr,
      ...claims,
    };
    const idToken = await new SignJWT(all)
      .setProtectedHeader({ alg: 'RS256' })
      .sign((this.#keys ?? (await generateKeyPair('RS256'))).privateKey);
    return {
      access_token: 'x',
      token_type: 'bearer',
      id_token: idToken,
      ...(details ? { authorization_details: details } : {}),
    };
  }
}
