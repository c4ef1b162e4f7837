/** Questions about funds. */
import type { Mutant } from '../mutant.js';

export const funds: readonly Mutant[] = [
  {
    id: 'F1',
    file: 'api/piis/confirm-funds.ts',
    find: "if (call.isLate()) throw new Problem('processing-timeout');",
    replace: '',
    killedBy: ['api/confirm-funds-repeats.test.ts > an answer that came too late leaves no record'],
    means: 'the record of an answer that nobody was given',
  },
  {
    id: 'F8',
    file: 'consent/funds/covers.ts',
    find: 'cardHashes: cardHashes ?? [null, null],',
    replace: 'cardHashes: [cardHashes?.[0] ?? null, null],',
    killedBy: ['api/confirm-funds-consents.test.ts > a card is found after a change of the secret'],
    means: 'after a change of TRAPEZA_SECRET no card is found any more',
  },
];
