/** Defects in what a core knows of consents. */
import { Refusal } from '../contract.js';
import { answering, type Defect } from './defect.js';

export const consentDefects = {
  'older-consent-kept': {
    title: 'the state that arrives last counts, also if it is older',
    spoil: answering('putConsent', (answer, { body }) => ({ ...answer, revision: body.revision })),
  },
  'consent-twice-refused': {
    title: 'a state that arrives again is an error',
    spoil: (core) => {
      const seen = new Set<string>();
      return {
        putConsent: async (asked) => {
          const key = `${asked.body.consentId} ${asked.body.revision}`;
          if (seen.has(key)) throw new Refusal(409, 'known already');
          seen.add(key);
          return core.putConsent(asked);
        },
      };
    },
  },
  'consent-of-path-ignored': {
    title: 'a state is kept under the id of its body, whatever the path says',
    spoil: (core) => ({
      putConsent: (asked) => core.putConsent({ ...asked, params: { consentId: asked.body.consentId } }),
    }),
  },
} as const satisfies Record<string, Defect>;
