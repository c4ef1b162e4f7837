/** Pieces of a feed inside a message: short, and without characters that move a terminal's cursor or turn text around. */
const MAX_SHOWN = 40;

const codePoint = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

const escaped = (text: string): string =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${codePoint(character)}}`);

const shortened = (text: string, limit: number): string => {
  // Twice the limit in UTF-16 units always holds that many characters: a huge text is not taken apart.
  const characters = [...text.slice(0, 2 * limit + 2)];
  return characters.length > limit ? `${characters.slice(0, limit).join('')}…` : text;
};

/** The name of a member that the feed made up. */
export const showName = (name: string): string => escaped(shortened(name, MAX_SHOWN));

export const quote = (text: string): string =>
  `"${escaped(shortened(text, MAX_SHOWN).replace(/["\\]/g, '\\$&'))}"`;

/** A message of a parser, which may hold a piece of the file. */
export const showMessage = (error: unknown): string =>
  error instanceof Error ? escaped(shortened(error.message, 200)) : '';

/** `U+039C U+0399 U+039D`: the only way to tell two alphabets apart in a message. */
export const codePoints = (text: string): string =>
  [...text.slice(0, MAX_SHOWN)].map((character) => `U+${codePoint(character)}`).join(' ');
