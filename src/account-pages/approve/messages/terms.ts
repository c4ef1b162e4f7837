/** What the bank says about a payment to its payer, in both languages. */
import type { PayeeCheck } from '../../../model/payment-terms.js';
import { onEl, untilEl, untilEndOfEl } from './days.js';
import type { PageMessages } from './messages.js';

export interface TermsMessages {
  readonly payeeCheck: Readonly<Record<Exclude<PayeeCheck['result'], 'close'>, PageMessages>> & {
    readonly close: (name: string) => PageMessages;
  };
  /** What the result is called where it is one fact among others. */
  readonly nameCheck: string;
  readonly execution: string;
  readonly executedOn: (day: string) => string;
  readonly cutOff: (moment: string) => string;
  /** If it is the end of a day. */
  readonly cutOffDay: (day: string) => string;
  readonly instant: string;
  /** The most that this person can pay now. */
  readonly limit: (amount: string) => string;
  readonly refused: string;
  /** `others`: how many must sign beside this person. */
  readonly signatures: (others: number) => string;
}

export const termsEl: TermsMessages = {
  payeeCheck: {
    match: { title: 'Το όνομα ταιριάζει', text: 'Το όνομα του δικαιούχου ταιριάζει με τον λογαριασμό.' },
    close: (name) => ({
      title: 'Το όνομα διαφέρει ελαφρώς',
      text: `Ο λογαριασμός ανήκει σε: ${name}. Εγκρίνετε μόνο αν θέλετε να πληρώσετε αυτόν τον δικαιούχο.`,
    }),
    'no-match': {
      title: 'Το όνομα δεν ταιριάζει με τον λογαριασμό',
      text: 'Ο λογαριασμός δεν ανήκει στον δικαιούχο που αναγράφεται εδώ. Αν εγκρίνετε, τα χρήματα μπορεί να καταλήξουν σε λάθος πρόσωπο και ίσως δεν θα μπορέσετε να τα πάρετε πίσω.',
    },
    unavailable: {
      title: 'Το όνομα δεν ελέγχθηκε',
      text: 'Η τράπεζα δεν μπόρεσε να ελέγξει αν το όνομα του δικαιούχου ταιριάζει με τον λογαριασμό.',
    },
  },
  nameCheck: 'Έλεγχος ονόματος',
  execution: 'Εκτέλεση',
  executedOn: (day) => `Θα εκτελεστεί ${onEl(day)}.`,
  cutOff: (moment) => `Ισχύει αν η εφαρμογή στείλει την πληρωμή ${untilEl(moment)}.`,
  cutOffDay: (day) => `Ισχύει αν η εφαρμογή στείλει την πληρωμή ${untilEndOfEl(day)}.`,
  instant: 'Άμεση: ο δικαιούχος λαμβάνει τα χρήματα μέσα σε λίγα δευτερόλεπτα.',
  limit: (amount) => `Αυτή τη στιγμή μπορείτε να πληρώσετε έως ${amount}.`,
  refused: 'Μπορείτε μόνο να απορρίψετε το αίτημα. Για απορίες επικοινωνήστε με την τράπεζά σας.',
  signatures: (others) =>
    `Για να εκτελεστεί η πληρωμή, ${others === 1 ? 'πρέπει να υπογράψει ακόμη 1 πρόσωπο' : `πρέπει να υπογράψουν ακόμη ${others} πρόσωπα`} στην τράπεζα.`,
};

export const termsEn: TermsMessages = {
  payeeCheck: {
    match: { title: 'The name matches', text: 'The name of the payee matches the account.' },
    close: (name) => ({
      title: 'The name is slightly different',
      text: `The account belongs to: ${name}. Approve only if this is who you want to pay.`,
    }),
    'no-match': {
      title: 'The name does not match the account',
      text: 'The account does not belong to the payee named here. If you approve, the money may go to the wrong person and you may not get it back.',
    },
    unavailable: {
      title: 'The name was not checked',
      text: 'The bank could not check whether the name of the payee matches the account.',
    },
  },
  nameCheck: 'Name check',
  execution: 'Carried out',
  executedOn: (day) => `It will be carried out on ${day}.`,
  cutOff: (moment) => `This holds if the app sends the payment by ${moment}.`,
  cutOffDay: (day) => `This holds if the app sends the payment by the end of ${day}.`,
  instant: 'Instant: the payee has the money within seconds.',
  limit: (amount) => `You can pay at most ${amount} now.`,
  refused: 'You can only refuse. If you have questions, contact your bank.',
  signatures: (others) =>
    `Before it is paid, ${others === 1 ? 'one more person' : `${others} more people`} must sign at the bank.`,
};
