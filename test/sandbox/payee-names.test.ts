/** The payee check of the demo bank, on 2,000 pairs made of the names of its people. The table is published in docs/payee-check.md. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compareNames } from '../../packages/sandbox/src/bank/payments/payee-names.js';
import { demoPsus } from '../../packages/sandbox/src/bank/people.js';
import { root } from '../lib/source.js';

const people = demoPsus.map(({ name }) => name.split(' ')).filter(({ length }) => length === 2);
const firstNames = people.map(([first = '']) => first);
const lastNames = people.map(([, last = '']) => last);
const PAIRS_OF_A_KIND = 200;

const bare = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');

const letters = 'αβγδεζηθικλμνξοπρσςτυφχψω';
/** An own table of ELOT 743, so that the check is not tried with itself. */
const passport = [
  'a',
  'v',
  'g',
  'd',
  'e',
  'z',
  'i',
  'th',
  'i',
  'k',
  'l',
  'm',
  'n',
  'x',
  'o',
  'p',
  'r',
  's',
  's',
  't',
];
const elotSingle = [...passport, 'y', 'f', 'ch', 'ps', 'o'];
const elot = (text: string): string =>
  bare(text)
    .toLowerCase()
    .replace(/ου/g, 'ou')
    .replace(/([αεη])υ(?=[θκξπσςτφχψ]|$|\s)/g, '$1f')
    .replace(/([αεη])υ/g, '$1v')
    .replace(/γγ/g, 'ng')
    .replace(/γξ/g, 'nx')
    .replace(/γχ/g, 'nch')
    .replace(/(^|\s)μπ/g, '$1b')
    .replace(/[α-ω]/g, (letter) => elotSingle[letters.indexOf(letter)] ?? letter);

/** Other usual ways to write the same sounds. */
const everyday: readonly (readonly [RegExp, string])[] = [
  [/ch/g, 'h'],
  [/f/g, 'ph'],
  [/ou/g, 'u'],
  [/y/g, 'i'],
  [/ei/g, 'i'],
  [/x/g, 'ks'],
  [/k/g, 'c'],
  [/ai/g, 'e'],
];

const without = (text: string, at: number): string => text.slice(0, at) + text.slice(at + 1);

interface Kind {
  readonly name: string;
  readonly typed: (held: string, index: number) => string;
}

const kinds: readonly Kind[] = [
  { name: 'as the bank has it', typed: (held) => held },
  { name: 'in capitals without accents', typed: (held) => bare(held).toUpperCase() },
  { name: 'last name first', typed: (held) => held.split(' ').toReversed().join(' ') },
  { name: 'in Latin letters, ELOT 743', typed: elot },
  {
    name: 'as on a passport: ELOT 743, capitals, last name first',
    typed: (held) => elot(held).toUpperCase().split(' ').toReversed().join(' '),
  },
  {
    name: 'in Latin letters, an everyday spelling',
    typed: (held, index) => {
      const [from, to] = everyday[index % everyday.length] ?? [/^$/, ''];
      return elot(held).replace(from, to);
    },
  },
  { name: 'a Greek letter left out', typed: (held, index) => without(held, 1 + (index % 4)) },
  { name: 'a Latin letter left out', typed: (held, index) => without(elot(held), 1 + (index % 4)) },
  {
    name: 'another first name',
    typed: (held, index) => held.replace(/^\S+/, firstNames[(index * 7 + 3) % firstNames.length] ?? ''),
  },
  { name: 'another person, in Latin letters', typed: (_held, index) => elot(nameAt(index * 11 + 5)) },
];

const nameAt = (index: number): string =>
  `${firstNames[index % firstNames.length]} ${lastNames[(index * 3 + Math.floor(index / firstNames.length)) % lastNames.length]}`;

const verdicts = ['match', 'close', 'no-match'] as const;

const judged = kinds.map(({ name, typed }) => {
  const found = { match: 0, close: 0, 'no-match': 0 };
  for (let index = 0; index < PAIRS_OF_A_KIND; index += 1) {
    const held = nameAt(index);
    found[compareNames(held, typed(held, index))] += 1;
  }
  return { name, found };
});

const page = `# The payee check of the demo bank

A payer reads whether the name of the payee belongs to the account (Regulation (EU) 2024/886). The demo bank compares without accents, case
and the order of first and last name. A Greek name may be typed in Latin letters: by ELOT 743, as on a passport, or in one of the other usual
ways. Two names of one alphabet are never the same only because they sound alike. One or two letters off is close.

${PAIRS_OF_A_KIND * kinds.length} pairs, made of first and last names of the demo bank's people; \`test/sandbox/payee-names.test.ts\` makes them and this page
(\`npx vitest run test/sandbox/payee-names.test.ts -u\`):

| The payer types | match | close | no match |
|---|---:|---:|---:|
${judged.map(({ name, found }) => `| ${name} | ${verdicts.map((verdict) => found[verdict]).join(' | ')} |`).join('\n')}
`;

it('the page about the payee check has the verdicts of today', async () => {
  await expect(page).toMatchFileSnapshot(join(root, 'docs/payee-check.md'));
});

it.each(judged.slice(0, 5))('whoever types the right name, $name, is told that it matches', ({ found }) => {
  expect(found).toEqual({ match: PAIRS_OF_A_KIND, close: 0, 'no-match': 0 });
});

it('an everyday spelling in Latin letters is hardly ever asked about, and never refused', () => {
  expect(judged[5]?.found.match).toBeGreaterThanOrEqual(PAIRS_OF_A_KIND - 2);
  expect(judged[5]?.found['no-match']).toBe(0);
});

it.each(judged.slice(8))('$name: the payer is warned', ({ found }) => {
  expect(found).toEqual({ match: 0, close: 0, 'no-match': PAIRS_OF_A_KIND });
});

it.each(judged.slice(6, 8))('$name: the payer is asked', ({ found }) => {
  expect(found['no-match']).toBe(0);
  expect(found.match).toBeLessThan(PAIRS_OF_A_KIND / 5);
});

it.each([
  ['Χρήστος', 'Hristos', 'match'],
  ['Χρήστος', 'Khristos', 'match'],
  ['Ευγενία', 'Eugenia', 'match'],
  ['Ευτυχία', 'Eftichia', 'match'],
  ['Φίλιππος', 'Philippos', 'match'],
  ['Βασίλης', 'Basilis', 'close'],
  ['Λίνα', 'Λήνα', 'close'],
  ['Μαρία', 'Ελένη', 'no-match'],
] as const)('%s and %s: %s', (held, typed, verdict) => {
  expect(compareNames(`${held} Αλεξίου`, `${typed} ${/[a-z]/.test(typed) ? 'Alexiou' : 'Αλεξίου'}`)).toBe(
    verdict,
  );
});
