/** The pages of the guides, in Greek and English, and each as the Markdown it is made of. */
import type { Page, PageAnswer } from '../../http/pages.js';
import type { Frame } from '../../web/frame.js';
import type { Language } from '../../web/language.js';
import type { AreaView } from '../areas.js';
import { guideListPage, guidePage, placeOf } from './guide-pages.js';
import { guidePath, guides, WRITTEN_ADDRESS } from './guides.js';

/** Serves a page in the language of the reader; makes it once for the address and environment of the service. */
export type Bilingual = (path: string, make: (frame: Frame, lang: Language) => PageAnswer) => Page;

interface Twins {
  of(page: PageAnswer, frame: Frame): PageAnswer;
  address(place: string, frame: Frame): string;
}

/** The file, with the addresses of this service. */
const twinText = (text: string, areas: readonly AreaView[], frame: Frame, twins: Twins): string =>
  text
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_link, name: string, href: string) => {
      const place = placeOf(href, { frame, areas });
      return place === undefined ? name : `[${name}](${twins.address(place, frame)})`;
    })
    .replaceAll(WRITTEN_ADDRESS, frame.baseUrl);

export const createGuidePages = (
  areas: readonly AreaView[],
  get: Bilingual,
  twins: Twins,
): readonly Page[] => [
  get('/docs/guides', (frame, lang) => guideListPage({ frame, lang })),
  get('/docs/guides.md', (frame, lang) => twins.of(guideListPage({ frame, lang }), frame)),
  ...guides.flatMap((guide) => [
    get(guidePath(guide.slug), (frame, lang) => guidePage({ frame, lang, areas, guide })),
    get(`${guidePath(guide.slug)}.md`, (frame, lang) => ({
      status: 200,
      type: 'text/markdown',
      body: twinText(guide.text[lang], areas, frame, twins),
    })),
  ]),
];
