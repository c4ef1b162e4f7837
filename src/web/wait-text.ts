/** How long a person waits, in words: seconds up to a minute, then minutes. */
import { MINUTE, SECOND } from '../lib/clock.js';
import type { Language } from './language.js';

const locales = { el: 'el-GR', en: 'en-GB' } as const;

export const waitText = (lang: Language, ms: number): string => {
  const [unit, count] =
    ms <= MINUTE ? (['second', ms / SECOND] as const) : (['minute', ms / MINUTE] as const);
  const format = new Intl.NumberFormat(locales[lang], { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.max(1, Math.ceil(count)));
};
