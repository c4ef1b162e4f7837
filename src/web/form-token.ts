/**
 * The token of a form without a session of ours, such as a login. It uses a random cookie of its own and a signature of ours:
 * a page visit writes nothing, and a form of another site has no token that fits.
 */
import { cookieName, type PageCookie, type PageRequest } from '../http/pages.js';
import type { Site } from '../http/render.js';
import { newSecret } from '../lib/id.js';
import type { Vault } from '../lib/vault.js';

/** It is in the address to which a form is sent: who sends it is judged before its fields are read. */
const FORM_TOKEN = 'form_token';

/** Where a form is sent, with the token that proves it is ours. */
export const formAction = (action: string, token: string): string =>
  `${action}${action.includes('?') ? '&' : '?'}${FORM_TOKEN}=${token}`;

export const formTokenIn = ({ query }: Pick<PageRequest, 'query'>): string | undefined => query[FORM_TOKEN];

const COOKIE = 'trapeza_form';

export interface FormTokenParts {
  readonly vault: Vault;
  readonly site: Site;
}

const cookieOf = ({ site }: FormTokenParts, { cookies }: PageRequest): string | undefined => {
  const value = cookies[cookieName(site, COOKIE)] ?? '';
  return /^[\w-]{43}$/.test(value) ? value : undefined;
};

/** The token for a page, and the cookie that goes with it: the same one for all windows of a browser. `owner`: for this visitor alone. */
export const loginToken = (
  parts: FormTokenParts,
  request: PageRequest,
  owner = '',
): { readonly formToken: string; readonly cookie: PageCookie } => {
  const value = cookieOf(parts, request) ?? newSecret();
  return { formToken: parts.vault.mark('form-token', value + owner), cookie: { name: COOKIE, value } };
};

export const hasLoginToken = (parts: FormTokenParts, request: PageRequest, owner = ''): boolean => {
  const value = cookieOf(parts, request);
  return value !== undefined && parts.vault.isMark('form-token', value + owner, formTokenIn(request) ?? '');
};
