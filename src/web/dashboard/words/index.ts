/** The words of the dashboard by language. */
import type { Language } from '../../login/language.js';
import { el } from './el.js';
import { en } from './en.js';
import type { DashboardWords } from './words.js';

export const words: Readonly<Record<Language, DashboardWords>> = { el, en };
