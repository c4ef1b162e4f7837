/** What the acts about accounts of the console say. */
import type { WholeTexts } from '../acts/texts.js';
import el from './texts/el.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };

export const texts = { el, en } satisfies WholeTexts<keyof typeof en>;
