/** What the console says, in both languages. */
import type { Language } from '../../web/language.js';
import { el } from './el.js';
import { en, type OperatorMessages } from './en.js';

export type { OperatorMessages };

export const messages: Readonly<Record<Language, OperatorMessages>> = { el, en };
