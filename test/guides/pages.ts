/** A guide as its reader has it: the blocks of its page and of the Markdown twin, and the picture. */
import { guidePath } from '../../src/portal/guides/guides.js';
import type { Language } from '../../src/web/language.js';
import { type Fence, fencesIn } from '../lib/fences.js';

/** The text that a browser shows and copies. */
const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

export interface GuidePage {
  readonly html: string;
  readonly markdown: string;
}

export const readGuide = async (base: string, slug: string, lang: Language): Promise<GuidePage> => {
  const read = async (path: string): Promise<string> =>
    (await fetch(`${base}${guidePath(slug)}${path}?lang=${lang}`)).text();
  const [html, markdown] = await Promise.all([read(''), read('.md')]);
  return { html, markdown };
};

export const isPicture = ({ language }: Fence): boolean => language === 'mermaid';

/** What is to be pasted, on the page and in its twin. */
export const blocksOf = ({ html, markdown }: GuidePage) => ({
  page: [...html.matchAll(/<pre><code>([\s\S]*?)<\/code><\/pre>/g)].map(([, code = '']) => textOf(code)),
  twin: fencesIn(markdown)
    .filter((fence) => !isPicture(fence))
    .map(({ content }) => content.trimEnd()),
});

const articleOf = (html: string): string =>
  /<article[^>]*>([\s\S]*)<p class="small">[\s\S]*?<\/article>/.exec(html)?.[1] ?? '';

const withoutCode = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```$/gm, '');

/** Of the page and of its twin, with their level. */
export const headingsOf = ({ html, markdown }: GuidePage) => ({
  page: [...articleOf(html).matchAll(/<h([1-6])[^>]*>([\s\S]*?)<\/h\1>/g)].map(
    ([, level, text = '']) => `${level} ${textOf(text)}`,
  ),
  twin: [...withoutCode(markdown).matchAll(/^(#+) (.+)$/gm)].map(
    ([, marks = '', text = '']) => `${marks.length} ${text.replace(/[`*]/g, '')}`,
  ),
});

/** Where they lead, from the address of the service on: a link of a twin leads to a twin, in its language. */
export const linksOf = ({ html, markdown }: GuidePage, base: string) => ({
  page: [...articleOf(html).matchAll(/ href="([^"]*)"/g)].map(([, href = '']) =>
    new URL(href, base).href.slice(base.length),
  ),
  twin: [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) =>
    new URL(link).href.slice(base.length).replace(/\.md(?:\?lang=\w+)?(?=#|$)/, ''),
  ),
});

/** Who says what to whom, as the picture of the page says it and as the twin does. */
export const messagesOf = ({ html, markdown }: GuidePage) => {
  const list = /<ol id="sequence-text">([\s\S]*?)<\/ol>/.exec(html)?.[1] ?? '';
  const source = fencesIn(markdown).find(isPicture)?.content ?? '';
  const names = new Map(
    [...source.matchAll(/^ *participant (\w+) as (.+)$/gm)].map(([, id = '', name = '']) => [id, name]),
  );
  return {
    page: [...list.matchAll(/<li>([\s\S]*?)<\/li>/g)].map(([, text = '']) => textOf(text)),
    twin: [...source.matchAll(/^ *(\w+)-?->>(\w+): (.+)$/gm)].map(
      ([, from = '', to = '', text = '']) => `${names.get(from)} → ${names.get(to)}: ${text}`,
    ),
  };
};
