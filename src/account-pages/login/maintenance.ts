/** What pages say if the bank is under maintenance and says for how long. */
import { HOUR, MINUTE, SECOND } from '../../lib/clock.js';
import { Problem } from '../../problem/problem.js';
import type { Language } from '../../web/language.js';

const sentences: Readonly<Record<Language, (when: string) => string>> = {
  el: (when) => `Γίνονται εργασίες συντήρησης. Η τράπεζα θα είναι ξανά διαθέσιμη ${when}. `,
  en: (when) => `Maintenance work is under way. The bank answers again ${when}. `,
};

/** A sentence to put before the others; empty if nothing is known. */
export const maintenanceText = (error: unknown, lang: Language): string => {
  if (!(error instanceof Problem) || error.slug !== 'dependency-unavailable') return '';
  const ms = Number(error.details.headers?.['Retry-After'] ?? 0) * SECOND;
  if (ms < MINUTE) return '';
  const duration = new Intl.RelativeTimeFormat(lang);
  return sentences[lang](
    ms > 2 * HOUR
      ? duration.format(Math.ceil(ms / HOUR), 'hour')
      : duration.format(Math.ceil(ms / MINUTE), 'minute'),
  );
};
