/**
 * The login within an authorization: the first factor only, because strong authentication happens once, when a consent is
 * approved. The page names the application and the scopes; the login agrees to them. A request with a consent continues on its
 * approval page, and comes back here once it is decided.
 */

import type { Interaction, InteractionResults, Provider } from 'oidc-provider';
import type { Wait } from '../../gate/guard/source-limit.js';
import { type Audience, isForm } from '../../http/audience.js';
import {
  cookieName,
  type Page,
  type PageAnswer,
  type PageReport,
  type PageRequest,
  pageFor,
  seeOther,
} from '../../http/pages.js';
import type { Site } from '../../http/render.js';
import { undisguised } from '../../lib/format/undisguised.js';
import { isPlainAddress } from '../../lib/net/redirect.js';
import { type Scope, scopes } from '../../model/caller.js';
import type { ConsentId, PsuId } from '../../model/ids.js';
import {
  type ConsentRequests,
  detailOf,
  type InteractionDecision,
  paramsOf,
} from '../../oauth/authorization-details.js';
import { paths } from '../../oauth/provider.js';
import { Problem } from '../../problem/problem.js';
import { SESSION_COOKIE, type Session } from '../../psu/sessions.js';
import { hasLoginToken, loginToken } from '../../web/form-token.js';
import type { Frame } from '../../web/frame.js';
import { isLanguageChange, languageCookies, pageLanguageOf } from '../../web/language.js';
import { againPage } from './again-page.js';
import { authorizationCookie, isNamed } from './browser-authorizations.js';
import { type FirstFactorParts, MAX_NAME, passFirstFactor } from './guard/first-factor.js';
import { tooManyPage } from './guard/too-many-page.js';
import { loginFailurePage } from './login-failure-page.js';
import { toBankLogin } from './login-form.js';
import { loginPage } from './login-page.js';
import type { LoginError, LoginFailure } from './login-texts.js';
import { isOver, type Waiting, waitingFor } from './waiting.js';

export interface LoginParts extends FirstFactorParts {
  readonly provider: () => Promise<Provider>;
  readonly requests: ConsentRequests;
  readonly site: Site;
  readonly frame: () => Frame;
  /** Called for faults, because the account holder sees a page and not a problem body. */
  readonly report: PageReport;
  /** The resource that the scopes are granted for. */
  readonly resource: () => string;
}

const isAsked = (text: string, scope: string): boolean => text.split(' ').includes(scope);

const scopesOf = (interaction: Interaction): readonly Scope[] =>
  scopes.filter((scope) => isAsked(paramsOf(interaction).scope ?? '', scope));

const finish = async (
  { request, provider }: Waiting,
  result: Parameters<Provider['interactionResult']>[2],
): Promise<string> =>
  provider.interactionResult(request.raw.request, request.raw.response, result, {
    mergeWithLastSubmission: false,
  });

/** Grants what the page has named, and leads back to the authorization endpoint. */
const grant = async (
  parts: LoginParts,
  waiting: Waiting,
  psuId: PsuId,
  consentId?: ConsentId,
): Promise<string> => {
  const { provider, client, interaction } = waiting;
  // Already granted, but the browser has not gone on.
  if (consentId !== undefined && interaction.result?.consent) return interaction.returnTo;
  const type = detailOf(interaction)?.type;
  // Never without approval: a request that asks for a consent is granted with it or not at all.
  if ((type === undefined) !== (consentId === undefined)) throw new Error('nothing was approved');
  const given = new provider.Grant({ accountId: psuId, clientId: client.clientId });
  const asked = scopesOf(interaction).join(' ');
  const isOpenid = isAsked(paramsOf(interaction).scope ?? '', 'openid');
  given.addOIDCScope(isOpenid ? `openid ${asked}`.trim() : asked);
  given.addResourceScope(parts.resource(), asked);
  if (type !== undefined) given.addRar({ type, consentId });
  const grantId = await given.save();
  return finish(waiting, { login: { accountId: psuId, remember: false }, consent: { grantId } });
};

const deny = (waiting: Waiting): Promise<string> =>
  finish(waiting, { error: 'access_denied', error_description: 'the account holder did not agree' });

