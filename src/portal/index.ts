/** The pages for developers: landing page, documentation with its Markdown twins and search, and the files they are made of. */

import type { Feed } from '../atms/feed.js';
import { everybody } from '../http/audience.js';
import type { Operation } from '../http/operation.js';
import { type Page, type PageAnswer, seeOther } from '../http/pages.js';
import type { Eventual } from '../lib/turn.js';
import { assets } from '../web/assets/index.js';
import { assetPage } from '../web/assets/page.js';
import { type Frame, frameOf, type PageAdditions } from '../web/frame.js';
import { inLanguage, type Language, languageOf } from '../web/language.js';
import { areasOf } from './areas.js';
import { createAtmPages } from './atms/index.js';
import { documentationPages } from './documentation.js';
import { guidePath } from './guides/guides.js';
import type { Bilingual } from './guides/index.js';
import { banksPage } from './home/banks-page.js';
import { homePage } from './home/home-page.js';
import { createStatisticsPages, type StatisticsPageParts } from './statistics/index.js';
import { createStatusPages } from './status/index.js';

export interface PageParts {
  readonly operations: readonly Operation[];
  readonly openApi: () => object;
  readonly site: { readonly baseUrl: string };
  /** Of all days. */
  readonly timeZone: string;
  readonly additions?: () => PageAdditions | undefined;
  /** Whether the service has a page, of whatever room. Asked when a page is made; these pages alone if absent. */
  readonly hasPage?: (path: string) => boolean;
  readonly version: string;
  readonly bankName: (lang: Language) => string;
  /** The published ATM list. */
  readonly atms: () => Eventual<Feed>;
  readonly statistics: Pick<StatisticsPageParts, 'db' | 'clock'>;
}

/** The developer pages may be found; nothing else here is for search engines. */
const robots = `User-agent: *
Allow: /$
Allow: /assets/
Allow: /banks
Allow: /atms
Allow: /statistics
Allow: /status
Allow: /docs
Allow: /problems
Allow: /llms.txt
Disallow: /
`;

const get = (path: string, render: Page['render']): Page => ({
  method: 'GET',
  path,
  audience: everybody,
  render,
});

const NOTICES = /^\/(status|problems)(?=[./]|$)/;

export const createPages = (parts: PageParts): readonly Page[] => {
  const { site, timeZone, version, openApi, bankName } = parts;
  const areas = areasOf(parts.operations);
  const ownFrame = () => frameOf(site.baseUrl, version, parts.additions?.());

  /** Pages depend on nothing but the address of the service and its environment: each is made once for them. */
  const remembered = new Map<string, unknown>();
  let rememberedFor = '';
  const once = <T>(key: string, make: (frame: Frame) => T): T => {
    const additions = parts.additions?.();
    const place = `${additions?.environment.en.note} ${site.baseUrl}`;
    if (rememberedFor !== place) remembered.clear();
    rememberedFor = place;
    if (!remembered.has(key)) {
      const made = make(frameOf(site.baseUrl, version, additions));
      remembered.set(key, made);
      // What has failed is made anew for the next reader.
      if (made instanceof Promise)
        made.catch(() => {
          if (remembered.get(key) === made) remembered.delete(key);
        });
    }
    return remembered.get(key) as T;
  };
  const page = (path: string, make: (frame: Frame) => PageAnswer): Page => get(path, () => once(path, make));
  /** In the language of the reader. */
  const bilingual: Bilingual = (path, make, langOf = languageOf) =>
    get(path, (request) => {
      const lang = langOf(request);
      const answer = once(`${path} ${lang}`, (frame) => make(frame, lang));
      return inLanguage(request, answer, lang);
    });
  const hasPage = parts.hasPage ?? ((path: string) => pages.some((each) => each.path === path));

  const pages: readonly Page[] = [
    bilingual('/', (frame, lang) => homePage({ frame, lang, areas, bankName: bankName(lang), hasPage })),
    bilingual('/banks', (frame, lang) => banksPage({ frame, lang })),
    ...documentationPages({ areas, timeZone, once, bilingual, hasPage }),
    // Its old address is printed in programs and notes.
    page('/docs/signatures', (frame) => seeOther(frame.href(guidePath('signatures')))),
    ...createAtmPages({ frame: ownFrame, atms: parts.atms }),
    ...createStatisticsPages({ ...parts.statistics, timeZone, frame: ownFrame }),
    ...createStatusPages({ ...parts.statistics, timeZone, site, frame: ownFrame }),
    page('/openapi.json', () => ({ status: 200, type: 'application/json', body: JSON.stringify(openApi()) })),
    get('/robots.txt', () => ({ status: 200, type: 'text/plain', body: robots })),
    ...assets.map(assetPage),
  ];
  // What tells people about a closed interface is not closed.
  const files = new Set(assets.map(({ path }) => path));
  return pages.map((each) =>
    NOTICES.test(each.path) || files.has(each.path) ? { ...each, staysOpen: true } : each,
  );
};
