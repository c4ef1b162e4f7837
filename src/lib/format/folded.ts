/** The one folding of names and words, which every search compares. */

/** Letters that are no accented forms of others, and letters that look alike in capitals: `ATM` is found whichever alphabet it was typed in. */
const others: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
  ...{ α: 'a', β: 'b', ε: 'e', ζ: 'z', η: 'h', ι: 'i', κ: 'k', μ: 'm', ν: 'n', ο: 'o' },
  ...{ ρ: 'p', ς: 'σ', τ: 't', υ: 'y', χ: 'x' },
};
const OTHER = new RegExp(`[${Object.keys(others).join('')}]`, 'gu');

/** Without accents, cases, final forms and the alphabet of look-alikes: «Αθηνάς» is found by «ΑΘΗΝΑΣ». Only to be compared with its like. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(OTHER, (letter) => others[letter] ?? letter);

/** The same without blanks and signs. */
export const foldedLetters = (text: string): string => folded(text).replace(/[^\p{L}\p{N}]/gu, '');
