/** The language of a page for account holders: what they chose, else what their browser asks for, else Greek. */
import Negotiator from 'negotiator';
import type { PageAnswer, PageCookie, PageRequest } from '../http/pages.js';

export const languages = ['el', 'en'] as const;
export type Language = (typeof languages)[number];

/** Of what is written in ours alone: English for readers of another language. */
export const ownLanguage = (lang: string): Language => (lang === 'el' ? 'el' : 'en');

const COOKIE = 'lang';
const A_YEAR_SECONDS = 31_536_000;

const known = <L extends string>(text: string | undefined, offered: readonly L[]): L | undefined =>
  offered.find((each) => each === text);

type Hints = Pick<PageRequest, 'query' | 'cookies' | 'headers'>;

/** A bank may offer more languages on the pages for its account holders. */
const languageAmong = <L extends string>(
  { query, cookies, headers }: Hints,
  offered: readonly L[],
): L | undefined =>
  known(query.lang, offered) ??
  known(cookies[`__Host-${COOKIE}`] ?? cookies[COOKIE], offered) ??
  preferredAmong(headers['accept-language'], offered);

export const languageOf = (hints: Hints): Language => languageAmong(hints, languages) ?? 'el';

/** What a page for account holders is written in. */
interface Offer {
  readonly brand: { readonly texts: { readonly languages: readonly string[] } };
}
export const pageLanguageOf = (hints: Hints, { brand }: Offer): string =>
  languageAmong(hints, brand.texts.languages) ?? 'el';

/** The one of ours that the header likes best, if it likes one. */
export const preferredAmong = <L extends string>(
  header: string | undefined,
  offered: readonly L[],
): L | undefined =>
  header === undefined
    ? undefined
    : known(new Negotiator({ headers: { 'accept-language': header } }).language([...offered]), offered);

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
export const inLanguage = (request: Hints, answer: PageAnswer): PageAnswer => ({
  ...answer,
  headers: { ...answer.headers, 'Content-Language': languageOf(request), Vary: 'Accept-Language, Cookie' },
  cookies: languageCookies(request),
});
