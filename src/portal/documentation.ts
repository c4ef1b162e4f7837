/** The documentation as pages, each with its twin in Markdown; the search over them all, and their list for machines. */
import { setImmediate } from 'node:timers/promises';
import { everybody } from '../http/audience.js';
import type { Page, PageAnswer } from '../http/pages.js';
import { htmlPage } from '../web/components/shell.js';
import type { Frame } from '../web/frame.js';
import { developerLanguageOf, inLanguage, type Language, languages } from '../web/language.js';
import { guideListTexts } from './guides/guide-pages.js';
import { guidePath, guides, listedGuides, searchableGuides } from './guides/guides.js';
import { type Bilingual, createGuidePages } from './guides/index.js';
import { CLIENT, clientPackage } from './reference/client.js';
import { BRUNO, brunoCollection, POSTMAN, postmanCollection } from './reference/collections.js';
import { SearchIndex } from './search/search-index.js';
import { SEARCH, searchPage } from './search/search-page.js';
import { plainText } from './twin/html-tree.js';
import { type ListedPage, llmsText } from './twin/llms.js';
import { mainOf, type TwinPlace, twinAddress, twinOf } from './twin/twin.js';
import { type View, type ViewParts, viewsOf } from './views.js';

const MAX_QUERY = 100;
const MOST_FOUND = 30;

export interface DocumentationParts extends Pick<ViewParts, 'areas' | 'timeZone'> {
  /** Makes something once for the address and environment of the service. */
  readonly once: <T>(key: string, make: (frame: Frame) => T) => T;
  readonly bilingual: Bilingual;
  readonly hasPage: (path: string) => boolean;
}

const get = (path: string, render: Page['render']): Page => ({
  method: 'GET',
  path,
  audience: everybody,
  render,
});

/** Between two pages others get their turn, because all of them together take longer than a call may wait. */
const indexOf = async (
  views: readonly View[],
  frame: Frame,
  htmlOf: (view: View) => PageAnswer,
): Promise<SearchIndex> => {
  const index = new SearchIndex();
  for (const guide of searchableGuides()) index.add(guide);
  const { scenarios } = frame.additions ?? {};
  for (const lang of scenarios ? languages : [])
    index.add({
      path: `${scenarios?.path}?lang=${lang}`,
      lang,
      title: listedGuides(frame).find(({ path }) => path === scenarios?.path)?.title[lang] ?? '',
      text: plainText(mainOf(scenarios?.html(frame, lang) ?? '')),
    });
  for (const view of views) {
    await setImmediate();
    const { title, path } = view.make(frame);
    index.add({ path, lang: 'en', title, text: plainText(mainOf(String(htmlOf(view).body))) });
  }
  return index;
};

const llmsPage = (frame: Frame, views: readonly View[], hasTwin: TwinPlace['hasTwin']): PageAnswer => {
  const addressOf = (path: string, lang: Language) => twinAddress(path, { frame, lang, hasTwin });
  const guidesIn = (lang: Language): readonly ListedPage[] =>
    listedGuides(frame).map(({ path, title, summary }) => ({
      section: guideListTexts[lang].title,
      title: title[lang],
      description: summary[lang],
      address: addressOf(path, lang),
    }));
  const ofViews = views.map(({ section, path, make }) => {
    const { title, description } = make(frame);
    return { section, title, description, address: addressOf(path, 'en') };
  });
  const pages = [...guidesIn('en'), ...ofViews, ...guidesIn('el')];
  return { status: 200, type: 'text/plain', body: llmsText(frame.baseUrl, pages) };
};

export const documentationPages = (parts: DocumentationParts): readonly Page[] => {
  const { areas, timeZone, once, bilingual, hasPage } = parts;
  const places = guides.map(({ slug, title }) => ({ path: guidePath(slug), title: title.en }));
  const navigation = { areas, guides: places };
  const views = viewsOf({ ...navigation, timeZone });
  const hasTwin = (path: string): boolean => hasPage(`${path}.md`);
  const htmlOf = ({ path, make }: View, readerLang: Language = 'en'): PageAnswer =>
    once(`${path} ${readerLang}`, (frame) => htmlPage({ ...make(frame), readerLang }));
  const twin = (answer: PageAnswer, frame: Frame): PageAnswer =>
    twinOf(String(answer.body), { frame, lang: 'en', hasTwin });
  return [
    ...views.flatMap((view) => [
      get(view.path, (request) => inLanguage(request, htmlOf(view, developerLanguageOf(request)), 'en')),
      get(`${view.path}.md`, () => once(`${view.path}.md`, (frame) => twin(htmlOf(view), frame))),
    ]),
    ...createGuidePages(areas, bilingual, hasTwin),
    get(SEARCH, async (request) => {
      const lang = developerLanguageOf(request);
      const query = (request.query.q ?? '').trim().slice(0, MAX_QUERY);
      const index = await once('index', (frame) => indexOf(views, frame, htmlOf));
      const frame = once('frame', (current) => current);
      const found = index.find(query, MOST_FOUND, lang);
      return inLanguage(request, htmlPage(searchPage({ ...navigation, frame, lang, query, found })), lang);
    }),
    get(CLIENT, () => once(CLIENT, clientPackage)),
    get(POSTMAN, () => once(POSTMAN, postmanCollection)),
    get(BRUNO, () => once(BRUNO, brunoCollection)),
    get('/llms.txt', () => once('/llms.txt', (frame) => llmsPage(frame, views, hasTwin))),
  ];
};