/** On from a consent of this authorization: to its approval page, or with its decision back to the application. */
const goOn = async (
  parts: LoginParts,
  waiting: Waiting,
  consent: InteractionDecision,
): Promise<PageAnswer> => {
  switch (consent.decision) {
    case 'open':
      return seeOther(parts.frame().href(`/authorise/${consent.id}`), [
        authorizationCookie(waiting.request, parts.site, waiting.interaction.uid),
      ]);
    case 'approved':
      return seeOther(await grant(parts, waiting, consent.psuId, consent.id));
    case 'refused':
      return seeOther(await deny(waiting));
  }
};

/** The request was checked before the login; only its dates can have passed since. */
const tooLate = {
  error: 'invalid_authorization_details',
  error_description: 'a date of the request has passed meanwhile',
};

const tooManyOpen = {
  error: 'temporarily_unavailable',
  error_description: 'too many consents wait for the decision of this account holder',
};

/** The error for the application if a consent cannot be created. */
const refusalOf = (error: unknown): InteractionResults | undefined => {
  if (!(error instanceof Problem)) return undefined;
  if (error.slug === 'too-many-open-consents') return tooManyOpen;
  return error.kind.status === 400 ? tooLate : undefined;
};

/** On from the login. */
const enter = async (parts: LoginParts, waiting: Waiting, psuId: PsuId): Promise<PageAnswer> => {
  const { request, interaction, client } = waiting;
  const detail = detailOf(interaction);
  if (!detail) return seeOther(await grant(parts, waiting, psuId));
  const { clientId } = client;
  try {
    const consent = await parts.requests.begin(interaction.uid, { clientId, psuId }, detail);
    return consent ? await goOn(parts, waiting, consent) : gone(parts, request);
  } catch (error) {
    if (isOver(error)) throw error;
    const refusal = refusalOf(error);
    if (refusal) return seeOther(await finish(waiting, refusal));
    parts.report(error, request);
    return loginFailurePage({
      frame: parts.frame(),
      lang: pageLanguageOf(request, parts.frame()),
      reason: 'unavailable',
      error,
    });
  }
};

const interactionConsentOf = ({ requests }: LoginParts, { interaction, client }: Waiting) =>
  detailOf(interaction) && requests.find(interaction.uid, client.clientId);

/** The browser follows the form to the application: its origin must be allowed as the end of that way. */
const originOf = (address: string | undefined): string | undefined =>
  address !== undefined && isPlainAddress(address) ? new URL(address).origin : undefined;

const pathOf = ({ uid }: Interaction): string => `${paths.login}/${uid}`;

/** Who asks and for what, in the words of the page. */
const requesterOf = (parts: LoginParts, { request, interaction, client }: Waiting) => ({
  frame: parts.frame(),
  lang: pageLanguageOf(request, parts.frame()),
  path: pathOf(interaction),
  application: undisguised(client.clientName ?? client.clientId),
  party: undisguised(String(client.party ?? '')),
  scopes: scopesOf(interaction),
});

/** One button for a person who is logged in already. */
const offer = (parts: LoginParts, waiting: Waiting, name: string): PageAnswer => {
  const { formToken, cookie } = loginToken(parts, waiting.request);
  const formTarget = originOf(paramsOf(waiting.interaction).redirect_uri);
  return {
    ...againPage({ ...requesterOf(parts, waiting), formToken, name }),
    cookies: [cookie, ...languageCookies(waiting.request, parts.frame())],
    ...(formTarget === undefined ? {} : { formTarget }),
  };
};

const show = (parts: LoginParts, waiting: Waiting, error?: LoginError): PageAnswer => {
  const { request, interaction } = waiting;
  const { formToken, cookie } = loginToken(parts, request);
  const formTarget = originOf(paramsOf(interaction).redirect_uri);
  const page = loginPage({
    ...requesterOf(parts, waiting),
    formToken,
    hasRequest: detailOf(interaction) !== undefined,
    error,
    username: request.form.username?.slice(0, MAX_NAME),
  });
  return {
    ...page,
    status: error === undefined ? 200 : 400,
    cookies: [cookie, ...languageCookies(request, parts.frame())],
    ...(formTarget === undefined ? {} : { formTarget }),
  };
};

