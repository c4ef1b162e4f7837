/** What the acts about maintenance say. */
import el from './texts/el.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };

export const texts = { el, en } satisfies Record<'el', Record<keyof typeof en, string>> &
  Record<'en', object>;
