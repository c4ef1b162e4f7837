/** What the page of the statistics says. */
import type { Language } from '../../web/language.js';

const en = {
  title: 'Statistics of the interface',
  lead: 'Availability and performance of the dedicated interface for each day, as Article 32(4) of Regulation (EU) 2018/389 and the guidelines EBA/GL/2018/07 want them published.',
  quarters: 'Quarters',
  quarter: (name: string) => `Quarter ${name.slice(5)} of ${name.slice(0, 4)}`,
  running: 'running',
  published: (moment: string) => `Published on ${moment}. It does not change any more.`,
  preliminary: 'These figures are preliminary: they may change until the quarter is published.',
  hash: 'SHA-256 of the published figures',
  none: 'No day of this quarter is over yet. Figures of a day appear when it is over.',
  unknown: 'There is no such quarter. Choose one of those above.',
  files: 'As a file',
  table: 'Day by day',
  availability: 'Availability',
  availabilityLabel: (days: number, down: number) =>
    `Availability of ${days} days, ${down} of them with downtime. The table below has the figures.`,
  times: 'Mean response times in milliseconds',
  timesLabel: (days: number) => `Mean response times of ${days} days. The table below has the figures.`,
  extra: 'More than the guidelines ask for',
  areas: { pis: 'Payment initiation', ais: 'Account information', piis: 'Funds confirmation' },
  meanings: 'What the figures mean',
  definitions: [
    [
      'Down',
      'Five consecutive requests of third parties stay without an answer for 30 seconds in total; from the receipt of the first until the next answer. An error of the bank (5xx, or 408 when the bank is late) is no answer; a refusal for which the third party is responsible is one.',
    ],
    [
      'No sign of life',
      'Every node shows every five seconds that it lives. Time in which none did counts as down, from the last sign to the next, and is shown apart.',
    ],
    [
      'Planned downtime',
      'Of the time in which the interface was down, what was announced before it began. It is not part of the downtime.',
    ],
    [
      'Percentages',
      'Of the seconds of the day in the time zone of the bank: 23 and 25 hours on the days on which clocks change.',
    ],
    [
      'Response times',
      'Mean time from the receipt of a request to the end of the answer that gave what was requested, on the day of the receipt: PISP payment initiation, AISP account information, CBPII confirmation of funds.',
    ],
    [
      'Error response rate',
      'Requests answered by an error for which the bank is responsible, of all requests of these three kinds.',
    ],
    ['–', 'There were no requests, or nothing is known of the day.'],
  ],
} as const;

type Texts = {
  readonly [Name in keyof typeof en]: (typeof en)[Name] extends string
    ? string
    : (typeof en)[Name] extends (...of: infer Parameters) => string
      ? (...of: Parameters) => string
      : Name extends 'definitions'
        ? readonly (readonly [string, string])[]
        : Readonly<Record<'pis' | 'ais' | 'piis', string>>;
};

const el: Texts = {
  title: 'Στατιστικά της διεπαφής',
  lead: 'Διαθεσιμότητα και απόδοση της ειδικής διεπαφής ανά ημέρα, όπως ορίζουν το άρθρο 32 παράγραφος 4 του Κανονισμού (ΕΕ) 2018/389 και οι κατευθυντήριες γραμμές EBA/GL/2018/07.',
  quarters: 'Τρίμηνα',
  quarter: (name) => `${name.slice(5)}ο τρίμηνο ${name.slice(0, 4)}`,
  running: 'σε εξέλιξη',
  published: (moment) => `Δημοσιεύθηκε στις ${moment}. Δεν αλλάζει πλέον.`,
  preliminary: 'Τα στοιχεία είναι προσωρινά: μπορεί να αλλάξουν έως τη δημοσίευση του τριμήνου.',
  hash: 'SHA-256 των δημοσιευμένων στοιχείων',
  none: 'Καμία ημέρα αυτού του τριμήνου δεν έχει τελειώσει. Τα στοιχεία μιας ημέρας εμφανίζονται μόλις τελειώσει.',
  unknown: 'Δεν υπάρχει τέτοιο τρίμηνο. Επιλέξτε ένα από τα παραπάνω.',
  files: 'Ως αρχείο',
  table: 'Ημέρα προς ημέρα',
  availability: 'Διαθεσιμότητα',
  availabilityLabel: (days, down) =>
    `Διαθεσιμότητα ${days} ημερών, από τις οποίες ${down} με διακοπή. Ο πίνακας παρακάτω έχει τα στοιχεία.`,
  times: 'Μέσοι χρόνοι απόκρισης σε χιλιοστά του δευτερολέπτου',
  timesLabel: (days) => `Μέσοι χρόνοι απόκρισης ${days} ημερών. Ο πίνακας παρακάτω έχει τα στοιχεία.`,
  extra: 'Πέρα από όσα ζητούν οι κατευθυντήριες γραμμές',
  areas: { pis: 'Εκκίνηση πληρωμών', ais: 'Πληροφορίες λογαριασμού', piis: 'Επιβεβαίωση διαθέσιμων' },
  meanings: 'Τι σημαίνουν τα στοιχεία',
  definitions: [
    [
      'Μη διαθέσιμη',
      'Πέντε διαδοχικά αιτήματα τρίτων παρόχων μένουν χωρίς απάντηση για 30 δευτερόλεπτα συνολικά· από τη λήψη του πρώτου έως την επόμενη απάντηση. Σφάλμα της τράπεζας (5xx, ή 408 όταν καθυστερεί η τράπεζα) δεν είναι απάντηση· άρνηση για την οποία ευθύνεται ο τρίτος πάροχος είναι.',
    ],
    [
      'Χωρίς ένδειξη λειτουργίας',
      'Κάθε κόμβος δείχνει ανά πέντε δευτερόλεπτα ότι λειτουργεί. Ο χρόνος χωρίς καμία ένδειξη μετρά ως μη διαθεσιμότητα, από την τελευταία ένδειξη έως την επόμενη, και φαίνεται χωριστά.',
    ],
    [
      'Προγραμματισμένη διακοπή',
      'Από τον χρόνο μη διαθεσιμότητας, όσος είχε ανακοινωθεί πριν αρχίσει. Δεν περιλαμβάνεται στη μη διαθεσιμότητα.',
    ],
    [
      'Ποσοστά',
      'Επί των δευτερολέπτων της ημέρας στη ζώνη ώρας της τράπεζας: 23 και 25 ώρες τις ημέρες που αλλάζει η ώρα.',
    ],
    [
      'Χρόνοι απόκρισης',
      'Μέσος χρόνος από τη λήψη του αιτήματος έως το τέλος της απάντησης που έδωσε ό,τι ζητήθηκε, την ημέρα της λήψης: PISP εκκίνηση πληρωμών, AISP πληροφορίες λογαριασμού, CBPII επιβεβαίωση διαθέσιμων.',
    ],
    [
      'Ποσοστό σφαλμάτων',
      'Αιτήματα που απαντήθηκαν με σφάλμα για το οποίο ευθύνεται η τράπεζα, επί όλων των αιτημάτων αυτών των τριών ειδών.',
    ],
    ['–', 'Δεν υπήρξαν αιτήματα, ή τίποτα δεν είναι γνωστό για την ημέρα.'],
  ],
};

export const messages: Readonly<Record<Language, Texts>> = { el, en };
