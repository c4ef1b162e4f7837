/**
 * How far two names of a person agree. A Greek name is written in Latin letters by ELOT 743 on passports and otherwise in many ways
 * (`Χρήστος`: Christos, Hristos, Khristos), so names of two alphabets are compared by their sound.
 */

/** ELOT 743; two letters that are one sound come first. */
const elot: Readonly<Record<string, string>> = {
  ...{ ου: 'ou', γγ: 'ng', γξ: 'nx', γχ: 'nch', γκ: 'gk', ντ: 'nt', μπ: 'mp', αυ: 'au', ευ: 'eu', ηυ: 'iu' },
  ...{ α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm' },
  ...{
    ν: 'n',
    ξ: 'x',
    ο: 'o',
    π: 'p',
    ρ: 'r',
    σ: 's',
    ς: 's',
    τ: 't',
    υ: 'y',
    φ: 'f',
    χ: 'ch',
    ψ: 'ps',
    ω: 'o',
  },
};
const GREEK = new RegExp(Object.keys(elot).join('|'), 'gu');

/** Spellings of one sound, in this order. */
const sounds: readonly (readonly [RegExp, string])[] = [
  [/ph/g, 'f'],
  [/ch|kh/g, 'h'],
  [/ks/g, 'x'],
  [/w/g, 'o'],
  [/c|q/g, 'k'],
  [/([ae])[uv](?=[aeiouyvgdzlmnrb])/g, '$1v'],
  [/([ae])[uvf](?=[hfkpstx]|$)/g, '$1f'],
  [/ou/g, 'u'],
  [/[eo]i|y/g, 'i'],
  [/ai/g, 'e'],
  [/mp/g, 'b'],
  [/ng|gk/g, 'g'],
  [/(.)\1/gu, '$1'],
];

/** Which of them people mix up beyond that: of two such names the payer is asked. */
const mixedUp: readonly (readonly [RegExp, string])[] = [
  [/v/g, 'b'],
  [/x/g, 'h'],
  [/nt/g, 'd'],
  [/8/g, 'th'],
  [/j/g, 'i'],
  [/gi/g, 'i'],
  [/u/g, 'i'],
];

const replaced = (text: string, rules: typeof sounds): string =>
  rules.reduce((left, [from, to]) => left.replace(from, to), text);

const sorted = (words: readonly string[]): string => words.toSorted().join(' ');

interface ReadName {
  readonly isGreek: boolean;
  /** Without case, accents, punctuation and the order of first and last name. */
  readonly plain: string;
  readonly sound: string;
  readonly loose: string;
}

const read = (name: string): ReadName => {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const soundsOf = words.map((word) =>
    replaced(
      word.replace(GREEK, (letters) => elot[letters] ?? letters),
      sounds,
    ),
  );
  return {
    isGreek: words.some((word) => /\p{Script=Greek}/u.test(word)),
    plain: sorted(words),
    sound: sorted(soundsOf),
    loose: sorted(soundsOf.map((word) => replaced(word, mixedUp))),
  };
};

/** How many letters must be added, left out or changed. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + Number(letter !== other)),
      );
    row = next;
  }
  return row[b.length] ?? 0;
};

const CLOSE = 2;

/** Two Greek names that only sound alike are two names. */
export const compareNames = (held: string, typed: string): 'match' | 'close' | 'no-match' => {
  const [a, b] = [read(held), read(typed)];
  if (a.plain === b.plain) return 'match';
  if (a.isGreek !== b.isGreek && a.sound === b.sound) return 'match';
  if (distance(a.plain, b.plain) <= CLOSE) return 'close';
  return distance(a.loose, b.loose) <= CLOSE ? 'close' : 'no-match';
};
