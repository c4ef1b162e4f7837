/** The words of the approval journey by language. */
import type { Language } from '../../../web/language.js';
import { el } from './el.js';
import { en } from './en.js';
import type { ApprovalMessages } from './messages.js';

export const messages: Readonly<Record<Language, ApprovalMessages>> = { el, en };
