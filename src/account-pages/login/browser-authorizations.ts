/**
 * Which authorizations began in this browser. A request within one is decided in no other browser: otherwise a person who knows
 * another's password could send them a link and receive what they approve.
 */
import { cookieName, type PageCookie, type PageRequest } from '../../http/pages.js';
import type { Site } from '../../http/render.js';
import { LOGIN_SECONDS, paths } from '../../oauth/provider.js';
import { interactionHash } from '../../oauth/records.js';

const COOKIE = 'trapeza_begun';
/** Several windows may each have one under way. */
const MAX_AUTHORIZATIONS = 5;

type Asked = Pick<PageRequest, 'cookies'>;

const authorizationsOf = ({ cookies }: Asked, site: Site): readonly string[] =>
  (cookies[cookieName(site, COOKIE)] ?? '').split('.').filter(Boolean);

/** The id of the authorization with this hash, if it began in this browser. */
export const authorizationInBrowser = (request: Asked, site: Site, hash: string): string | undefined =>
  authorizationsOf(request, site).find((uid) => interactionHash(uid) === hash);

const NAMED = 'trapeza_named';
const NAMED_SECONDS = 60;

/** Set if the bank's own login began on the page of an authorization, which has named the application. */
export const namedCookie = (path: string): PageCookie[] =>
  path.startsWith(`${paths.login}/`) ? [{ name: NAMED, value: path, maxAge: NAMED_SECONDS }] : [];

export const isNamed = ({ cookies }: Asked, site: Site, path: string): boolean =>
  cookies[cookieName(site, NAMED)] === path;

export const authorizationCookie = (request: Asked, site: Site, uid: string): PageCookie => {
  const others = authorizationsOf(request, site).filter((each) => each !== uid);
  return {
    name: COOKIE,
    value: [uid, ...others].slice(0, MAX_AUTHORIZATIONS).join('.'),
    maxAge: LOGIN_SECONDS,
  };
};
