/** `/portal` of the common sandbox: sign-up, login, and what a developer does with the whole sandbox. */
import { Problem, SECOND } from 'trapeza/base';
import type { PageParts } from 'trapeza/extend';
import {
  hasLoginToken,
  languageCookies,
  languageOf,
  loginToken,
  type Page,
  type PageAnswer,
  type PageRequest,
  seeOther,
} from 'trapeza/pages';
import type { Developer } from './developers.js';
import type { PortalError } from './portal-texts.js';
import { answeredView, entryView, homeView, type Refused, readyView, type View } from './portal-view.js';
import { leave, PORTAL, sessionCookie, visitorOf } from './sessions.js';
import { NAME, PASSPHRASE } from './sign-up-operation.js';
import type { Tenancy } from './tenancy.js';

const CALL_MS = 5 * SECOND;
const SHOWN = 600;

type Parts = Pick<PageParts, 'vault' | 'site' | 'frame' | 'addressOf'> & { readonly tenancy: Tenancy };

const viewOf = (parts: Parts, request: PageRequest, owner?: string): View => {
  const { formToken, cookie } = loginToken(parts, request, owner);
  const cookies = [...languageCookies(request), cookie];
  return { frame: parts.frame(), lang: languageOf(request), formToken, cookies };
};

interface Wish {
  readonly name: string;
  readonly passphrase: string;
  readonly address: string;
}

const wishOf = ({ addressOf }: Parts, { form, raw }: PageRequest): Wish => ({
  name: (form.name ?? '').trim().toLowerCase(),
  passphrase: form.passphrase ?? '',
  address: addressOf(raw.request),
});

const isName = (text: string): boolean => new RegExp(NAME.pattern).test(text);

const faultOf = ({ name, passphrase }: Wish): PortalError | undefined => {
  if (!isName(name)) return 'badName';
  const isLongEnough = passphrase.length >= PASSPHRASE.minLength && passphrase.length <= PASSPHRASE.maxLength;
  return isLongEnough ? undefined : 'badPassphrase';
};

/** A problem that the page explains; any other is a page of its own. */
const explained = async (
  { tenancy }: Parts,
  error: unknown,
  name: string,
): Promise<[PortalError, number]> => {
  if (!(error instanceof Problem)) throw error;
  if (error.slug === 'rate-limited') return ['tooMany', 429];
  if (error.slug !== 'state-conflict') throw error;
  return [(await tenancy.developers.named(name)) ? 'taken' : 'full', 409];
};

const enter = async (parts: Parts, developer: Developer): Promise<PageAnswer> =>
  seeOther(`${parts.tenancy.addressOf(developer)}${PORTAL}`, [
    sessionCookie(await parts.tenancy.developers.logIn(developer)),
  ]);

const signUp = async (parts: Parts, request: PageRequest, wish: Wish): Promise<PageAnswer> => {
  const { developers } = parts.tenancy;
  const made = await parts.tenancy.signUp(wish, () => request.raw.response.headersSent);
  const view = viewOf(parts, request, made.developer.id);
  const session = sessionCookie(await developers.logIn(made.developer));
  return readyView({ ...view, cookies: [...view.cookies, session] }, made);
};

const logIn = async (parts: Parts, request: PageRequest, wish: Wish): Promise<PageAnswer> => {
  const { developers, limits } = parts.tenancy;
  const found = isName(wish.name) ? await developers.named(wish.name) : undefined;
  // A name that no developer can have is not counted, or the counts would grow with what is typed.
  const isRight = isName(wish.name) && (await limits.isRight(found, wish));
  if (found?.tppId && isRight) return enter(parts, found);
  return entryView(viewOf(parts, request), { act: 'login', error: 'wrong', name: wish.name, status: 403 });
};

/** Sign-up and login: without a session, with a token of their own. */
const entryPage = (parts: Parts, act: Refused['act'], attempt: typeof signUp): Page => ({
  method: 'POST',
  path: `${PORTAL}/${act}`,
  render: async (request) => {
    const wish = wishOf(parts, request);
    const refuse = (error: PortalError, status: number): PageAnswer =>
      entryView(viewOf(parts, request), { act, error, name: wish.name, status });
    if (!hasLoginToken(parts, request)) return refuse('stale', 403);
    const fault = act === 'sign-up' ? faultOf(wish) : undefined;
    if (fault) return refuse(fault, 400);
    return attempt(parts, request, wish).catch(async (error: unknown) =>
      refuse(...(await explained(parts, error, wish.name))),
    );
  },
});

/** What a developer who is logged in does. */
const actPage = (
  parts: Parts,
  act: string,
  perform: (developer: Developer, request: PageRequest) => Promise<PageAnswer>,
): Page => ({
  method: 'POST',
  path: `${PORTAL}/${act}`,
  render: async (request) => {
    const developer = await visitorOf(parts.tenancy.developers, parts.site, request);
    const isOurs = developer && hasLoginToken(parts, request, developer.id);
    return isOurs ? perform(developer, request) : seeOther(parts.frame().href(PORTAL));
  },
});

/** The first call with the developer's own key, as a program would make it. */
const firstCall = async (baseUrl: string, { clientId = '', key = '' }: PageRequest['form']) => {
  const signal = AbortSignal.timeout(CALL_MS);
  const json = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ application: clientId });
  const asked = await fetch(`${baseUrl}/sandbox/tokens`, { method: 'POST', headers: json, body, signal });
  const { access_token: token = '' } = (await asked.json()) as { access_token?: string };
  const headers = { 'Ocp-Apim-Subscription-Key': key, Authorization: `Bearer ${token}` };
  const answer = await fetch(`${baseUrl}/psd2/v1/opendata/atm`, { headers, signal });
  return { status: answer.status, text: `${(await answer.text()).slice(0, SHOWN)} …`, baseUrl };
};

export const createPortalPages = (parts: Parts): readonly Page[] => {
  const { tenancy, site } = parts;
  const out = async (request: PageRequest): Promise<PageAnswer> =>
    seeOther(parts.frame().href(PORTAL), await leave(tenancy.developers, site, request));
  return [
    {
      method: 'GET',
      path: PORTAL,
      render: async (request) => {
        const developer = await visitorOf(tenancy.developers, site, request);
        if (!developer) return entryView(viewOf(parts, request));
        const view = viewOf(parts, request, developer.id);
        return homeView(view, { name: developer.name, baseUrl: tenancy.addressOf(developer) });
      },
    },
    entryPage(parts, 'sign-up', signUp),
    entryPage(parts, 'login', logIn),
    actPage(parts, 'leave', (_developer, request) => out(request)),
    actPage(parts, 'end', async (developer, request) => {
      await tenancy.remove(developer);
      return out(request);
    }),
    actPage(parts, 'call', async (developer, request) =>
      answeredView(
        viewOf(parts, request, developer.id),
        await firstCall(tenancy.addressOf(developer), request.form),
      ),
    ),
  ];
};
