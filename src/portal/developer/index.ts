/** The pages of a developer, below `/portal`: what one third party sees of its applications and may change. */
import { type Audience, isForm } from '../../http/audience.js';
import { type Page, type PageAnswer, pageFor, seeOther } from '../../http/pages.js';
import { hasLoginToken } from '../../web/form-token.js';
import {
  addRedirect,
  end,
  getKeys,
  newClientSecret,
  removeRedirect,
  rename,
  rollKey,
  showApplication,
} from './application.js';
import { showCalls } from './calls.js';
import { issueCertificate, showCertificates } from './certificates.js';
import { messagePage } from './frame.js';
import { createApplication, showOverview } from './overview.js';
import type { Developer } from './port.js';
import { showUsage } from './usage.js';
import { type DeveloperParts, findOwn, type OwnApplication, PORTAL, type Visit, visitOf } from './visit.js';
import { createTestEvents, saveWebhook, sendAgain, showWebhook } from './webhook.js';

export type { DeveloperParts };

type Render = (parts: DeveloperParts, visit: Visit) => Promise<PageAnswer>;
type RenderOf = (parts: DeveloperParts, visit: Visit, application: OwnApplication) => Promise<PageAnswer>;

const leave: Render = async ({ portal }, { request }) =>
  seeOther(portal.loginHref, (await portal.leave?.(request)) ?? []);

const inNameOf = (parts: DeveloperParts, { tppId }: Developer): DeveloperParts => ({
  ...parts,
  admin: parts.admin.as({ actor: `developer:${tppId}` }),
});

export const createDeveloperPages = (parts: DeveloperParts): readonly Page[] => {
  const developers: Audience<Visit> = {
    name: 'developer',
    admit: async (request) => {
      const developer = await parts.portal.visitor(request);
      if (!developer) return { answer: seeOther(parts.portal.loginHref) };
      const visit = visitOf(parts, request, developer);
      const isOurs = !isForm(request) || hasLoginToken(parts, request, developer.tppId);
      return isOurs ? { visitor: visit } : { answer: messagePage(visit, 403, visit.messages.stale) };
    },
  };
  const page = (method: Page['method'], path: string, render: Render): Page =>
    pageFor({
      method,
      path: `${PORTAL}${path}`,
      audience: developers,
      render: (request, visit) => render(inNameOf(parts, visit.developer), { ...visit, request }),
    });
  const ofOwn =
    (render: RenderOf): Render =>
    async (parts, visit) => {
      const application = await findOwn(parts, visit, visit.request.params.id);
      return application ? render(parts, visit, application) : messagePage(visit, 404, visit.messages.absent);
    };
  const get = (path: string, render: Render): Page => page('GET', path, render);
  const post = (path: string, render: Render): Page => page('POST', path, render);
  const own = (path: string): string => `/applications/:id${path}`;
  const forms: Readonly<Record<string, RenderOf>> = {
    '/rename': rename,
    '/redirects': addRedirect,
    '/redirects/remove': removeRedirect,
    '/keys': getKeys,
    '/keys/roll': rollKey,
    '/secret': newClientSecret,
    '/end': end,
    '/webhook': saveWebhook,
    '/webhook/test': createTestEvents(),
    '/webhook/redeliver': sendAgain,
  };
  const lists: Readonly<Record<string, RenderOf>> = {
    '': showApplication,
    '/log': showCalls,
    '/usage': showUsage,
    '/webhook': showWebhook,
  };
  const toApplication: RenderOf = async (_parts, { frame, request }) =>
    seeOther(frame.href(`${PORTAL}/applications/${request.params.id}`));
  const toOverview: Render = async (_parts, { frame }) => seeOther(frame.href(PORTAL));
  return [
    get('', showOverview),
    get('/applications', toOverview),
    post('/applications', createApplication),
    get('/certificates', showCertificates),
    post('/certificates', issueCertificate),
    post('/leave', leave),
    get('/leave', toOverview),
    ...Object.entries(lists).map(([path, render]) => get(own(path), ofOwn(render))),
    ...Object.entries(forms).map(([path, render]) => post(own(path), ofOwn(render))),
    // The address bar may hold the address of a form.
    ...Object.keys(forms)
      .filter((path) => !(path in lists))
      .map((path) => get(own(path), ofOwn(toApplication))),
  ];
};
