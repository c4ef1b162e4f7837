/** The texts of the portal in both languages. */
import type { Language } from '../../../web/language.js';
import { el } from './el.js';
import { en, type PortalMessages } from './en.js';

export type { PortalMessages };

export const messages: Readonly<Record<Language, PortalMessages>> = { el, en };

/** Why an address is refused, in the language of the page. */
export const faultText = ({ faults }: PortalMessages, fault: string): string => faults[fault] ?? fault;

/** How an attempt to deliver went; an unknown code of the system stays as it is. */
export const outcomeText = ({ hooks }: PortalMessages, outcome: string): string => {
  const how = outcome.replace(/^given up: /, '');
  return how.startsWith('status ') ? hooks.status(how.slice('status '.length)) : (hooks.outcomes[how] ?? how);
};

/** Products and roles, each with its code. */
export const namesText = ({ start }: PortalMessages, codes: readonly string[]): string =>
  codes.map((code) => (start.names[code] ? `${start.names[code]} (${code})` : code)).join(', ');
