/** The guides: Markdown files that are packaged with the product, read once. Their first heading and paragraph are title and summary. */
import { readFileSync } from 'node:fs';
import { ownFile } from '../../lib/own-file.js';
import type { Frame } from '../../web/frame.js';
import { type Language, languages } from '../../web/language.js';
import type { SearchDocument } from '../search/search-index.js';

/** The list of them. */
export const GUIDES = '/docs/guides';

type ByLanguage = Readonly<Record<Language, string>>;

export interface Guide {
  readonly slug: string;
  readonly title: ByLanguage;
  /** One or two sentences, without marks. */
  readonly summary: ByLanguage;
  /** Markdown, with the address of a sandbox on one's own machine. */
  readonly text: ByLanguage;
}

/** The address that the files speak of; pages speak of the service's own. */
export const WRITTEN_ADDRESS = 'http://127.0.0.1:8080';

const BEGINNING = /^# (?<title>.+)\n\n(?<summary>[^\n]+(?:\n[^\n]+)*)\n/;

/** What stands between the summary and the end, for a page that has the beginning as its head. */
export const bodyOf = (text: string): string => text.replace(BEGINNING, '');

const plain = (text = ''): string => text.replaceAll('`', '').replace(/\s+/g, ' ');

const byLanguage = (make: (lang: Language) => string): ByLanguage =>
  Object.fromEntries(languages.map((lang) => [lang, make(lang)])) as ByLanguage;

const guideOf = (slug: string): Guide => {
  const text = byLanguage((lang) => readFileSync(ownFile(`docs/guides/${slug}.${lang}.md`), 'utf8'));
  const part = (name: 'title' | 'summary') =>
    byLanguage((lang) => plain(BEGINNING.exec(text[lang])?.groups?.[name]));
  return { slug, title: part('title'), summary: part('summary'), text };
};

/** In the order in which one reads them. */
const slugs = [
  'first-call',
  'oauth',
  'funds-confirmation',
  'account-access',
  'payment',
  'one-redirect',
  'signatures',
  'notifications',
  'limits',
  'going-live',
  'ci',
  'berlin-group',
] as const;

export const guides: readonly Guide[] = slugs.map(guideOf);

export interface ListedGuide extends Pick<Guide, 'title' | 'summary'> {
  readonly path: string;
}

/** With the catalogue of scenarios, which is a page of an extension. */
export const listedGuides = ({ additions }: Frame): readonly ListedGuide[] => [
  ...guides.map(({ slug, title, summary }) => ({ path: guidePath(slug), title, summary })),
  ...(additions?.links ?? [])
    .filter(({ path }) => path === additions?.scenarios?.path)
    .map(({ path, names, about }) => ({ path, title: names, summary: about })),
];

/** Without code and marks, in both languages, for the search. */
export const searchableGuides = (): readonly SearchDocument[] =>
  guides.flatMap(({ slug, title, text }) =>
    languages.map((lang) => ({
      path: `${guidePath(slug)}?lang=${lang}`,
      lang,
      title: title[lang],
      text: text[lang].replace(/```.*?```/gs, ' ').replace(/\]\([^)]*\)|[`*#|>[\]]/g, ' '),
    })),
  );

export const guidePath = (slug: string): string => `${GUIDES}/${slug}`;
