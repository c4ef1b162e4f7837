/** Access tokens, their end, and what they tell. */
import type { Mutant } from '../mutant.js';

export const tokens: readonly Mutant[] = [
  {
    id: 'T4',
    file: 'oauth/revocations.ts',
    find: 'const READ_AFTER_END_MS = 3 * HOUR;',
    replace: 'const READ_AFTER_END_MS = -10 * MINUTE;',
    killedBy: ['oauth/provider.test.ts > stays revoked for as long as it would have lived'],
    means: 'a revoked token works again after five minutes',
  },
  {
    id: 'G5',
    file: 'api/consents/requested-consents.ts',
    find: '...told(consent.details, details) }',
    replace: '...consent.details }',
    killedBy: ['oauth/authorization-details/granted.test.ts > members that are not of the contract stay out'],
    means: 'members that are not of the contract leave in token responses',
  },
];
