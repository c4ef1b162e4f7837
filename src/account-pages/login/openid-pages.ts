/** The login through the bank's own OpenID provider: away to it, and back from it with a session of ours. */
import type { OpenIdLogin } from '../../bank/openid/openid-login.js';
import { CONFIRMED, returnToIn } from '../../bank/openid/step-up-state.js';
import type { Guard } from '../../gate/guard/guard.js';
import { everybody } from '../../http/audience.js';
import {
  cookieName,
  type Page,
  type PageAnswer,
  type PageReport,
  type PageRequest,
  seeOther,
} from '../../http/pages.js';
import type { Site } from '../../http/render.js';
import { Problem } from '../../problem/problem.js';
import { SESSION_COOKIE, type Sessions } from '../../psu/sessions.js';
import type { Frame } from '../../web/frame.js';
import { pageLanguageOf } from '../../web/language.js';
import { namedCookie } from './browser-authorizations.js';
import { tooManyPage } from './guard/too-many-page.js';
import { comingBackPage, loginFailurePage } from './login-failure-page.js';
import type { LoginFailure } from './login-texts.js';

export const LOGIN_START = '/login/start';
const CALLBACK = '/login/callback';
const NOTE_COOKIE = 'trapeza_login';
const NOTE_SECONDS = 600;

export interface OpenIdParts {
  readonly openId: OpenIdLogin;
  readonly sessions: Sessions;
  readonly site: Site;
  readonly frame: () => Frame;
  readonly guard: Pick<Guard, 'comeBack'>;
  readonly report: PageReport;
}

/** Only pages of ours that ask for a login: an address from outside must not become a redirect. */
const OWN_PAGE = /^\/(dashboard|(authorise|oauth\/login)\/[\w-]{1,64})(\/login)?$/;

const failure = (
  parts: Pick<OpenIdParts, 'frame'>,
  request: PageRequest,
  reason: LoginFailure,
  error?: unknown,
): PageAnswer =>
  loginFailurePage({ frame: parts.frame(), lang: pageLanguageOf(request, parts.frame()), reason, error });

const start =
  (parts: OpenIdParts): Page['render'] =>
  async (request) => {
    const { to = '' } = request.query;
    if (!OWN_PAGE.test(to)) return failure(parts, request, 'refused');
    try {
      const { location, note } = await parts.openId.begin(`${parts.site.baseUrl}${CALLBACK}`, to);
      return seeOther(location, [{ name: NOTE_COOKIE, value: note, maxAge: NOTE_SECONDS }]);
    } catch (error) {
      parts.report(error, request);
      return failure(parts, request, 'unavailable', error);
    }
  };

const finish =
  (parts: OpenIdParts): Page['render'] =>
  async (request) => {
    const wait = parts.guard.comeBack(request);
    if (wait)
      return tooManyPage({ frame: parts.frame(), lang: pageLanguageOf(request, parts.frame()), wait });
    const note = request.cookies[cookieName(parts.site, NOTE_COOKIE)] ?? '';
    const answer = new URL(request.raw.request.url ?? '', parts.site.baseUrl);
    let fault: unknown;
    const who = await parts.openId
      .complete(new URL(`${parts.site.baseUrl}${CALLBACK}${answer.search}`), note)
      .catch((error: unknown) => {
        parts.report(error, request);
        fault = error;
        return undefined;
      });
    if (!who) return failure(parts, request, fault instanceof Problem ? 'unavailable' : 'expired', fault);
    const old = request.cookies[cookieName(parts.site, SESSION_COOKIE)];
    if (old) await parts.sessions.close(old);
    const { secret } = await parts.sessions.open({ id: who.psuId, name: who.name });
    return seeOther(parts.frame().href(who.returnTo), [
      { name: SESSION_COOKIE, value: secret },
      { name: NOTE_COOKIE, value: '', maxAge: 0 },
      ...namedCookie(who.returnTo),
    ]);
  };

/** Pages of ours that wait for a confirmation. */
const WAITING_PAGE = /^\/(dashboard|authorise\/[\w-]{1,64})\/returned$/;

/**
 * From the confirmation there to the page that waits for it, which judges what came back. Not a redirect: the policy of a form at the
 * provider may end at our address, and browsers apply it to the whole chain, which leads on to the third party.
 */
const confirmed =
  (parts: Pick<OpenIdParts, 'site' | 'frame'>): Page['render'] =>
  (request) => {
    const answer = new URL(request.raw.request.url ?? '', parts.site.baseUrl).searchParams;
    const address = returnToIn(answer.get('state') ?? '');
    const { baseUrl } = parts.frame();
    const page = address.startsWith(`${baseUrl}/`)
      ? new URL(address.slice(baseUrl.length), 'http://page')
      : undefined;
    if (!page || !WAITING_PAGE.test(page.pathname)) return failure(parts, request, 'expired');
    for (const [name, value] of answer) page.searchParams.append(name, value);
    return comingBackPage(
      parts.frame(),
      pageLanguageOf(request, parts.frame()),
      `${page.pathname}${page.search}`,
    );
  };

export const createOpenIdPages = (parts: OpenIdParts): readonly Page[] => [
  { method: 'GET', path: LOGIN_START, audience: everybody, render: start(parts) },
  { method: 'GET', path: CALLBACK, audience: everybody, render: finish(parts) },
];

/** People may confirm at a provider without having logged in there. */
export const createConfirmedPage = (parts: Pick<OpenIdParts, 'site' | 'frame'>): Page => ({
  method: 'GET',
  path: CONFIRMED,
  audience: everybody,
  render: confirmed(parts),
});
