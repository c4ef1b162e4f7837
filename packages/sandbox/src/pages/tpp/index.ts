/** The pages of the demo third party. They exist in the sandbox only. */
import type { IncomingMessage } from 'node:http';
import {
  cookieName,
  everybody,
  type Frame,
  type Page,
  type PageAnswer,
  type PageCookie,
  type PageRequest,
  seeOther,
} from 'trapeza/pages';
import { gonePage, misfitPage } from './misfit-page.js';
import { BROWSER_COOKIE } from './page.js';
import { CALLBACK, START, WALKS, walkPath } from './places.js';
import { startPage } from './start-page.js';
import type { ThirdParty } from './view.js';
import { walkPage } from './walk-page.js';

export { START as DEMO_TPP } from './places.js';

export interface DemoTppPageParts {
  readonly frame: () => Frame;
  readonly site: { readonly baseUrl: string };
  readonly thirdParty: ThirdParty;
  readonly addressOf: (request: IncomingMessage) => string;
}

const COOKIE_SECONDS = 7200;

const browserCookie = (value: string): PageCookie => ({
  name: BROWSER_COOKIE,
  value,
  maxAge: COOKIE_SECONDS,
});

export const createDemoTppPages = (parts: DemoTppPageParts): readonly Page[] => {
  const { frame, site, thirdParty } = parts;
  const browserOf = ({ cookies }: PageRequest): string | undefined =>
    cookies[cookieName(site, BROWSER_COOKIE)] || undefined;
  const addressOf = ({ raw }: PageRequest): string => parts.addressOf(raw.request);
  const toWalk = (id: string, cookies: readonly PageCookie[] = []): PageAnswer =>
    seeOther(frame().href(walkPath(id)), cookies);

  const begin: Page['render'] = async (request) => {
    const { flow = '', way = '' } = request.form;
    const begun = await thirdParty.begin(flow, way, browserOf(request));
    if (!begun) return seeOther(frame().href(START));
    return toWalk(begun.id, [browserCookie(begun.browser)]);
  };
  const show: Page['render'] = async (request) => {
    const view = await thirdParty.view(browserOf(request), request.params.id ?? '');
    return view ? walkPage({ frame: frame(), view }) : gonePage(frame());
  };
  const act: Page['render'] = async (request) => {
    const { id = '', action = '' } = request.params;
    const outcome = await thirdParty.act(
      browserOf(request),
      id,
      action,
      request.formLists,
      addressOf(request),
    );
    if (!outcome) return gonePage(frame());
    return outcome.leave === undefined ? toWalk(id) : seeOther(outcome.leave);
  };
  const comeBack: Page['render'] = async (request) => {
    const { walkId, misfit } = await thirdParty.comeBack(
      browserOf(request),
      request.query,
      addressOf(request),
    );
    if (misfit !== undefined || walkId === undefined)
      return misfitPage(frame(), misfit ?? 'stranger', walkId);
    return toWalk(walkId);
  };

  return [
    {
      method: 'GET',
      path: START,
      audience: everybody,
      render: async (request) =>
        startPage({ frame: frame(), view: await thirdParty.start(browserOf(request)) }),
    },
    { method: 'GET', path: CALLBACK, audience: everybody, render: comeBack },
    { method: 'POST', path: WALKS, audience: everybody, render: begin },
    { method: 'GET', path: WALKS, audience: everybody, render: () => seeOther(frame().href(START)) },
    { method: 'GET', path: `${WALKS}/:id`, audience: everybody, render: show },
    { method: 'POST', path: `${WALKS}/:id/:action`, audience: everybody, render: act },
    // The address bar may hold the address of a form.
    {
      method: 'GET',
      path: `${WALKS}/:id/:action`,
      audience: everybody,
      render: ({ params }) => toWalk(params.id ?? ''),
    },
  ];
};
