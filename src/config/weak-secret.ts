/**
 * Why a secret can be guessed. Everything sealed under it is a way to try guesses without asking us, so no guess may be cheap;
 * and stretching it would only multiply the cost, while a random one of 32 characters is out of reach anyway.
 */
const WORDS =
  /password|passphrase|secret|change.?me|qwerty|letmein|trapeza|example|default|production|sandbox|1234567890|abcdefgh/i;

const share = (steps: readonly boolean[]): number =>
  steps.filter((each) => each).length / Math.max(1, steps.length);

/** Random text in hexadecimal or base64 fails none of these by chance: short runs such as 12345 do occur in it. */
export const weaknessOf = (secret: string): string | undefined => {
  const characters = [...secret];
  if (new Set(characters).size < 9) return 'it has fewer than 9 different characters';
  const triples = characters.slice(2).map((_, index) => characters.slice(index, index + 3).join(''));
  if (new Set(triples).size < 0.75 * triples.length) return 'it repeats itself';
  const codes = characters.map((each) => each.codePointAt(0) ?? 0);
  const near = codes.slice(1).map((code, index) => Math.abs(code - (codes[index] ?? 0)) <= 1);
  if (share(near) > 0.5) return 'it counts up or down';
  const [word] = WORDS.exec(secret) ?? [];
  return word === undefined ? undefined : 'it contains a word that everybody tries first';
};
