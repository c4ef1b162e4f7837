/** What a newcomer sees first and found broken: words of the documents. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rulesOf } from '../../../src/portal/reference/operation/members.js';
import { root } from '../../lib/source.js';

describe('words', () => {
  /** Vowel letters with the sound of a consonant: a user, a European. */
  const soundsLikeConsonant = /^(u(ni|se|sa|ri|uid|tf|tc)|eu|one)/i;

  it.each(['docs/openapi.json', 'docs/core-openapi.json', 'docs/configuration.md', 'docs/problems.md'])(
    'ux 12: %s says "an account", not "a account"',
    (path) => {
      const nouns = [...readFileSync(join(root, path), 'utf8').matchAll(/\ba ([aeiou]\w*)/gi)].map(
        ([, noun = '']) => noun,
      );
      expect(nouns.filter((noun) => !soundsLikeConsonant.test(noun))).toEqual([]);
    },
  );

  it('ux 12: the reference counts one item as one', () => {
    expect(rulesOf({ minItems: 1 })).toEqual(['at least 1 item']);
    expect(rulesOf({ minItems: 1, maxItems: 6 })).toEqual(['1 to 6 items']);
    expect(rulesOf({ maxLength: 1 })).toEqual(['at most 1 character']);
    expect(rulesOf({ minimum: 1, maximum: 4 })).toEqual(['1 to 4']);
    expect(rulesOf({ minProperties: 1 })).toEqual(['at least 1 of the members']);
  });
});
