/**
 * Texts of acts in two languages, under flat keys: `ACT` is its name, `ACT.effect` what it does, `ACT.FIELD` or else `field.FIELD` a field
 * with its `.hint`, `ACT.proposed` what waits for a second person, `done.X` the outcome, `refusal.X` why it was refused.
 */
import { format, parseTemplate, type Values } from '../lib/format/template.js';

export type Tongue = 'el' | 'en';
export type Texts<Key extends string = string> = Readonly<
  Record<Tongue, Readonly<Partial<Record<Key, string>>>>
>;

/** Each text in both languages: for what a room writes. */
export type WholeTexts<Key extends string> = Readonly<Record<Tongue, Readonly<Record<Key, string>>>>;

/** Undefined if there is no such text. */
export const findText = (
  texts: Texts,
  lang: Tongue,
  key: string,
  values: Values = {},
): string | undefined => {
  const text = texts[lang][key];
  return text === undefined ? undefined : format(parseTemplate(text), values, lang);
};

export const actText = (texts: Texts, lang: Tongue, key: string, values?: Values): string => {
  const text = findText(texts, lang, key, values);
  if (text === undefined) throw new Error(`there is no text ${key}`);
  return text;
};
