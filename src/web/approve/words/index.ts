/** The words of the approval journey by language. */
import type { Language } from '../../login/language.js';
import { el } from './el.js';
import { en } from './en.js';
import type { ApprovalWords } from './words.js';

export const words: Readonly<Record<Language, ApprovalWords>> = { el, en };
