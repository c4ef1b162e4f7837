/** The pages of the guides, in Greek and English, and each as the Markdown it is made of. */
import type { Page, PageAnswer, PageRequest } from '../../http/pages.js';
import type { Frame } from '../../web/frame.js';
import { type Language, languageCookies, languageOf } from '../../web/language.js';
import type { AreaView } from '../areas.js';
import { guideListPage, guidePage } from './guide-pages.js';
import { guidePath, guides, WRITTEN_ADDRESS } from './guides.js';

/** Makes a page once for the address and environment of the service. */
export type Once = (key: string, make: (frame: Frame) => PageAnswer) => PageAnswer;

const inLanguage = (lang: Language, request: PageRequest, answer: PageAnswer): PageAnswer => ({
  ...answer,
  headers: { 'Content-Language': lang, Vary: 'Accept-Language, Cookie' },
  cookies: languageCookies(request),
});

export const createGuidePages = (areas: readonly AreaView[], once: Once): readonly Page[] => {
  const get = (path: string, make: (frame: Frame, lang: Language) => PageAnswer): Page => ({
    method: 'GET',
    path,
    render: (request) => {
      const lang = languageOf(request);
      return inLanguage(
        lang,
        request,
        once(`${path} ${lang}`, (frame) => make(frame, lang)),
      );
    },
  });
  return [
    get('/docs/guides', (frame, lang) => guideListPage({ frame, lang })),
    ...guides.flatMap((guide) => [
      get(guidePath(guide.slug), (frame, lang) => guidePage({ frame, lang, areas, guide })),
      get(`${guidePath(guide.slug)}.md`, ({ baseUrl }, lang) => ({
        status: 200,
        type: 'text/markdown',
        body: guide.text[lang].replaceAll(WRITTEN_ADDRESS, baseUrl),
      })),
    ]),
  ];
};
