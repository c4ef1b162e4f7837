/** The words of the catalogue of scenarios, in Greek and English. What the interface itself says is English. */
import type { Language } from 'trapeza/pages';
import type { CoreFault, LostAnswer } from '../scenarios/catalogue.js';

interface ScenarioTexts {
  readonly title: string;
  readonly lead: string;
  readonly tryOne: string;
  readonly tryText: string;
  readonly terminal: string;
  readonly refusals: string;
  readonly refusalsText: string;
  readonly refusalColumns: readonly string[];
  readonly everywhere: string;
  readonly inOperations: (count: number) => string;
  readonly core: string;
  readonly coreText: string;
  readonly coreFaults: Readonly<Record<CoreFault, string>>;
  readonly answers: string;
  readonly answersText: string;
  readonly lostAnswers: Readonly<Record<LostAnswer, string>>;
  readonly orders: string;
  readonly ordersText: string;
  readonly orderTexts: Readonly<Record<string, string>>;
  readonly kept: string;
  readonly rejected: (code: string) => string;
  readonly notBooked: string;
  readonly people: string;
  readonly peopleText: string;
  readonly toCredentials: string;
  readonly listColumns: readonly string[];
  readonly peopleColumns: readonly string[];
}

const en: ScenarioTexts = {
  title: 'Scenarios',
  lead: 'Every outcome that your program must handle, on demand: one header gives one call a named outcome, the same each time.',
  tryOne: 'Try one',
  tryText:
    'Send `Sandbox-Scenario` with a name of this page. An unknown name is answered with 400 and the nearest one. Only the sandbox knows the header.',
  terminal: 'Terminal',
  refusals: 'Refusals',
  refusalsText:
    'The name of a problem is a scenario of every operation. The request must be right and have a valid key and token; the answer is that of the real problem, with its headers. Nothing is read or changed, and the call counts for the quota.',
  refusalColumns: ['Scenario', 'Status and code', 'What happened', 'Likely at'],
  everywhere: 'every operation',
  inOperations: (count) => `${count} operations`,
  core: 'The core',
  coreText: 'At every operation. The fault happens where the core is asked, before anything is written.',
  coreFaults: {
    'core-late': 'The core takes half of the time that a call has. The answer is the usual one.',
    'core-timeout': 'The core does not answer within the time that a call has: 408 processing-timeout.',
    'core-down': 'The core cannot be reached: 503 dependency-unavailable.',
    'core-garbage': 'The core answers something unreadable: 503 dependency-unavailable.',
    'internal-error': 'A bug in the service: 500 internal-error.',
  },
  answers: 'Lost answers',
  answersText:
    'At every operation. Send the request again with the same `X-Request-ID` and without the header: the answer is the stored one, and nothing happens twice.',
  lostAnswers: {
    'answer-lost': 'The call is carried out, then the connection breaks without an answer.',
    'answer-timeout': 'The call is carried out, then its time is over: 408 processing-timeout.',
  },
  orders: 'Orders',
  ordersText:
    'For `POST /pis/psd2/v1/{consentId}/payment` alone: what becomes of the payment. One that the bank cannot carry out, because the money is not there, is still rejected. Move the time with `PUT /sandbox/clock`.',
  orderTexts: {
    RCVD: 'Received, and nothing more yet.',
    PDNG: 'Waits for another signature.',
    ACTC: 'Found correct.',
    ACSP: 'On its way.',
    ACSC: 'Settled at once.',
    CANC: 'Cancelled by the bank. Nothing is booked.',
  },
  kept: ' It stays so for a day of the bank’s time, then it is settled.',
  rejected: (code) => `Rejected with ${code}:`,
  notBooked: 'Nothing is booked.',
  people: 'Which test user for which case',
  peopleText:
    'Each of them approves, refuses or withdraws without a browser too: `POST /sandbox/consents/{id}/decision` with `approve`, `reject` or `revoke`. People of your own come with `PUT /sandbox/people`.',
  toCredentials: 'Their passwords and accounts',
  listColumns: ['Scenario', 'Outcome'],
  peopleColumns: ['User name', 'Good for'],
};

