/** Messages about the ways to confirm: their names, the choice between them, and those that are neither a code nor the app. */
import type { MethodKind } from '../../../bank/account-holders.js';

export interface WayMessages {
  /** Over the other ways. */
  readonly heading: string;
  readonly names: Readonly<Record<MethodKind, string>>;
  readonly browser: { readonly heading: string; readonly text: string; readonly noScript: string };
  readonly redirect: { readonly heading: string; readonly text: string };
  /** For these two, in the place of the messages about codes. */
  readonly missing: string;
  readonly spent: string;
  readonly refused: string;
  readonly wrong: (left: number) => string;
  readonly beginAgain: string;
}

export const waysEl: WayMessages = {
  heading: 'Επιβεβαίωση με άλλον τρόπο',
  names: {
    code: 'Κωδικός με μήνυμα',
    app: 'Εφαρμογή της τράπεζας',
    browser: 'Κλειδί πρόσβασης (passkey)',
    redirect: 'Σύνδεση στην τράπεζα',
  },
  browser: {
    heading: 'Επιβεβαιώστε με το κλειδί πρόσβασής σας',
    text: 'Πατήστε το κουμπί παρακάτω. Η συσκευή σας θα ζητήσει το δακτυλικό σας αποτύπωμα, το πρόσωπό σας ή το PIN της.',
    noScript: 'Ο τρόπος αυτός χρειάζεται JavaScript. Επιλέξτε άλλον τρόπο παρακάτω.',
  },
  redirect: {
    heading: 'Επιβεβαιώστε στην τράπεζά σας',
    text: 'Πατήστε το κουμπί παρακάτω. Θα μεταφερθείτε στη σελίδα σύνδεσης της τράπεζας και θα επιστρέψετε εδώ.',
  },
  missing: 'Η συσκευή σας δεν έδωσε επιβεβαίωση. Δοκιμάστε ξανά ή επιλέξτε άλλον τρόπο.',
  spent: 'Αυτή η επιβεβαίωση δεν ισχύει πια. Ξεκινήστε νέα.',
  refused: 'Η επιβεβαίωση στην τράπεζα ακυρώθηκε. Τίποτα δεν έχει εγκριθεί.',
  wrong: (left) =>
    `Η επιβεβαίωση δεν έγινε δεκτή. Έχετε ακόμη ${left === 1 ? '1 προσπάθεια' : `${left} προσπάθειες`}.`,
  beginAgain: 'Νέα επιβεβαίωση',
};

export const waysEn: WayMessages = {
  heading: 'Confirm another way',
  names: {
    code: 'Code by message',
    app: 'The bank’s app',
    browser: 'Passkey',
    redirect: 'Login at the bank',
  },
  browser: {
    heading: 'Confirm with your passkey',
    text: 'Press the button below. Your device asks for your fingerprint, your face or its PIN.',
    noScript: 'This way needs JavaScript. Choose another way below.',
  },
  redirect: {
    heading: 'Confirm at your bank',
    text: 'Press the button below. You go to your bank’s login page and come back here.',
  },
  missing: 'Your device gave no confirmation. Try again, or choose another way.',
  spent: 'This confirmation no longer works. Start a new one.',
  refused: 'The confirmation at the bank was cancelled. Nothing has been approved.',
  wrong: (left) =>
    `The confirmation was not accepted. You can try ${left === 1 ? 'once more' : `${left} more times`}.`,
  beginAgain: 'Start a new confirmation',
};
