/** Mistakes in the terms for the person who approves a payment. */
import type { Defect } from './defect.js';

export const termDefects = {
  'payee-name-with-no-match': {
    title: 'the name of the account is shown to whoever asks for another name',
    spoil: (core) => ({
      quoteTransfer: async (asked) => {
        const answer = await core.quoteTransfer(asked);
        return asked.body.psuId === undefined
          ? answer
          : { ...answer, payeeCheck: { result: 'no-match', name: 'Κώστας Ιωάννου' } };
      },
    }),
  },
  'payee-check-wavers': {
    title: 'the check of the payee gives another result each time',
    spoil: (core) => {
      let asking = 0;
      return {
        quoteTransfer: async (asked) => {
          const answer = await core.quoteTransfer(asked);
          asking += 1;
          return { ...answer, payeeCheck: { result: asking % 2 === 0 ? 'match' : 'unavailable' } };
        },
      };
    },
  },
} as const satisfies Record<string, Defect>;
