/** Browsers and applications that are on their way: logged in, half logged in, waiting for a login, with tokens to renew. */

import { hiddenFields, type Visitor } from '../../account-pages/approve-support.js';
import { DASHBOARD, DashboardVisitor } from '../../account-pages/dashboard/support.js';
import {
  applicationOf,
  Browser,
  discover,
  formOf,
  obtainTokens,
  startAuthorization,
} from '../../oauth/provider-journey.js';
import { send } from '../../support/client.js';
import { BUDGET, FINANCE } from '../../support/operations.js';
import type { Service } from '../../support/service.js';

/** What a browser sends with a form of ours. */
interface Session {
  readonly cookie: string;
  readonly formToken: string;
}

interface Application {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly refreshToken: string;
}

export interface Visitors {
  /** Eleni with both factors. */
  readonly holder: Session;
  /** Somebody with a login form. */
  readonly stranger: Session;
  /** A login that an application waits for. */
  readonly login: Session & { readonly uid: string };
  readonly application: Application;
  readonly otherApplication: Application;
  /** Files that pages refer to, and pages of the reference. */
  readonly assets: readonly string[];
  readonly areas: readonly string[];
}

const cookieOf = ({ cookies }: Visitor): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

const sessionOf = (visitor: Visitor, html: string): Session => {
  const { form_token: formToken = '' } = hiddenFields(html);
  if (!formToken) throw new Error('the page has no form');
  return { cookie: cookieOf(visitor), formToken };
};

const applicationIn = async (service: Service, clientId: string): Promise<Application> => {
  const { clientSecret, redirectUri } = applicationOf(service, clientId);
  const tokens = await obtainTokens(service, await discover(service, clientId));
  return { clientId, clientSecret, redirectUri, refreshToken: tokens.refresh_token ?? '' };
};

const waitingLogin = async (service: Service): Promise<Visitors['login']> => {
  const { url } = await startAuthorization(service, await discover(service));
  const browser = new Browser(service.url);
  const { page } = await browser.visit(url.href);
  const { action, token } = formOf(page);
  const names = ['oauth_login', 'oauth_login.sig', 'trapeza_form'];
  const cookie = names.flatMap((name) => (browser.cookie(name) ? [`${name}=${browser.cookie(name)}`] : []));
  return { uid: action.split('/').at(-1) ?? '', cookie: cookie.join('; '), formToken: token };
};

const linksIn = async (service: Service, path: string, pattern: RegExp): Promise<string[]> => {
  const { text } = await send(service.url, { path, outsideContract: true });
  return [...new Set([...text.matchAll(pattern)].map(([, link = '']) => link))];
};

export const enterPages = async (service: Service): Promise<Visitors> => {
  const [holder, stranger] = [new DashboardVisitor(service), new DashboardVisitor(service)];
  return {
    holder: sessionOf(holder, (await holder.enter()).text),
    stranger: sessionOf(stranger, (await stranger.get(DASHBOARD)).text),
    login: await waitingLogin(service),
    application: await applicationIn(service, FINANCE),
    otherApplication: await applicationIn(service, BUDGET),
    assets: await linksIn(service, '/docs', /(?:href|src)="(\/assets\/[^"]+)"/g),
    areas: await linksIn(service, '/docs', /href="(\/docs\/[^"#]+)"/g),
  };
};
