/** The life of a consent, its decision, its renewal. */
import type { Mutant } from '../mutant.js';

const held = (name: string): string => `consents/rules-held.test.ts > ${name}`;

export const consents: readonly Mutant[] = [
  {
    id: 'C2',
    file: 'consent/lifecycle.ts',
    find: "return expiresAt < decideBy ? 'Expired' : 'Rejected';",
    replace: "return expiresAt <= decideBy ? 'Expired' : 'Rejected';",
    killedBy: [
      'consent/lifecycle.test.ts > rejects an undecided consent whose own end comes in the same moment',
    ],
    means: 'a consent that nobody decided about counts as one that was used up',
  },
  {
    id: 'C7',
    file: 'consent/decide.ts',
    find: "if (asked.kind !== 'AccountAccess' || asked.recurring !== 1) return;",
    replace: "if (asked.kind !== 'AccountAccess') return;",
    killedBy: [held('a one-off access leaves a recurring one alone')],
    means: 'a one-off approval ends the recurring consent',
  },
  {
    id: 'C8',
    file: 'consent/decide.ts',
    find: 'if (shownHash(asked) !== approval.shownHash || asked.isActive === 0)',
    replace: 'if (asked.isActive === 0)',
    killedBy: [held('only what was shown is approved or renewed')],
    means: 'something else is approved than the page has shown',
  },
  {
    id: 'C9',
    file: 'consent/decide.ts',
    find: '      asked.quote,\n',
    replace: '',
    killedBy: [held('another exchange rate is another payment')],
    means: 'the exchange rate changes between the page and the code',
  },
  {
    id: 'C10',
    file: 'consent/access.ts',
    find: 'if (bankNow >= access.scaAt + SCA_LASTS_MS)',
    replace: 'if (bankNow > access.scaAt + SCA_LASTS_MS)',
    killedBy: ['consent/access.test.ts > is over after 180 days'],
    means: 'an authentication lasts longer than 180 days',
  },
  {
    id: 'C12',
    file: 'consent/access.ts',
    find: 'wanted.frequencyPerDay ?? (wanted.recurring === true ? 4 : 1)',
    replace: 'wanted.frequencyPerDay ?? 4',
    killedBy: ['consent/access.test.ts > are four a day'],
    means: 'a one-off consent without a number is read four times',
  },
  {
    id: 'C14',
    file: 'consent/renewal.ts',
    find: 'if (shownHash(asked) !== shown || asked.isActive === 0)',
    replace: 'if (asked.isActive === 0)',
    killedBy: [held('only what was shown is approved or renewed')],
    means: 'something else is renewed than the page has shown',
  },
  {
    id: 'C15',
    file: 'api/ais/create-account-consent.ts',
    find: 'unattendedReads({ ...body, recurring })',
    replace: 'unattendedReads({ ...body, recurring: true })',
    killedBy: [held('a one-off access leaves a recurring one alone')],
    means: 'a one-off consent is told and kept as one of four reads a day',
  },
];