const el: ScenarioTexts = {
  title: 'Σενάρια',
  lead: 'Κάθε έκβαση που πρέπει να χειριστεί το πρόγραμμά σας, κατά παραγγελία: μία κεφαλίδα δίνει σε μία κλήση μια ονομασμένη έκβαση, κάθε φορά την ίδια.',
  tryOne: 'Δοκιμάστε ένα',
  tryText:
    'Στείλτε την κεφαλίδα `Sandbox-Scenario` με ένα όνομα αυτής της σελίδας. Σε άγνωστο όνομα η απάντηση είναι 400 με το πλησιέστερο όνομα. Μόνο το δοκιμαστικό περιβάλλον γνωρίζει την κεφαλίδα.',
  terminal: 'Τερματικό',
  refusals: 'Απορρίψεις',
  refusalsText:
    'Το όνομα ενός σφάλματος είναι σενάριο κάθε λειτουργίας. Το αίτημα πρέπει να είναι σωστό, με έγκυρο κλειδί και token· η απάντηση είναι εκείνη του πραγματικού σφάλματος, με τις κεφαλίδες της. Τίποτα δεν διαβάζεται και δεν αλλάζει, και η κλήση μετρά στο όριο.',
  refusalColumns: ['Σενάριο', 'Κατάσταση και κωδικός', 'Τι συνέβη', 'Πού εμφανίζεται'],
  everywhere: 'σε κάθε λειτουργία',
  inOperations: (count) => `σε ${count} λειτουργίες`,
  core: 'Το κεντρικό σύστημα',
  coreText:
    'Σε κάθε λειτουργία. Η βλάβη συμβαίνει εκεί όπου ρωτάται το κεντρικό σύστημα της τράπεζας, πριν γραφτεί οτιδήποτε.',
  coreFaults: {
    'core-late':
      'Το κεντρικό σύστημα χρειάζεται τον μισό χρόνο που έχει μια κλήση. Η απάντηση είναι η συνηθισμένη.',
    'core-timeout':
      'Το κεντρικό σύστημα δεν απαντά μέσα στον χρόνο που έχει μια κλήση: 408 processing-timeout.',
    'core-down': 'Το κεντρικό σύστημα δεν είναι προσβάσιμο: 503 dependency-unavailable.',
    'core-garbage': 'Το κεντρικό σύστημα απαντά κάτι που δεν διαβάζεται: 503 dependency-unavailable.',
    'internal-error': 'Ένα σφάλμα της υπηρεσίας: 500 internal-error.',
  },
  answers: 'Χαμένες απαντήσεις',
  answersText:
    'Σε κάθε λειτουργία. Στείλτε το αίτημα ξανά με το ίδιο `X-Request-ID` και χωρίς την κεφαλίδα: η απάντηση είναι η αποθηκευμένη, και τίποτα δεν γίνεται δύο φορές.',
  lostAnswers: {
    'answer-lost': 'Η κλήση εκτελείται, μετά η σύνδεση διακόπτεται χωρίς απάντηση.',
    'answer-timeout': 'Η κλήση εκτελείται, μετά ο χρόνος της τελειώνει: 408 processing-timeout.',
  },
  orders: 'Εντολές πληρωμής',
  ordersText:
    'Μόνο για το `POST /pis/psd2/v1/{consentId}/payment`: τι γίνεται με την πληρωμή. Μια πληρωμή που η τράπεζα δεν μπορεί να εκτελέσει, επειδή δεν υπάρχουν χρήματα, απορρίπτεται πάντα. Μετακινήστε τον χρόνο με `PUT /sandbox/clock`.',
  orderTexts: {
    RCVD: 'Ελήφθη, και τίποτα περισσότερο ακόμη.',
    PDNG: 'Περιμένει άλλη μία υπογραφή.',
    ACTC: 'Ελέγχθηκε και είναι σωστή.',
    ACSP: 'Εκτελείται.',
    ACSC: 'Εκτελέστηκε αμέσως.',
    CANC: 'Ακυρώθηκε από την τράπεζα. Δεν γίνεται καμία εγγραφή.',
  },
  kept: ' Μένει έτσι για μία ημέρα στον χρόνο της τράπεζας, μετά εκτελείται.',
  rejected: (code) => `Απορρίπτεται με ${code}:`,
  notBooked: 'Δεν γίνεται καμία εγγραφή.',
  people: 'Ποιος δοκιμαστικός χρήστης για ποια περίπτωση',
  peopleText:
    'Καθένας τους εγκρίνει, αρνείται ή ανακαλεί και χωρίς πρόγραμμα περιήγησης: `POST /sandbox/consents/{id}/decision` με `approve`, `reject` ή `revoke`. Δικούς σας χρήστες προσθέτετε με `PUT /sandbox/people`.',
  toCredentials: 'Οι κωδικοί και οι λογαριασμοί τους',
  listColumns: ['Σενάριο', 'Έκβαση'],
  peopleColumns: ['Όνομα χρήστη', 'Χρήσιμος για'],
};

export const scenarioTexts: Readonly<Record<Language, ScenarioTexts>> = { el, en };
