/** Blocks of code in Markdown, and whether a program printed what the block after its call says. */
import { expect } from 'vitest';

export interface Fence {
  readonly language: string;
  readonly content: string;
  readonly start: number;
  readonly end: number;
}

export const fencesIn = (text: string): Fence[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1] ?? '',
    content: match[2] ?? '',
    start: match.index,
    end: match.index + match[0].length,
  }));

/** The block that follows another directly. */
export const nextTo = (text: string, fences: readonly Fence[], index: number): Fence | undefined => {
  const [fence, next] = [fences[index], fences[index + 1]];
  return fence && next && text.slice(fence.end, next.start).trim() === '' ? next : undefined;
};

/** JSON without the white space between its parts, also when it is cut off. */
export const compact = (text: string): string =>
  text.replace(/"(?:\\.|[^"\\])*"|\s+/g, (part) => (part.startsWith('"') ? part : ''));

/** A text of which `…` is the rest stands for all that begin so. */
const open = (value: unknown): unknown => {
  if (typeof value === 'string' && value.endsWith('…'))
    return expect.stringMatching(new RegExp(`^${value.slice(0, -1).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`));
  if (Array.isArray(value)) return value.map(open);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, open(each)]));
};

/** A line with nothing but `…` stands for everything that follows. */
export const expectPrinted = (
  printed: string,
  { language, content }: Pick<Fence, 'language' | 'content'>,
): void => {
  const [beginning = '', ...rest] = content.split(/^\s*…\s*$/m);
  if (rest.length > 0) expect(compact(printed).slice(0, compact(beginning).length)).toBe(compact(beginning));
  else if (language === 'json') expect(JSON.parse(printed)).toEqual(open(JSON.parse(content)));
  else expect(printed.trim()).toEqual(open(content.trim()));
};
