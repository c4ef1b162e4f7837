/** `/status` for everybody, with its feeds. */
import { everybody } from '../../http/audience.js';
import type { Page, PageAnswer, PageRequest } from '../../http/pages.js';
import { MINUTE } from '../../lib/clock.js';
import { inLanguage, languageOf } from '../../web/language.js';
import type { StatisticsPageParts } from '../statistics/index.js';
import { kept } from '../statistics/kept.js';
import { atomOf, jsonOf } from './feeds.js';
import { messages } from './messages.js';
import { statusPage } from './page.js';
import { lastDays, stateAt } from './state.js';

export interface StatusPageParts extends StatisticsPageParts {
  readonly site: { readonly baseUrl: string };
}

export const createStatusPages = ({ frame, db, clock, timeZone, site }: StatusPageParts): readonly Page[] => {
  const days = kept(clock, 10 * MINUTE, () => lastDays(db, clock.now(), timeZone));
  const now = () => stateAt(db, clock.now());
  const get = (path: string, render: (request: PageRequest) => Promise<PageAnswer>): Page => ({
    method: 'GET',
    path,
    audience: everybody,
    render,
  });
  return [
    get('/status', async (request) => {
      const lang = languageOf(request);
      const view = { ...(await now()), days: await days(''), frame: frame(), lang, timeZone };
      return inLanguage(request, statusPage(view));
    }),
    get('/status.json', async () => ({ status: 200, type: 'application/json', body: jsonOf(await now()) })),
    get('/status.atom', async (request) => ({
      status: 200,
      type: 'application/atom+xml',
      body: atomOf(await now(), site.baseUrl.replace(/\/$/, ''), messages[languageOf(request)].title),
    })),
  ];
};
