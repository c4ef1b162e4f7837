/** Strict JSON is JSON.parse, but for members that are there twice: held against an oracle that writes them and knows where. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonFault, parseStrictJson } from '../../src/lib/format/strict-json.js';
import { inTier } from '../support/tier.js';

/** A document as it is written: an object is a list of members, and may have one twice. */
type Written =
  | { readonly kind: 'leaf'; readonly text: string }
  | { readonly kind: 'list'; readonly entries: readonly Written[] }
  | { readonly kind: 'object'; readonly members: readonly Member[] };
type Member = { readonly name: string; readonly isEscaped: boolean; readonly value: Written };

const names = fc.constantFrom(
  'a',
  'b',
  '',
  ':',
  '"',
  '\\',
  '{',
  'a"',
  'é',
  '😀',
  '__proto__',
  'constructor',
  '0',
);

const { tree } = fc.letrec<{ tree: Written; list: Written; object: Written; leaf: Written }>((tie) => ({
  tree: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('leaf'), tie('list'), tie('object')),
  leaf: fc.oneof(fc.jsonValue({ maxDepth: 0 }), names).map((value) => ({
    kind: 'leaf' as const,
    text: JSON.stringify(value),
  })),
  list: fc.array(tie('tree'), { maxLength: 4 }).map((entries) => ({ kind: 'list' as const, entries })),
  object: fc
    .array(fc.record({ name: names, isEscaped: fc.boolean(), value: tie('tree') }), { maxLength: 4 })
    .map((members) => ({ kind: 'object' as const, members })),
}));

const escaped = (name: string): string =>
  [...Array(name.length).keys()]
    .map((at) => `\\u${name.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

const write = (written: Written, blank: string): string => {
  if (written.kind === 'leaf') return written.text;
  if (written.kind === 'list')
    return `[${written.entries.map((each) => write(each, blank)).join(`${blank},`)}]`;
  const members = written.members.map(({ name, isEscaped, value }) => {
    const text = isEscaped ? `"${escaped(name)}"` : JSON.stringify(name);
    return `${blank}${text}${blank}:${blank}${write(value, blank)}`;
  });
  return `{${members.join(',')}${blank}}`;
};

/** The first member, in the order of the text, whose name the same object has had. */
const secondIn = (written: Written): string[] | undefined => {
  if (written.kind === 'leaf') return undefined;
  const parts =
    written.kind === 'list'
      ? written.entries.map((value, at) => ({ name: String(at), value }))
      : written.members.map(({ name, value }) => ({ name, value }));
  for (const [index, { name, value }] of parts.entries()) {
    if (parts.slice(0, index).some((before) => before.name === name)) return [name];
    const inside = secondIn(value);
    if (inside) return [name, ...inside];
  }
  return undefined;
};

const found = (source: Buffer | string): unknown => {
  try {
    return { value: parseStrictJson(source) };
  } catch (error) {
    return error instanceof JsonFault ? { second: error.duplicate } : { error };
  }
};

describe('strict JSON', () => {
  it('finds the member that is there twice, wherever it is and however it is written', () => {
    let twice = 0;
    const property = fc.property(tree, fc.constantFrom('', ' ', '\r\n\t '), (written, blank) => {
      const text = write(written, blank);
      const second = secondIn(written);
      if (second) twice += 1;
      const wanted = second ? { second } : { value: JSON.parse(text) };
      expect(found(text)).toEqual(wanted);
      expect(found(Buffer.from(text))).toEqual(wanted);
    });
    const runs = inTier(2000, 50_000);
    fc.assert(property, { numRuns: runs });
    expect(twice).toBeGreaterThan(runs / 100);
  });

  it('refuses what JSON.parse refuses, and what it would overflow on', () => {
    for (const text of ['', '{', '{"a":1,}', '{"a" 1}', '[1 2]', '"\t"', '{"a":1}{'])
      expect(() => parseStrictJson(text)).toThrow(SyntaxError);
    expect(() => parseStrictJson('['.repeat(200_000))).toThrow('nested more than 20 levels');
    expect(() => parseStrictJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow('not valid UTF-8');
  });
});
