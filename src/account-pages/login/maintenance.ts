/** What pages say if the bank is under maintenance and says for how long. */
import { HOUR, MINUTE, SECOND } from '../../lib/clock.js';
import { Problem } from '../../problem/problem.js';
import type { Frame } from '../../web/frame.js';
import type { Language } from '../../web/language.js';

export const maintenanceTexts: Readonly<Record<Language, { readonly text: (when: string) => string }>> = {
  el: { text: (when) => `Γίνονται εργασίες συντήρησης. Η τράπεζα θα είναι ξανά διαθέσιμη ${when}. ` },
  en: { text: (when) => `Maintenance work is under way. The bank answers again ${when}. ` },
};

/** A sentence to put before the others; empty if nothing is known. */
export const maintenanceText = (error: unknown, { brand }: Frame, lang: string): string => {
  if (!(error instanceof Problem) || error.slug !== 'dependency-unavailable') return '';
  const ms = Number(error.details.headers?.['Retry-After'] ?? 0) * SECOND;
  if (ms < MINUTE) return '';
  const duration = new Intl.RelativeTimeFormat(lang);
  return brand.texts
    .in('maintenance', maintenanceTexts, lang)
    .text(
      ms > 2 * HOUR
        ? duration.format(Math.ceil(ms / HOUR), 'hour')
        : duration.format(Math.ceil(ms / MINUTE), 'minute'),
    );
};
