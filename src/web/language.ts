/** The language of an answer: what its reader chose, else what their software asks for, else that of its kind. */
import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import type { PageAnswer, PageCookie, PageRequest } from '../http/pages.js';

export const languages = ['el', 'en'] as const;
export type Language = (typeof languages)[number];

/** Of what is written in ours alone: English for readers of another language. */
export const ownLanguage = (lang: string): Language => (lang === 'el' ? 'el' : 'en');

const COOKIE = 'lang';
const CHOICE = /(?:^|;\s*)(?:__Host-)?lang=([a-z]{2,3})\b/;
const A_YEAR_SECONDS = 31_536_000;

const known = <L extends string>(text: string | undefined, offered: readonly L[]): L | undefined =>
  offered.find((each) => each === text);

type Hints = Pick<PageRequest, 'query' | 'cookies' | 'headers'>;

/** Of a request that no page has read yet. */
export const hintsOf = ({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): Hints => ({
  query: { lang: new URLSearchParams(url.split('?')[1]).get('lang') ?? undefined },
  cookies: { [COOKIE]: CHOICE.exec(headers.cookie ?? '')?.[1] },
  headers: { 'accept-language': headers['accept-language'] },
});

/** A bank may offer more languages on the pages for its account holders. */
const languageAmong = <L extends string>(
  { query, cookies, headers }: Hints,
  offered: readonly L[],
): L | undefined =>
  known(query.lang, offered) ??
  known(cookies[`__Host-${COOKIE}`] ?? cookies[COOKIE], offered) ??
  preferredAmong(headers['accept-language'], offered);

/** Of a page: account holders are Greek. */
export const languageOf = (hints: Hints): Language => languageAmong(hints, languages) ?? 'el';

/** Of what is for developers, who come from anywhere, and for their programs, which say nothing: twins in Markdown, the search. */
export const developerLanguageOf = (hints: Hints): Language => languageAmong(hints, languages) ?? 'en';

/** What a page for account holders is written in. */
interface Offer {
  readonly brand: { readonly texts: { readonly languages: readonly string[] } };
}
export const pageLanguageOf = (hints: Hints, { brand }: Offer): string =>
  languageAmong(hints, brand.texts.languages) ?? 'el';

/** Programs send `*` on their own: it prefers none. */
const ANY = /^\s*\*/;

/** The one of ours that the header likes best, if it likes one. */
export const preferredAmong = <L extends string>(
  header: string | undefined,
  offered: readonly L[],
): L | undefined => {
  const named = (header ?? '').split(',').filter((range) => !ANY.test(range) && range.trim() !== '');
  if (named.length === 0) return undefined;
  const headers = { 'accept-language': named.join(',') };
  return known(new Negotiator({ headers }).language([...offered]), offered);
};

export const preferredLanguage = (header: string | undefined): Language | undefined =>
  preferredAmong(header, languages);

/** Whether a form was posted only to be shown in another language. */
export const isLanguageChange = ({ query }: Pick<Hints, 'query'>): boolean => query.lang !== undefined;

/** Keeps a choice made by `?lang=`; empty if none was made. */
export const languageCookies = ({ query }: Hints, offer?: Offer): readonly PageCookie[] => {
  const chosen = known<string>(query.lang, offer?.brand.texts.languages ?? languages);
  return chosen ? [{ name: COOKIE, value: chosen, maxAge: A_YEAR_SECONDS, isOfHost: true }] : [];
};

/** A page for everybody in the language of its reader, whose choice is kept. */
export const inLanguage = (
  request: Hints,
  answer: PageAnswer,
  lang: Language = languageOf(request),
): PageAnswer => ({
  ...answer,
  headers: { ...answer.headers, 'Content-Language': lang, Vary: 'Accept-Language, Cookie' },
  cookies: languageCookies(request),
});
