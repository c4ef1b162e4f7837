/** Mistakes in the terms for the person who approves a payment. */
import { answering, type Defect } from './defect.js';

export const termDefects = {
  'payee-name-with-no-match': {
    title: 'the name of the account is shown to whoever asks for another name',
    spoil: answering('quoteTransfer', (answer, { body }) =>
      body.psuId === undefined
        ? answer
        : { ...answer, payeeCheck: { result: 'no-match', name: 'Κώστας Ιωάννου' } },
    ),
  },
  'payee-check-wavers': {
    title: 'the check of the payee gives another result each time',
    spoil: answering('quoteTransfer', (answer, _asked, count) => ({
      ...answer,
      payeeCheck: { result: count % 2 === 0 ? 'match' : 'unavailable' },
    })),
  },
} as const satisfies Record<string, Defect>;
