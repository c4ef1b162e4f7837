/** The pages of the guides, in Greek and English, and each as the Markdown it is made of. */
import type { Page, PageAnswer, PageRequest } from '../../http/pages.js';
import type { Frame } from '../../web/frame.js';
import { developerLanguageOf, type Language } from '../../web/language.js';
import type { AreaView } from '../areas.js';
import { type TwinPlace, twinAddress, twinOf } from '../twin/twin.js';
import { guideListPage, guidePage, placeOf } from './guide-pages.js';
import { GUIDES, guidePath, guides, WRITTEN_ADDRESS } from './guides.js';

/** Serves a page in the language of the reader; makes it once for the address and environment of the service. */
export type Bilingual = (
  path: string,
  make: (frame: Frame, lang: Language) => PageAnswer,
  langOf?: (request: PageRequest) => Language,
) => Page;

/** The file, with the addresses of this service. */
const twinText = (text: string, areas: readonly AreaView[], place: TwinPlace): string =>
  text
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_link, name: string, href: string) => {
      const target = placeOf(href, { frame: place.frame, areas });
      return target === undefined ? name : `[${name}](${twinAddress(target, place)})`;
    })
    .replaceAll(WRITTEN_ADDRESS, place.frame.baseUrl);

export const createGuidePages = (
  areas: readonly AreaView[],
  get: Bilingual,
  hasTwin: (path: string) => boolean,
): readonly Page[] => [
  get(GUIDES, (frame, lang) => guideListPage({ frame, lang })),
  get(
    `${GUIDES}.md`,
    (frame, lang) => twinOf(String(guideListPage({ frame, lang }).body), { frame, lang, hasTwin }),
    developerLanguageOf,
  ),
  ...guides.flatMap((guide) => [
    get(guidePath(guide.slug), (frame, lang) => guidePage({ frame, lang, areas, guide })),
    get(
      `${guidePath(guide.slug)}.md`,
      (frame, lang) => ({
        status: 200,
        type: 'text/markdown',
        body: twinText(guide.text[lang], areas, { frame, lang, hasTwin }),
      }),
      developerLanguageOf,
    ),
  ]),
];
