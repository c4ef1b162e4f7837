/** Formatters are made once: to make one takes a hundred times as long as to use it. */
import { LruCache } from '../lru-cache.js';

/** A few locales with the currencies of the world. */
const KEPT = 500;

const numbers = new LruCache<Intl.NumberFormat>(KEPT);
const dates = new LruCache<Intl.DateTimeFormat>(KEPT);

const kept = <Format>(cache: LruCache<Format>, key: string, make: () => Format): Format => {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  cache.set(key, made);
  return made;
};

export const numberFormat = (locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  kept(numbers, `${locale} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(locale, options));

export const dateFormat = (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  kept(dates, `${locale} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(locale, options));
