/** The words of the dashboard by language. */
import type { Language } from '../../../web/language.js';
import { el } from './el.js';
import { en } from './en.js';
import type { DashboardMessages } from './messages.js';

export const messages: Readonly<Record<Language, DashboardMessages>> = { el, en };
