/** The language of a page for account holders: what they chose, else what their browser asks for, else Greek. */
import Negotiator from 'negotiator';
import type { PageCookie, PageRequest } from '../http/pages.js';

export const languages = ['el', 'en'] as const;
export type Language = (typeof languages)[number];

const COOKIE = 'lang';
const A_YEAR_SECONDS = 31_536_000;

const known = (text: string | undefined): Language | undefined => languages.find((each) => each === text);

type Hints = Pick<PageRequest, 'query' | 'cookies' | 'headers'>;

export const languageOf = ({ query, cookies, headers }: Hints): Language =>
  known(query.lang) ??
  known(cookies[`__Host-${COOKIE}`] ?? cookies[COOKIE]) ??
  preferredLanguage(headers['accept-language']) ??
  'el';

/** The one of ours that the header likes best, if it likes one. */
export const preferredLanguage = (header: string | undefined): Language | undefined =>
  header === undefined
    ? undefined
    : known(new Negotiator({ headers: { 'accept-language': header } }).language([...languages]));

/** Whether a form was posted only to be shown in another language. */
export const isLanguageChange = ({ query }: Pick<Hints, 'query'>): boolean => known(query.lang) !== undefined;

/** Keeps a choice made by `?lang=`; empty if none was made. */
export const languageCookies = ({ query }: Hints): readonly PageCookie[] => {
  const chosen = known(query.lang);
  return chosen ? [{ name: COOKIE, value: chosen, maxAge: A_YEAR_SECONDS, isOfHost: true }] : [];
};
