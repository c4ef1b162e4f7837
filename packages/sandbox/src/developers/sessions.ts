/** Who is logged in: a cookie of the whole host, because the pages of a developer's own sandbox ask for it too. */

import { version } from 'trapeza/base';
import type { DeveloperPortal, ExtensionBase } from 'trapeza/extend';
import { frameOf, hostCookieName, type PageCookie, type PageRequest } from 'trapeza/pages';
import { type Developer, type Developers, SESSION_MS } from './developers.js';

export const PORTAL = '/portal';

const NAME = 'trapeza_developer';

type Site = ExtensionBase['site'];

export const sessionCookie = (secret: string): PageCookie => ({
  name: NAME,
  value: secret,
  maxAge: secret === '' ? 0 : SESSION_MS / 1000,
  isOfHost: true,
});

export const secretOf = ({ cookies }: PageRequest, site: Site): string | undefined =>
  cookies[hostCookieName(site, NAME)];

export const visitorOf = (
  developers: Developers,
  site: Site,
  request: PageRequest,
): Promise<Developer | undefined> => developers.ofSession(secretOf(request, site));

export const leave = async (
  developers: Developers,
  site: Site,
  request: PageRequest,
): Promise<readonly PageCookie[]> => {
  await developers.logOut(secretOf(request, site) ?? '');
  return [sessionCookie('')];
};

/** The portal of one developer, in that developer's sandbox. It refuses other developers who are logged in. */
export const portalOf = (developers: Developers, site: Site, id: string): DeveloperPortal => ({
  visitor: async (request) => {
    const found = await visitorOf(developers, site, request);
    return found?.id === id ? { tppId: found.tppId, name: found.name } : undefined;
  },
  loginHref: frameOf(site.baseUrl, version).href(PORTAL),
  leave: (request) => leave(developers, site, request),
});
