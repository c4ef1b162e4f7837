/** Every pattern of the source, against texts that make a backtracking engine work: none of a stranger's may grow with the square. */
import { describe, expect, it } from 'vitest';
import { filesUnder, sourceFolders } from '../../lib/source.js';
import { attackVolume } from '../volume.js';

const LITERAL =
  /(?<=[=(,:[!&|?{};]\s*|return\s|^\s+)\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)(?=[\s.,;)\]}])/gm;

/** These grow with the square, and see nothing but short or own text. */
const ofOwnText: Readonly<Record<string, string>> = {
  '/0+$/': 'the decimals of a number, at most twenty',
  '/\\/+$/': 'the base address of the configuration',
  '/\\s*\\n\\s*/g': 'the stylesheet',
};

const patterns = new Map(
  sourceFolders
    .flatMap(filesUnder)
    .flatMap(({ path, text }) =>
      [...text.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(LITERAL)].map(
        ([literal, source = '', flags = '']) =>
          [literal, { path, pattern: new RegExp(source, flags) }] as const,
      ),
    ),
);

const signs = [...'aA0 .-/"\t\n_\\\',;=%+([{<&é'];
const pairs = ['a.', 'a-', 'a ', '1.', 'a=', ' ,', '\\a', '%2', '.a', '"a'];
const pumped = [
  ...signs.slice(0, attackVolume(8, signs.length)),
  ...pairs.slice(0, attackVolume(3, pairs.length)),
];

/**
 * Time of the processor in ms, the smallest of some tries: another process on the machine does not count, nor does a collection of
 * memory beside it.
 */
const cost = (pattern: RegExp, text: string, tries: number): number => {
  const once = (): number => {
    const before = process.cpuUsage();
    pattern.lastIndex = 0;
    text.replace(pattern, '');
    // The kernel knows the sum exactly, and its two parts by samples.
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  return Math.min(...Array.from({ length: tries }, once));
};

const textOf = (piece: string, length: number): string => `${piece.repeat(length / piece.length)}\0`;

/** Four times the text costs a linear pattern four times as much, any other sixteen times or more. */
const growsWithSquare = (pattern: RegExp, piece: string): boolean => {
  const small = cost(pattern, textOf(piece, 4096), 12);
  if (small < 1) return false;
  return cost(pattern, textOf(piece, 16_384), 3) > 8 * small;
};

describe('patterns', () => {
  it('T-48: are found in the source, all of them', () => {
    expect(patterns.size).toBeGreaterThan(120);
    expect(Object.keys(ofOwnText).filter((literal) => !patterns.has(literal))).toEqual([]);
  });

  it('T-48: would be caught', () => {
    expect(growsWithSquare(/\s+$/, ' ')).toBe(true);
    expect(growsWithSquare(/^[a-z ]*$/, ' ')).toBe(false);
  });

  it('T-48: cost a long text as much as it is long', () => {
    const slow = [...patterns]
      .filter(([literal]) => ofOwnText[literal] === undefined)
      .filter(([, { pattern }]) => pumped.some((piece) => growsWithSquare(pattern, piece)))
      .map(([literal, { path }]) => `${path}: ${literal}`);
    expect(slow).toEqual([]);
  });
});
