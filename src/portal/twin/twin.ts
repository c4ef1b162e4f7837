/** The twin of a page: its main part as Markdown, at the same path with `.md` at its end. */
import type { PageAnswer } from '../../http/pages.js';
import type { Frame } from '../../web/frame.js';
import { type Element, treeOf } from './html-tree.js';
import { markdownOf } from './markdown.js';

export const mainOf = (html: string): Element => treeOf(/<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? '');

export const twinOf = (html: string, frame: Frame, hasTwin: (path: string) => boolean): PageAnswer => {
  const prefix = frame.href('');
  /** Links lead from twin to twin. */
  const address = (href: string): string => {
    if (href.startsWith('#')) return href;
    const [path = '', id] = href.slice(prefix.length).split('#');
    return `${frame.baseUrl}${path}${hasTwin(path) ? '.md' : ''}${id === undefined ? '' : `#${id}`}`;
  };
  return { status: 200, type: 'text/markdown', body: markdownOf(mainOf(html), address) };
};
