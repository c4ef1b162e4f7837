/** The twin of a page: its main part as Markdown, at the same path with `.md` at its end. */
import type { PageAnswer } from '../../http/pages.js';
import type { Frame } from '../../web/frame.js';
import type { Language } from '../../web/language.js';
import { GUIDES } from '../guides/guides.js';
import { type Element, treeOf } from './html-tree.js';
import { markdownOf } from './markdown.js';

export const mainOf = (html: string): Element => treeOf(/<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? '');

/** The service and the language in which a twin is read. */
export interface TwinPlace {
  readonly frame: Frame;
  readonly lang: Language;
  readonly hasTwin: (path: string) => boolean;
}

/** Other twins are in English alone. */
const isBilingual = (path: string, { additions }: Frame): boolean =>
  path === GUIDES || path.startsWith(`${GUIDES}/`) || path === additions?.scenarios?.path;

/** Links lead from twin to twin, in the language of the text that names them: a program that follows them remembers no choice. */
export const twinAddress = (place: string, { frame, lang, hasTwin }: TwinPlace): string => {
  const [path = '', id] = place.split('#');
  const twin = hasTwin(path) ? `${path}.md${isBilingual(path, frame) ? `?lang=${lang}` : ''}` : path;
  return `${frame.baseUrl}${twin}${id === undefined ? '' : `#${id}`}`;
};

export const twinOf = (html: string, place: TwinPlace): PageAnswer => {
  const prefix = place.frame.href('');
  const address = (href: string): string =>
    href.startsWith('#') ? href : twinAddress(href.slice(prefix.length), place);
  return { status: 200, type: 'text/markdown', body: markdownOf(mainOf(html), address) };
};
