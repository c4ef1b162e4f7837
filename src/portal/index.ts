/** The pages for developers: landing page, guides, reference with a page for each area, changes, problems, and the files they are made of. */

import type { Feed } from '../atms/feed.js';
import type { Operation } from '../http/operation.js';
import { type Page, type PageAnswer, seeOther } from '../http/pages.js';
import { problemSlugs } from '../http/problem-schema.js';
import type { Eventual } from '../lib/turn.js';
import { Problem } from '../problem/problem.js';
import { assets, logo } from '../web/assets/index.js';
import { type Frame, frameOf, type PageAdditions } from '../web/frame.js';
import { languageCookies, languageOf } from '../web/language.js';
import { areasOf } from './areas.js';
import { createAtmPages } from './atms/index.js';
import { guidePath } from './guides/guides.js';
import { type Bilingual, createGuidePages } from './guides/index.js';
import { banksPage } from './home/banks-page.js';
import { homePage } from './home/home-page.js';
import { problemListPage } from './problems/problem-list-page.js';
import { problemPage } from './problems/problem-page.js';
import { areaPage } from './reference/area-page.js';
import { changesPage } from './reference/changes-page.js';
import { referencePage } from './reference/reference-page.js';

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
  readonly bankName: string;
  /** The published ATM list. */
  readonly atms: () => Eventual<Feed>;
}

const FOREVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };
const A_DAY = { 'Cache-Control': 'public, max-age=86400' };

/** The developer pages may be found; nothing else here is for search engines. */
const robots = `User-agent: *
Allow: /$
Allow: /assets/
Allow: /banks
Allow: /atms
Allow: /docs
Allow: /problems
Disallow: /
`;

const get = (path: string, render: Page['render']): Page => ({ method: 'GET', path, render });

export const createPages = (parts: PageParts): readonly Page[] => {
  const { site, timeZone, version, openApi, bankName } = parts;
  const areas = areasOf(parts.operations);

  /** Pages depend on nothing but the address of the service and its environment: each is made once for them. */
  const remembered = new Map<string, PageAnswer>();
  let rememberedFor = '';
  const once = (path: string, make: (frame: Frame) => PageAnswer): PageAnswer => {
    const additions = parts.additions?.();
    const place = `${additions?.environment.en.note} ${site.baseUrl}`;
    if (rememberedFor !== place) remembered.clear();
    rememberedFor = place;
    const answer = remembered.get(path) ?? make(frameOf(site.baseUrl, version, additions));
    remembered.set(path, answer);
    return answer;
  };
  const page = (path: string, make: (frame: Frame) => PageAnswer): Page => get(path, () => once(path, make));
  /** In the language of the reader. */
  const bilingual: Bilingual = (path, make) =>
    get(path, (request) => {
      const lang = languageOf(request);
      const answer = once(`${path} ${lang}`, (frame) => make(frame, lang));
      const headers = { 'Content-Language': lang, Vary: 'Accept-Language, Cookie' };
      return { ...answer, headers, cookies: languageCookies(request) };
    });
  const hasPage = parts.hasPage ?? ((path: string) => pages.some((each) => each.path === path));

  const pages: readonly Page[] = [
    bilingual('/', (frame, lang) => homePage({ frame, lang, areas, bankName, hasPage })),
    bilingual('/banks', (frame, lang) => banksPage({ frame, lang })),
    page('/docs', (frame) => referencePage({ frame, areas, timeZone })),
    ...areas.map((area) => page(area.path, (frame) => areaPage({ frame, areas, area }))),
    // Its old address is printed in programs and notes.
    page('/docs/signatures', (frame) => seeOther(frame.href(guidePath('signatures')))),
    ...createGuidePages(areas, bilingual),
    page('/docs/changes', (frame) => changesPage({ frame, areas })),
    ...createAtmPages({
      frame: () => frameOf(site.baseUrl, version, parts.additions?.()),
      atms: parts.atms,
    }),
    page('/problems', problemListPage),
    get('/problems/:slug', ({ params }) => {
      const slug = problemSlugs.find((each) => each === params.slug);
      if (!slug) throw new Problem('route-not-found', { detail: 'There is no problem with this name.' });
      return once(`/problems/${slug}`, (frame) => problemPage({ frame, slug }));
    }),
    page('/openapi.json', () => ({ status: 200, type: 'application/json', body: JSON.stringify(openApi()) })),
    get('/robots.txt', () => ({ status: 200, type: 'text/plain', body: robots })),
    get('/favicon.ico', () => ({ status: 200, type: logo.type, body: logo.body, headers: A_DAY })),
    ...assets.map(({ path, type, body }) => get(path, () => ({ status: 200, type, body, headers: FOREVER }))),
  ];
  return pages;
};