const tooMany = (parts: LoginParts, { request, interaction }: Waiting, wait: Wait): PageAnswer =>
  tooManyPage({
    frame: parts.frame(),
    lang: pageLanguageOf(request, parts.frame()),
    path: pathOf(interaction),
    wait,
  });

const gone = (parts: LoginParts, request: PageRequest, reason: LoginFailure = 'expired'): PageAnswer =>
  loginFailurePage({ frame: parts.frame(), lang: pageLanguageOf(request, parts.frame()), reason });

const sessionOf = ({ sessions, site }: LoginParts, { cookies }: PageRequest): Promise<Session | undefined> =>
  sessions.find(cookies[cookieName(site, SESSION_COOKIE)]);

const mustLogIn = ({ prompt }: Interaction): boolean =>
  prompt.reasons.some((reason) => reason !== 'no_session');

const ask = async (parts: LoginParts, waiting: Waiting): Promise<PageAnswer> => {
  const { request, interaction } = waiting;
  const session = await sessionOf(parts, request);
  if (mustLogIn(interaction)) return show(parts, waiting);
  // No application gets a code without a page that names it: the approval page does, and so did the page before the bank's login.
  const isApproved = detailOf(interaction) !== undefined;
  if (!session)
    return (isApproved && toBankLogin(parts.frame(), pathOf(interaction))) || show(parts, waiting);
  const isShown = isApproved || isNamed(request, parts.site, pathOf(interaction));
  return isShown ? enter(parts, waiting, session.psu.id) : offer(parts, waiting, session.psu.name);
};

const answer = async (parts: LoginParts, waiting: Waiting): Promise<PageAnswer> => {
  const { request } = waiting;
  if (isLanguageChange(request)) return show(parts, waiting);
  if (request.form.cancel !== undefined) return seeOther(await deny(waiting));
  if (request.form.other !== undefined) return show(parts, waiting);
  const session = await sessionOf(parts, request);
  if (request.form.again !== undefined)
    return session && !mustLogIn(waiting.interaction)
      ? enter(parts, waiting, session.psu.id)
      : show(parts, waiting, 'expired');
  const outcome = await passFirstFactor(parts, request, session?.secret);
  switch (outcome.kind) {
    case 'wait':
      return tooMany(parts, waiting, outcome.wait);
    case 'refused':
      return show(parts, waiting, 'refused');
    case 'passed': {
      const answered = await enter(parts, waiting, outcome.psuId);
      const session = { name: SESSION_COOKIE, value: outcome.secret };
      const cookies = [...(answered.cookies ?? []), ...outcome.cookies, session];
      return { ...answered, cookies };
    }
  }
};

/** The browser in which the authorization waits; a form must be of our login page. */
const waitingHere = (parts: LoginParts, name: Audience['name']): Audience<Waiting> => ({
  name,
  admit: async (request) => {
    const waiting = await waitingFor(parts.provider, request);
    if (typeof waiting === 'string') return { answer: gone(parts, request, waiting) };
    // Also with a form that was open in another window: the consent exists already, whichever person logs in now.
    const consent = await interactionConsentOf(parts, waiting);
    if (consent) return { answer: await goOn(parts, waiting, consent) };
    const isOurs = !isForm(request) || hasLoginToken(parts, request);
    return isOurs ? { visitor: waiting } : { answer: show(parts, waiting, 'expired') };
  },
});

export const createLoginPages = (parts: LoginParts): readonly Page[] => {
  const page = (method: Page['method'], name: Audience['name'], render: typeof ask): Page =>
    pageFor({
      method,
      path: `${paths.login}/:uid`,
      audience: waitingHere(parts, name),
      render: (request, waiting) => render(parts, { ...waiting, request }),
      onFault: (request, error) => {
        // Another window was faster.
        if (isOver(error)) return gone(parts, request);
        parts.report(error, request);
        return loginFailurePage({
          frame: parts.frame(),
          lang: pageLanguageOf(request, parts.frame()),
          reason: 'unavailable',
          error,
        });
      },
    });
  return [page('GET', 'everybody', ask), page('POST', 'visitor', answer)];
};
