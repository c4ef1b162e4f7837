/** People who show one case each, whatever is asked. They stand beside the demo people; nothing happens on their accounts by itself. */
import { employers, landlord } from './history/counterparties.js';
import { passwordHashes } from './passwords.js';
import { type DemoPsu, psu } from './people.js';
import type { OwnEntry, OwnPerson } from './seed-own.js';

export const casePsus: readonly DemoPsu[] = [
  {
    ...psu(
      'manolis',
      'Μανώλης Ξενάκης',
      {
        en: 'Refuses whatever he is asked. The app on his phone refuses every request at once, also that of the dashboard, and the decision control rejects the consent even if it is told to approve.',
        el: 'Απορρίπτει ό,τι του ζητηθεί. Η εφαρμογή στο κινητό του απορρίπτει αμέσως κάθε αίτημα, και του πίνακα αδειών, και η κλήση της απόφασης απορρίπτει την άδεια ακόμη κι αν της ζητηθεί έγκριση.',
      },
      { number: 1201, booked: 120_000 },
    ),
    hasApp: true,
    manner: 'refuses',
  },
  psu('fani', 'Φανή Ρούσσου', {
    en: 'Logs in, but has no account: there is nothing that she could approve a request for.',
    el: 'Συνδέεται, αλλά δεν έχει λογαριασμό: δεν υπάρχει τίποτα για το οποίο θα μπορούσε να εγκρίνει αίτημα.',
  }),
  psu(
    'thanos',
    'Θάνος Λαμπρόπουλος',
    {
      en: 'Logs in, but his only account is blocked: funds are never available, and nothing can be approved for it.',
      el: 'Συνδέεται, αλλά ο μοναδικός λογαριασμός του είναι δεσμευμένος: ποτέ δεν υπάρχει διαθέσιμο ποσό, και τίποτα δεν μπορεί να εγκριθεί γι’ αυτόν.',
    },
    { number: 1401, booked: 200_000, status: 'blocked' },
  ),
  {
    ...psu(
      'lefteris',
      'Λευτέρης Αγγελίδης',
      {
        en: 'The core is slow for him: every call with his token takes half of the time that a call has (2.5 of 5 seconds). The answers are the usual ones.',
        el: 'Το σύστημα της τράπεζας είναι αργό γι’ αυτόν: κάθε κλήση με το token του διαρκεί τον μισό χρόνο που έχει μια κλήση (2,5 από 5 δευτερόλεπτα). Οι απαντήσεις είναι οι συνηθισμένες.',
      },
      { number: 1501, booked: 90_000, card: 1501 },
    ),
    manner: 'answered-late',
  },
];

/** Wages and rent of a month, so that there is something to read. */
const entriesOf = ({ accounts }: DemoPsu): readonly OwnEntry[] =>
  accounts.flatMap(({ id: accountId }) => [
    { accountId, on: 40, amountMinor: 115_000, remittance: 'Μισθοδοσία', other: employers.weaving },
    { accountId, on: 35, amountMinor: -42_000, remittance: 'Ενοίκιο', other: landlord },
  ]);

export const casePeople: readonly OwnPerson[] = casePsus.map((each) => ({
  psu: each,
  passwordHash: passwordHashes[each.username] ?? '',
  entries: entriesOf(each),
}));

export const refusesEverything = (psuId: string): boolean =>
  casePsus.some(({ id, manner }) => id === psuId && manner === 'refuses');

const late: ReadonlySet<string> = new Set(
  casePsus.filter(({ manner }) => manner === 'answered-late').map(({ id }) => id),
);

/** Asked at every call. */
export const isAnsweredLate = (psuId: string): boolean => late.has(psuId);
