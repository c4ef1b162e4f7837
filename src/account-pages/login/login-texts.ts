/** The words of the login, in both languages. */
import type { Scope } from '../../model/caller.js';
import type { Language } from '../../web/language.js';

export interface LoginTexts {
  readonly username: string;
  readonly password: string;
  readonly submit: string;
  /** One text for an unknown name and a wrong password: they must look the same. Who has to wait has a page of its own. */
  readonly refused: string;
  readonly expired: string;
  readonly problem: string;
  /** For a bank with a login of its own. */
  readonly ownLogin: string;
  readonly goThere: string;
}

export const loginTexts: Readonly<Record<Language, LoginTexts>> = {
  el: {
    username: 'Όνομα χρήστη',
    password: 'Κωδικός πρόσβασης',
    submit: 'Σύνδεση',
    refused:
      'Η σύνδεση δεν έγινε. Ελέγξτε το όνομα χρήστη και τον κωδικό. Μετά από πέντε αποτυχίες η σύνδεση κλειδώνει για λίγο.',
    expired: 'Η σελίδα έμεινε ανοιχτή για πολλή ώρα. Συνδεθείτε ξανά.',
    problem: 'Κάτι χρειάζεται διόρθωση',
    ownLogin: 'Θα συνδεθείτε στη σελίδα της τράπεζάς σας και θα επιστρέψετε εδώ.',
    goThere: 'Συνέχεια στη σύνδεση',
  },
  en: {
    username: 'User name',
    password: 'Password',
    submit: 'Log in',
    refused:
      'You are not logged in. Check your user name and password. After five failures the login is blocked for a while.',
    expired: 'This page was open for too long. Please log in again.',
    problem: 'There is a problem',
    ownLogin: 'You log in on the page of your bank and come back here.',
    goThere: 'Continue to the login',
  },
};

export type LoginError = 'refused' | 'expired';

/** The messages around the form if an application has sent the account holder here. */
export interface AuthorizationTexts {
  readonly title: string;
  readonly asks: (application: string, party: string) => string;
  readonly scopes: Readonly<Record<Scope, string>>;
  /** If a request for approval follows the login. */
  readonly follows: string;
  readonly limits: string;
  readonly cancel: string;
  /** For a person who is logged in already while another application asks. */
  readonly again: {
    readonly title: (application: string) => string;
    readonly asks: (application: string, party: string) => string;
    readonly who: (name: string) => string;
    readonly go: (name: string) => string;
    readonly other: string;
  };
  /** Shown for a moment. */
  readonly comingBack: { readonly title: string; readonly go: string };
  readonly failures: Readonly<Record<LoginFailure, { readonly title: string; readonly text: string }>>;
}

/** `suspended`: the application may not ask now; `refused`: its request is wrong; `unavailable`: we cannot answer now. */
export type LoginFailure = 'expired' | 'suspended' | 'refused' | 'unavailable';

export const authorizationTexts: Readonly<Record<Language, AuthorizationTexts>> = {
  el: {
    title: 'Σύνδεση στην τράπεζα',
    asks: (application, party) =>
      `Η εφαρμογή «${application}» της εταιρείας ${party} σας έστειλε εδώ. Αν συνδεθείτε, θα μπορεί:`,
    scopes: {
      piis: 'να σας ζητήσει άδεια για να ρωτά αν υπάρχει διαθέσιμο ένα ποσό στον λογαριασμό σας',
      ais: 'να σας ζητήσει άδεια για να βλέπει λογαριασμούς και κινήσεις',
      pis: 'να σας ζητήσει έγκριση για πληρωμές',
    },
    follows: 'Αμέσως μετά θα δείτε ακριβώς τι ζητά και θα αποφασίσετε αν το εγκρίνετε.',
    limits:
      'Με τη σύνδεση δεν εγκρίνετε ακόμη τίποτα: κάθε άδεια και κάθε πληρωμή θα τη δείτε και θα την εγκρίνετε ξεχωριστά. Η εφαρμογή δεν βλέπει τον κωδικό σας.',
    cancel: 'Ακύρωση',
    again: {
      title: (application) => `Συνέχεια στην εφαρμογή «${application}»;`,
      asks: (application, party) =>
        `Η εφαρμογή «${application}» της εταιρείας ${party} σας έστειλε εδώ. Αν συνεχίσετε, θα μπορεί:`,
      who: (name) => `Είστε ήδη συνδεδεμένοι ως ${name}.`,
      go: (name) => `Συνέχεια ως ${name}`,
      other: 'Σύνδεση με άλλο όνομα',
    },
    comingBack: { title: 'Επιστροφή από την τράπεζα', go: 'Συνέχεια' },
    failures: {
      expired: {
        title: 'Το αίτημα δεν ισχύει πια',
        text: 'Πέρασε πολλή ώρα ή η σελίδα άνοιξε σε άλλο πρόγραμμα περιήγησης. Επιστρέψτε στην εφαρμογή και ξεκινήστε από την αρχή.',
      },
      refused: {
        title: 'Το αίτημα της εφαρμογής δεν είναι σωστό',
        text: 'Η εφαρμογή που σας έστειλε εδώ δεν είναι γνωστή στην τράπεζα ή το αίτημά της έχει λάθος. Δεν δόθηκε καμία πρόσβαση. Επικοινωνήστε με την εφαρμογή.',
      },
      suspended: {
        title: 'Η εφαρμογή δεν είναι διαθέσιμη τώρα',
        text: 'Η τράπεζα έχει διακόψει προσωρινά τη συνεργασία με την εφαρμογή που σας έστειλε εδώ. Δεν δόθηκε καμία πρόσβαση. Μπορείτε να κλείσετε τη σελίδα.',
      },
      unavailable: {
        title: 'Η υπηρεσία δεν είναι διαθέσιμη',
        text: 'Δεν δόθηκε καμία πρόσβαση. Επιστρέψτε στην εφαρμογή και δοκιμάστε ξανά αργότερα.',
      },
    },
  },
  en: {
    title: 'Log in to your bank',
    asks: (application, party) =>
      `The application “${application}” of ${party} has sent you here. If you log in, it will be able to:`,
    scopes: {
      piis: 'ask for your permission to check whether an amount is available on your account',
      ais: 'ask for your permission to see accounts and transactions',
      pis: 'ask for your approval of payments',
    },
    follows: 'Right after that you will see exactly what it asks for, and decide whether you approve it.',
    limits:
      'Logging in approves nothing yet: you will see and approve every permission and every payment by itself. The application does not see your password.',
    cancel: 'Cancel',
    again: {
      title: (application) => `Continue to “${application}”?`,
      asks: (application, party) =>
        `The application “${application}” of ${party} has sent you here. If you continue, it will be able to:`,
      who: (name) => `You are logged in as ${name} already.`,
      go: (name) => `Continue as ${name}`,
      other: 'Log in with another name',
    },
    comingBack: { title: 'Coming back from the bank', go: 'Continue' },
    failures: {
      expired: {
        title: 'This request is no longer valid',
        text: 'It has taken too long, or this page was opened in another browser. Go back to the application and start again.',
      },
      refused: {
        title: 'The request of the application is not right',
        text: 'The application that sent you here is not known to the bank, or its request has a mistake. No access was given. Please tell the application.',
      },
      suspended: {
        title: 'This app is not available now',
        text: 'The bank has stopped working with the app that sent you here for the time being. No access was given. You can close this page.',
      },
      unavailable: {
        title: 'The service is not available',
        text: 'No access was given. Go back to the application and try again later.',
      },
    },
  },
};
