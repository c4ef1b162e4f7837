/** Moments, days and numbers of these pages in the language of the reader. */
import type { Language } from '../../web/language.js';

const locales = { el: 'el-GR', en: 'en-GB' } as const;

export const momentText = (at: number, lang: Language, timeZone: string): string =>
  new Intl.DateTimeFormat(locales[lang], { dateStyle: 'long', timeStyle: 'short', timeZone }).format(at);

export const dayText = (date: string, lang: Language): string =>
  new Intl.DateTimeFormat(locales[lang], { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    Date.parse(date),
  );

export const numberText = (value: number | null | undefined, digits: number, lang: Language): string =>
  value === null || value === undefined
    ? '–'
    : value.toLocaleString(locales[lang], { minimumFractionDigits: digits, maximumFractionDigits: digits });
