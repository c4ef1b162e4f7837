/** The words of the landing page. */
import type { Language } from '../../web/language.js';
import type { AreaView } from '../areas.js';

interface Way {
  readonly title: string;
  readonly text: string;
  /** The first one that exists is where the title leads. */
  readonly links: readonly { readonly path: string; readonly name: string }[];
}

interface Place {
  readonly path: string;
  readonly name: string;
  readonly text: string;
}

interface HomeTexts {
  readonly heading: (bank: string) => string;
  readonly sentence: string;
  readonly ways: readonly Way[];
  readonly parties: {
    readonly title: string;
    readonly description: string;
    readonly tpp: string;
    readonly holder: string;
    readonly bank: string;
    readonly steps: readonly [string, string, string, string];
  };
  readonly offers: string;
  /** In English they are those of the reference. */
  readonly areas: Readonly<Record<string, Pick<AreaView, 'title' | 'audience' | 'purpose'>>>;
  readonly before: {
    readonly heading: string;
    readonly steps: readonly [string, string, string, string];
    readonly credentials: string;
    readonly signatures: string;
  };
  readonly next: string;
  readonly places: readonly Place[];
  readonly name: { readonly before: string; readonly after: string };
}

export const homeTexts: Readonly<Record<Language, HomeTexts>> = {
  el: {
    heading: (bank) => `${bank}: ανοικτή τραπεζική`,
    sentence:
      'Αδειοδοτημένες εφαρμογές ελέγχουν αν υπάρχει ένα ποσό, διαβάζουν λογαριασμούς και πληρώνουν (PSD2), με την έγκριση του κατόχου.',
    ways: [
      {
        title: 'Για προγραμματιστές',
        text: 'Οδηγοί, τεκμηρίωση και κλήσεις για δοκιμή.',
        links: [
          { path: '/docs/guides', name: 'Οδηγοί' },
          { path: '/docs', name: 'Τεκμηρίωση' },
          { path: '/portal', name: 'Πύλη' },
        ],
      },
      {
        title: 'Για κατόχους λογαριασμών',
        text: 'Ποιες εφαρμογές έχουν πρόσβαση.',
        links: [
          { path: '/dashboard', name: 'Οι άδειές σας' },
          { path: '/atms', name: 'Βρείτε ATM' },
        ],
      },
      {
        title: 'Για την τράπεζα',
        text: 'Σύνδεση με το σύστημά σας και λειτουργία.',
        links: [{ path: '/banks', name: 'Έγγραφα λειτουργίας' }],
      },
    ],
    parties: {
      title: 'Ποιος ζητά τι από ποιον',
      description:
        'Η εφαρμογή ζητά άδεια από την τράπεζα και στέλνει εκεί τον κάτοχο του λογαριασμού. Ο κάτοχος εγκρίνει στην τράπεζα. Τότε η εφαρμογή παίρνει τα στοιχεία ή κάνει την πληρωμή που εγκρίθηκε.',
      tpp: 'Εφαρμογή',
      holder: 'Κάτοχος',
      bank: 'Τράπεζα',
      steps: ['ζητά άδεια', 'στέλνει στην τράπεζα', 'εγκρίνει εκεί', 'στοιχεία, πληρωμή'],
    },
    offers: 'Τι μπορεί να γίνει',
    areas: {
      piis: {
        title: 'Επιβεβαίωση διαθέσιμου ποσού',
        audience: 'Για εκδότες καρτών',
        purpose:
          'Ρωτήστε αν ένα ποσό είναι διαθέσιμο σε λογαριασμό που ο κάτοχός του άνοιξε για αυτόν τον έλεγχο. Η απάντηση είναι ναι ή όχι, ποτέ το υπόλοιπο.',
      },
      opendata: {
        title: 'Ανοικτά δεδομένα',
        audience: 'Για κάθε συνδρομητή',
        purpose: 'Διαβάστε πού έχει ATM η τράπεζα, τι προσφέρουν και πώς φτάνει κανείς εκεί.',
      },
      ais: {
        title: 'Πληροφορίες λογαριασμού',
        audience: 'Για υπηρεσίες πληροφοριών λογαριασμού',
        purpose:
          'Διαβάστε λογαριασμούς, υπόλοιπα, κινήσεις και αντίγραφα λογαριασμού, όσα και για όσο άνοιξε ο κάτοχός τους.',
      },
      pis: {
        title: 'Εκκίνηση πληρωμών',
        audience: 'Για υπηρεσίες εκκίνησης πληρωμών',
        purpose:
          'Καταχωρίστε μεταφορά στο εσωτερικό ή στο εξωτερικό. Ο πληρωτής εγκρίνει ακριβώς αυτήν· εκτελείται μία φορά, και παρακολουθείτε ή ακυρώνετε την εντολή.',
      },
      events: {
        title: 'Γεγονότα',
        audience: 'Για κάθε συνδρομητή',
        purpose:
          'Μάθετε κάθε αλλαγή στις άδειες και στις πληρωμές σας: με υπογεγραμμένα webhooks ή από τη ροή γεγονότων.',
      },
    },
    before: {
      heading: 'Πριν από την πρώτη κλήση',
      steps: [
        'Εγγραφείτε στην τράπεζα, με τον ρόλο της περιοχής που θα καλέσετε.',
        'Παραλάβετε το κλειδί συνδρομής της εφαρμογής σας.',
        'Ο κάτοχος του λογαριασμού εγκρίνει, και ανταλλάσσετε τον κωδικό με ένα access token.',
        'Αν το ζητά η τράπεζα, υπογράφετε τα αιτήματά σας με το πιστοποιητικό σας.',
      ],
      credentials: 'Διαπιστευτήρια (στα αγγλικά)',
      signatures: 'Υπογραφές (στα αγγλικά)',
    },
    next: 'Πού να συνεχίσετε',
    places: [
      { path: '/docs/guides', name: 'Οδηγοί', text: 'Από την πρώτη κλήση ως την παραγωγή, βήμα βήμα.' },
      { path: '/docs', name: 'Τεκμηρίωση', text: 'Κάθε κλήση με πεδία, κανόνες και παραδείγματα.' },
      { path: '/problems', name: 'Σφάλματα', text: 'Κάθε σφάλμα: τι συνέβη και τι να κάνετε.' },
      { path: '/docs/changes', name: 'Αλλαγές', text: 'Τι άλλαξε, και πώς ανακοινώνονται οι αλλαγές.' },
      { path: '/openapi.json', name: 'OpenAPI', text: 'Η διεπαφή ως αρχείο για τα εργαλεία σας.' },
    ],
    name: {
      before: 'Η λέξη ',
      after: ' σήμαινε τραπέζι: ο πάγκος του αργυραμοιβού έδωσε στην τράπεζα το όνομά της.',
    },
  },
  en: {
    heading: (bank) => `Open banking at ${bank}`,
    sentence:
      'Licensed apps check funds, read accounts and make payments here under PSD2, always with the account holder’s approval.',
    ways: [
      {
        title: 'For developers',
        text: 'Guides, the reference, and calls to try.',
        links: [
          { path: '/docs/guides', name: 'Guides' },
          { path: '/docs', name: 'Reference' },
          { path: '/portal', name: 'Portal' },
        ],
      },
      {
        title: 'For account holders',
        text: 'See which apps use your accounts.',
        links: [
          { path: '/dashboard', name: 'Your permissions' },
          { path: '/atms', name: 'Find an ATM' },
        ],
      },
      {
        title: 'For bank staff',
        text: 'Connect your core, run the service.',
        links: [{ path: '/banks', name: 'Operating documents' }],
      },
    ],
    parties: {
      title: 'Who asks whom for what',
      description:
        'An app asks the bank for a permission and sends the account holder there. The account holder approves at the bank. Then the app gets the data, or makes the payment, that was approved.',
      tpp: 'App',
      holder: 'Account holder',
      bank: 'Bank',
      steps: ['asks permission', 'sends to the bank', 'approves there', 'data, payment'],
    },
    offers: 'What can be done',
    areas: {},
    before: {
      heading: 'Before your first call',
      steps: [
        'Register with the bank, in the role of the area you want to call.',
        'Receive the subscription key of your application.',
        'Let the account holder approve, and exchange the authorization code for an access token.',
        'Sign your requests with your certificate, if the bank requires it.',
      ],
      credentials: 'More about credentials',
      signatures: 'More about signatures',
    },
    next: 'Where to go next',
    places: [
      { path: '/docs/guides', name: 'Guides', text: 'From the first call to production, step by step.' },
      { path: '/docs', name: 'Reference', text: 'Every operation with its fields, rules and examples.' },
      { path: '/problems', name: 'Problems', text: 'Every error: what happened and what to do.' },
      { path: '/docs/changes', name: 'Changes', text: 'What has changed, and how changes are announced.' },
      { path: '/openapi.json', name: 'OpenAPI', text: 'The interface as a document for your tools.' },
    ],
    name: {
      before: 'Trapeza, ',
      after: ', is Greek for table: the money changers’ bench, and so the bank.',
    },
  },
};
