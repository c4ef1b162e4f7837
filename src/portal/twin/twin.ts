/** The twin of a page: its main part as Markdown, at the same path with `.md` at its end. */
import type { PageAnswer } from '../../http/pages.js';
import type { Frame } from '../../web/frame.js';
import { type Element, treeOf } from './html-tree.js';
import { markdownOf } from './markdown.js';

export const mainOf = (html: string): Element => treeOf(/<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? '');

type HasTwin = (path: string) => boolean;

/** Links lead from twin to twin. */
export const twinAddress = (place: string, { baseUrl }: Frame, hasTwin: HasTwin): string => {
  const [path = '', id] = place.split('#');
  return `${baseUrl}${path}${hasTwin(path) ? '.md' : ''}${id === undefined ? '' : `#${id}`}`;
};

export const twinOf = (html: string, frame: Frame, hasTwin: HasTwin): PageAnswer => {
  const prefix = frame.href('');
  const address = (href: string): string =>
    href.startsWith('#') ? href : twinAddress(href.slice(prefix.length), frame, hasTwin);
  return { status: 200, type: 'text/markdown', body: markdownOf(mainOf(html), address) };
};
