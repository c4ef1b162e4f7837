/** The texts of the portal in both languages. */
import type { Language } from '../../../web/language.js';
import { el } from './el.js';
import { en, type PortalMessages } from './en.js';

export type { PortalMessages };

export const messages: Readonly<Record<Language, PortalMessages>> = { el, en };

/** Why an address is refused, in the language of the page. */
export const faultText = ({ faults }: PortalMessages, fault: string): string => faults[fault] ?? fault;
