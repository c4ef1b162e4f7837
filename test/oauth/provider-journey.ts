/** A browser played by hand, and the way of an account holder from the application to the bank and back. */
import { randomBytes } from 'node:crypto';
import * as client from 'openid-client';
import { RETURN } from '../../packages/sandbox/src/applications.js';
import { type Answer, send } from '../support/client.js';
import { actionIn, formTokenIn, posted } from '../support/form.js';
import { FINANCE } from '../support/operations.js';
import type { Service } from '../support/service.js';

/** What a journey needs to know of a service. */
export type Place = Pick<Service, 'url' | 'credentials'>;

interface Cookie {
  readonly value: string;
  readonly path: string;
}

const isWithin = (path: string, scope: string): boolean =>
  path === scope || path.startsWith(scope.endsWith('/') ? scope : `${scope}/`);

/** Keeps cookies by their path, and follows redirects within the service. */
export class Browser {
  readonly #base: string;
  readonly #cookies = new Map<string, Cookie>();
  /** The node that answers: several of them share one address. */
  node: string;

  constructor(base: string) {
    this.#base = base;
    this.node = base;
  }

  cookie(name: string): string | undefined {
    return [...this.#cookies].find(([key]) => key.startsWith(`${name} `))?.[1].value;
  }

  async request(url: string, form?: Readonly<Record<string, string>>): Promise<Answer> {
    const { path, fields } = posted(url, form ?? {});
    const { pathname, search } = new URL(path, this.#base);
    const cookies = [...this.#cookies]
      .filter(([, { path }]) => isWithin(pathname, path))
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`);
    const answer = await send(this.node, {
      method: form ? 'POST' : 'GET',
      path: `${pathname}${search}`,
      headers: {
        Accept: 'text/html',
        Cookie: cookies.length > 0 ? cookies.join('; ') : undefined,
        'Content-Type': form ? 'application/x-www-form-urlencoded' : undefined,
        Origin: form ? new URL(this.#base).origin : undefined,
      },
      ...(form ? { body: new URLSearchParams(fields).toString() } : {}),
      outsideContract: true,
    });
    for (const line of answer.headers['set-cookie'] ?? []) this.#keep(line);
    return answer;
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split('=');
    const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? '/';
    const isGone =
      value === '' || attributes.some((each) => /^(expires=Thu, 01 Jan 1970|max-age=0)/i.test(each));
    if (isGone) this.#cookies.delete(`${name} ${path}`);
    else this.#cookies.set(`${name} ${path}`, { value, path });
  }

  /** The page at the end of the redirects, or the address outside to which they lead. */
  async visit(url: string, form?: Readonly<Record<string, string>>): Promise<{ page: Answer; leftTo?: URL }> {
    let page = await this.request(url, form);
    for (let hops = 0; hops < 10 && page.status === 303; hops += 1) {
      const target = new URL(String(page.headers.location), this.#base);
      // The demo applications have their page on this host too.
      const isLeft = target.origin !== new URL(this.#base).origin || target.pathname.includes(`${RETURN}/`);
      if (isLeft) return { page, leftTo: target };
      page = await this.request(target.href);
    }
    return { page };
  }
}

/** The login form of a page, ready to be sent. */
export const formOf = (page: Answer): { action: string; token: string } => {
  const [action, token] = [actionIn(page.text), formTokenIn(page.text)];
  if (!action || !token) throw new Error(`no form in the answer ${page.status}: ${page.text.slice(0, 400)}`);
  return { action, token };
};

export const passwordOf = (service: Place, username: string): string =>
  service.credentials.psus.find((psu) => psu.username === username)?.password ?? '';

export const logIn = async (
  service: Place,
  browser: Browser,
  page: Answer,
  username = 'eleni',
): Promise<URL> => {
  const { action, token } = formOf(page);
  const form = { form_token: token, username, password: passwordOf(service, username) };
  const { leftTo, page: end } = await browser.visit(action, form);
  if (!leftTo) throw new Error(`the login ended with ${end.status}: ${end.text.slice(0, 400)}`);
  return leftTo;
};

export const applicationOf = (service: Place, clientId = FINANCE) => {
  const found = service.credentials.applications.find((each) => each.clientId === clientId);
  if (!found) throw new Error(`no application ${clientId}`);
  return found;
};

export const discover = async (
  service: Place,
  clientId = FINANCE,
  authentication?: client.ClientAuth,
): Promise<client.Configuration> => {
  const { clientSecret } = applicationOf(service, clientId);
  return client.discovery(
    new URL(service.url),
    clientId,
    undefined,
    authentication ?? client.ClientSecretBasic(clientSecret),
    { execute: [client.allowInsecureRequests], algorithm: 'oauth2' },
  );
};

export interface Started {
  readonly verifier: string;
  readonly state: string;
  readonly url: URL;
}

export interface AuthorizationWish {
  readonly scope?: string;
  readonly withPar?: boolean;
  readonly more?: Readonly<Record<string, string>>;
}

export const startAuthorization = async (
  service: Place,
  configuration: client.Configuration,
  { scope = 'piis ais pis', withPar = false, more = {} }: AuthorizationWish = {},
): Promise<Started> => {
  const verifier = client.randomPKCECodeVerifier();
  const state = randomBytes(12).toString('base64url');
  const parameters = {
    redirect_uri: applicationOf(service, configuration.clientMetadata().client_id).redirectUri,
    scope,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  };
  const url = withPar
    ? await client.buildAuthorizationUrlWithPAR(configuration, parameters)
    : client.buildAuthorizationUrl(configuration, parameters);
  return { verifier, state, url };
};

export interface Authorized extends Started {
  readonly callback: URL;
  readonly browser: Browser;
}

/** From the application through the login back to the application, with a code. */
export const authorize = async (
  service: Place,
  configuration: client.Configuration,
  wish: AuthorizationWish & { readonly psu?: string } = {},
): Promise<Authorized> => {
  const started = await startAuthorization(service, configuration, wish);
  const browser = new Browser(service.url);
  const { page } = await browser.visit(started.url.href);
  return { ...started, browser, callback: await logIn(service, browser, page, wish.psu) };
};

export const redeem = (
  configuration: client.Configuration,
  { callback, verifier, state }: Omit<Authorized, 'browser'>,
) =>
  client.authorizationCodeGrant(configuration, callback, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });

/** The whole way, to tokens. */
export const obtainTokens = async (
  service: Place,
  configuration: client.Configuration,
  wish: AuthorizationWish & { readonly psu?: string } = {},
) => redeem(configuration, await authorize(service, configuration, wish));

/** One call to the token endpoint, as plain as it is. */
export const postToken = (
  service: Place,
  form: Readonly<Record<string, string>>,
  clientId = FINANCE,
): Promise<Answer> => {
  const { clientSecret } = applicationOf(service, clientId);
  return send(service.url, {
    method: 'POST',
    path: '/oauth/token',
    headers: {
      Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(form).toString(),
    outsideContract: true,
  });
};

export const redemptionOf = (service: Place, { callback, verifier }: Authorized): Record<string, string> => ({
  grant_type: 'authorization_code',
  code: callback.searchParams.get('code') ?? '',
  redirect_uri: applicationOf(service).redirectUri,
  code_verifier: verifier,
});
