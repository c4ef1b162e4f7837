/** `/portal` of the common sandbox: sign-up, login, and what a developer does with the whole sandbox. */
import { isPassphrase, Problem, retryAfter, SECOND } from 'trapeza/base';
import type { PageParts } from 'trapeza/extend';
import {
  type Audience,
  everybody,
  hasLoginToken,
  languageCookies,
  languageOf,
  loginToken,
  type Page,
  type PageAnswer,
  type PageCookie,
  type PageRequest,
  pageFor,
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

type Parts = Pick<PageParts, 'vault' | 'site' | 'frame' | 'guard'> & { readonly tenancy: Tenancy };

const viewOf = (parts: Parts, request: PageRequest, owner?: string): View => {
  const { formToken, cookie } = loginToken(parts, request, owner);
  const cookies = [...languageCookies(request), cookie];
  return { frame: parts.frame(), lang: languageOf(request), formToken, cookies };
};

interface Wish {
  readonly name: string;
  readonly passphrase: string;
}

const wishOf = ({ form }: PageRequest): Wish => ({
  name: (form.name ?? '').trim().toLowerCase(),
  passphrase: form.passphrase ?? '',
});

const isName = (text: string): boolean => new RegExp(NAME.pattern).test(text);

const faultOf = ({ name, passphrase }: Wish): PortalError | undefined => {
  if (!isName(name)) return 'badName';
  const isLongEnough = passphrase.length >= PASSPHRASE.minLength && passphrase.length <= PASSPHRASE.maxLength;
  return isLongEnough ? undefined : 'badPassphrase';
};

type Fault = Omit<Refused, 'act' | 'name'>;

/** A problem that the page explains; any other is a page of its own. */
const explained = async ({ tenancy }: Parts, error: unknown, name: string): Promise<Fault> => {
  if (!(error instanceof Problem)) throw error;
  const { headers } = error.details;
  if (error.slug === 'rate-limited')
    return { error: 'wait', status: 429, waitMs: Number(headers?.['Retry-After']) * SECOND };
  if (error.slug !== 'state-conflict') throw error;
  return { error: (await tenancy.developers.named(name)) ? 'taken' : 'full', status: 409 };
};

const enter = async (
  parts: Parts,
  developer: Developer,
  cookies: readonly PageCookie[],
): Promise<PageAnswer> =>
  seeOther(`${parts.tenancy.addressOf(developer)}${PORTAL}`, [
    ...cookies,
    sessionCookie(await parts.tenancy.developers.logIn(developer)),
  ]);

const signUp = async (parts: Parts, request: PageRequest, wish: Wish): Promise<PageAnswer> => {
  const { developers } = parts.tenancy;
  const { raw, requestId } = request;
  const made = await parts.tenancy.signUp(
    wish,
    { request: raw.request, requestId },
    () => raw.response.headersSent,
  );
  const view = viewOf(parts, request, made.developer.id);
  const session = sessionCookie(await developers.logIn(made.developer));
  return readyView({ ...view, cookies: [...view.cookies, session] }, made);
};

const logIn = async (parts: Parts, request: PageRequest, wish: Wish): Promise<PageAnswer> => {
  const { name, passphrase } = wish;
  const judged = await parts.guard.logIn(
    { audience: 'developer', name, request, site: parts.site },
    async () => {
      const found = isName(name) ? await parts.tenancy.developers.named(name) : undefined;
      const isRight = await isPassphrase(passphrase, found?.passphraseHash);
      if (!isRight || !found?.tppId) return undefined;
      await parts.tenancy.developers.renewHash(found, passphrase);
      return found;
    },
  );
  switch (judged.kind) {
    case 'passed':
      return enter(parts, judged.value, judged.cookies);
    case 'wait':
      throw new Problem('rate-limited', { headers: retryAfter(judged.wait.ms) });
    case 'refused':
      return entryView(viewOf(parts, request), { act: 'login', error: 'wrong', name, status: 403 });
  }
};

/** Sign-up and login: without a session, with a token of their own. */
const visitors = (parts: Parts, act: Refused['act']): Audience => ({
  name: 'visitor',
  admit: (request) =>
    hasLoginToken(parts, request)
      ? { visitor: undefined }
      : { answer: entryView(viewOf(parts, request), { act, error: 'stale', name: '', status: 403 }) },
});

const entryPage = (parts: Parts, act: Refused['act'], attempt: typeof signUp): Page => ({
  method: 'POST',
  path: `${PORTAL}/${act}`,
  audience: visitors(parts, act),
  render: async (request) => {
    const wish = wishOf(request);
    const refuse = (fault: Fault): PageAnswer => {
      const page = entryView(viewOf(parts, request), { act, name: wish.name, ...fault });
      return fault.waitMs === undefined
        ? page
        : { ...page, headers: { ...page.headers, ...retryAfter(fault.waitMs) } };
    };
    const error = act === 'sign-up' ? faultOf(wish) : undefined;
    if (error) return refuse({ error, status: 400 });
    return attempt(parts, request, wish).catch(async (thrown: unknown) =>
      refuse(await explained(parts, thrown, wish.name)),
    );
  },
});

const loggedIn = (parts: Parts): Audience<Developer> => ({
  name: 'developer',
  admit: async (request) => {
    const developer = await visitorOf(parts.tenancy.developers, parts.site, request);
    return developer && hasLoginToken(parts, request, developer.id)
      ? { visitor: developer }
      : { answer: seeOther(parts.frame().href(PORTAL)) };
  },
});

/** What a developer who is logged in does. */
const actPage = (
  parts: Parts,
  act: string,
  perform: (developer: Developer, request: PageRequest) => Promise<PageAnswer>,
): Page =>
  pageFor({
    method: 'POST',
    path: `${PORTAL}/${act}`,
    audience: loggedIn(parts),
    render: (request, developer) => perform(developer, request),
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
      audience: everybody,
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
