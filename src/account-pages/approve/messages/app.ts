/** Messages about a confirmation in the app of the bank. In both languages. */

import type { PageMessages } from './messages.js';

export interface AppMessages {
  readonly heading: string;
  /** Beside the button; where it goes, if that is known. */
  readonly ready: (to: string | undefined) => string;
  /** Where the request went and until when it can be answered, as far as that is known. */
  readonly sent: (to: string | undefined, until: string | undefined) => string;
  /** On the page on which there is still something to choose. */
  readonly next: string;
  readonly compare: string;
  readonly waiting: string;
  readonly done: string;
  readonly back: string;
  readonly unreachable: PageMessages;
  readonly refused: string;
  /** Beside the button; the time is absent once it may be sent again. */
  readonly noRequest: (from: string | undefined) => string;
  readonly sendAgain: string;
  /** Only in the sandbox. */
  readonly demoPhone: string;
}

export const appEl: AppMessages = {
  heading: 'Επιβεβαιώστε στην εφαρμογή της τράπεζάς σας',
  ready: (to) =>
    `Όταν πατήσετε το κουμπί, θα στείλουμε ένα αίτημα στην εφαρμογή της τράπεζας${to === undefined ? '' : ` (${to})`}.`,
  sent: (to, until) =>
    `Στείλαμε το αίτημα στην εφαρμογή${to === undefined ? '' : ` (${to})`}.${until === undefined ? '' : ` Μπορείτε να απαντήσετε έως τις ${until}.`}`,
  next: 'Πατήστε πρώτα το κουμπί παρακάτω και μετά επιβεβαιώστε στην εφαρμογή. Τίποτα δεν εγκρίνεται πριν από αυτό.',
  compare: 'Επιβεβαιώστε μόνο αν η εφαρμογή της τράπεζας δείχνει ακριβώς αυτό:',
  waiting: 'Η σελίδα ενημερώνεται αυτόματα κάθε λίγα δευτερόλεπτα. Τίποτα δεν έχει εγκριθεί ακόμη.',
  done: 'Το επιβεβαίωσα',
  back: 'Πίσω',
  unreachable: {
    title: 'Η τράπεζα δεν απαντά αυτή τη στιγμή',
    text: 'Δεν γνωρίζουμε αν επιβεβαιώσατε και τίποτα δεν έχει εγκριθεί. Δοκιμάζουμε ξανά.',
  },
  refused: 'Απορρίψατε το αίτημα στην εφαρμογή της τράπεζας. Τίποτα δεν έχει εγκριθεί.',
  noRequest: (from) =>
    `Δεν βλέπετε το αίτημα στην εφαρμογή; ${from === undefined ? 'Στείλτε το ξανά.' : `Μπορείτε να το στείλετε ξανά από τις ${from}.`} Ισχύει μόνο το τελευταίο.`,
  sendAgain: 'Αποστολή νέου αιτήματος',
  demoPhone: 'Άνοιγμα του τηλεφώνου επίδειξης',
};

export const appEn: AppMessages = {
  heading: 'Confirm in your bank’s app',
  ready: (to) =>
    `When you press the button, we send a request to the bank’s app${to === undefined ? '' : ` (${to})`}.`,
  sent: (to, until) =>
    `We sent a request to the app${to === undefined ? '' : ` (${to})`}.${until === undefined ? '' : ` You can answer it until ${until}.`}`,
  next: 'First press the button below, then confirm in the app. Nothing is approved before that.',
  compare: 'Confirm only if your bank’s app shows exactly this:',
  waiting: 'This page checks by itself every few seconds. Nothing has been approved yet.',
  done: 'I have confirmed',
  back: 'Back',
  unreachable: {
    title: 'The bank does not answer at the moment',
    text: 'We do not know whether you confirmed, and nothing has been approved. We keep trying.',
  },
  refused: 'You refused the request in your bank’s app. Nothing has been approved.',
  noRequest: (from) =>
    `No request in the app? ${from === undefined ? 'Send it again.' : `You can send it again from ${from}.`} Only the newest one counts.`,
  sendAgain: 'Send a new request',
  demoPhone: 'Open the demo phone',
};
