/** The pages of the guides, in Greek and English, and each as the Markdown it is made of. */
import type { Page, PageAnswer } from '../../http/pages.js';
import type { Frame } from '../../web/frame.js';
import type { Language } from '../../web/language.js';
import type { AreaView } from '../areas.js';
import { guideListPage, guidePage } from './guide-pages.js';
import { guidePath, guides, WRITTEN_ADDRESS } from './guides.js';

/** Serves a page in the language of the reader; makes it once for the address and environment of the service. */
export type Bilingual = (path: string, make: (frame: Frame, lang: Language) => PageAnswer) => Page;

export const createGuidePages = (
  areas: readonly AreaView[],
  get: Bilingual,
  twinOf: (page: PageAnswer, frame: Frame) => PageAnswer,
): readonly Page[] => [
  get('/docs/guides', (frame, lang) => guideListPage({ frame, lang })),
  get('/docs/guides.md', (frame, lang) => twinOf(guideListPage({ frame, lang }), frame)),
  ...guides.flatMap((guide) => [
    get(guidePath(guide.slug), (frame, lang) => guidePage({ frame, lang, areas, guide })),
    get(`${guidePath(guide.slug)}.md`, ({ baseUrl }, lang) => ({
      status: 200,
      type: 'text/markdown',
      body: guide.text[lang].replaceAll(WRITTEN_ADDRESS, baseUrl),
    })),
  ]),
];
