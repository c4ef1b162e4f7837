/** Signed requests: what a signature must cover, and whose it is. */
import type { Mutant } from '../mutant.js';

export const signatures: readonly Mutant[] = [
  {
    id: 'S2',
    file: 'signature/coverage.ts',
    find: "(has('@path') && (has('@query') || !target.includes('?')))",
    replace: "has('@path')",
    killedBy: ['signature/libraries.test.ts > over a path with a query that it does not cover'],
    means: 'the query of a signed request can be changed on the way',
  },
  {
    id: 'S9',
    file: 'signature/coverage.ts',
    find: "  if (scheme === 'cavage') return ['digest'];\n",
    replace: '',
    killedBy: ['signature/libraries.test.ts > of draft-cavage over Content-Digest alone'],
    means: 'a draft-cavage signature is accepted without a digest that the interface knows',
  },
];
