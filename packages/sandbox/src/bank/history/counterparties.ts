/** Who the demo bank's customers deal with outside the bank. All are invented; their IBANs name a bank that does not exist. */
import { composeIBAN } from 'ibantools';
import type { Party } from '../ledger/transfer.js';

/** Accounts at other banks, numbered as they are named here. */
let numbered = 0;
const partyAtOtherBank = (name: string): Party => {
  numbered += 1;
  const iban = composeIBAN({ countryCode: 'GR', bban: `9980001${String(numbered).padStart(16, '0')}` });
  return { name, iban: iban ?? null };
};

/** Whether that bank has the account: one of those that are named here. */
export const isAtOtherBank = (iban: string): boolean =>
  Number(iban.slice(-16)) >= 1 && Number(iban.slice(-16)) <= numbered;

/** Its check digits are those of ISO 7064 over the national number and the country; the business code ZZZ is left out. */
const creditorIdOf = (number: number): string => {
  const national = `99${String(number).padStart(3, '0')}`;
  const rest = BigInt(`${national}162700`) % 97n;
  return `GR${String(98n - rest).padStart(2, '0')}ZZZ${national}`;
};

/** Collects by direct debit. */
const collector = (name: string): Party => {
  const party = partyAtOtherBank(name);
  return { ...party, creditorId: creditorIdOf(numbered) };
};

/** Seen on a card payment: a name, no account, and what kind of shop it is (ISO 18245). */
const shop = (merchantCategoryCode: string, name: string): Party => ({
  name,
  iban: null,
  merchantCategoryCode,
});
const shops = (category: string, first: string, ...others: readonly string[]): Some => [
  shop(category, first),
  ...others.map((name) => shop(category, name)),
];

type Some = readonly [Party, ...Party[]];

export const employers = {
  software: partyAtOtherBank('Λογισμικό Κύκλωψ ΑΕ'),
  printing: partyAtOtherBank('Τυπογραφείο Αστερίας ΑΕ'),
  shipping: partyAtOtherBank('Ναυτιλιακή Γλαύκη ΑΕ'),
  school: partyAtOtherBank('Εκπαιδευτήρια Νέας Ακτής'),
  clinic: partyAtOtherBank('Κλινική Ασημένια Πηγή ΑΕ'),
  weaving: partyAtOtherBank('Υφαντουργία Ανέμη ΑΕ'),
} as const;

export const pensions = partyAtOtherBank('Ταμείο Συντάξεων');
export const treasury = partyAtOtherBank('Δημόσιο Ταμείο');
export const insurance = partyAtOtherBank('Ταμείο Κοινωνικής Ασφάλισης');
/** Collects for the owner. */
export const landlord = { ...partyAtOtherBank('Οικοδομική Φανάρι ΕΕ'), ultimate: 'Ιωάννα Φανάρη' };
export const power = collector('Ρεύμα Φωτεινή Γραμμή ΑΕ');
export const water = collector('Δημοτική Ύδρευση Νέας Ακτής');
export const telephone = collector('Τηλεφωνία Αντίλαλος ΑΕ');
export const internet = collector('Δίκτυο Γοργόνα ΑΕ');
export const school = partyAtOtherBank('Παιδικός Σταθμός Χαρταετός');
export const otherBank = partyAtOtherBank('Λογαριασμός σε άλλη τράπεζα');
/** Pays for the donor. */
export const scholarships = {
  ...partyAtOtherBank('Ίδρυμα Υποτροφιών Φάρος'),
  ultimate: 'Κληροδότημα Νέας Ακτής',
};

export const groceries = shops(
  '5411',
  'Σούπερ Μάρκετ Τριφύλλι',
  'Μπακάλικο Η Γωνιά της Ρίγανης',
  'Αγορά Καλαθούνα',
  'Κρεοπωλείο Ο Θρακιώτης Αετός',
);
export const bakeries = shops('5462', 'Φούρνος Το Χρυσό Στάχυ', 'Ζυμωτήριο Πέντε Δρόμοι');
export const cafes = shops('5814', 'Καφέ Αίθριο', 'Καφέ Μικρή Προβλήτα', 'Καφεκοπτείο Χόβολη');
export const restaurants = shops('5812', 'Ταβέρνα Το Πράσινο Κύμα', 'Ψησταριά Σπίθα', 'Μεζεδοπωλείο Ανηφόρα');
export const stores = [
  shop('5942', 'Βιβλιοπωλείο Σελίδα Εννέα'),
  shop('5651', 'Ενδύματα Κλωστή και Βελόνα'),
  shop('5732', 'Ηλεκτρικά Είδη Σπινθήρας'),
  shop('5941', 'Αθλητικά Δρομέας Νότου'),
] as const satisfies Some;
export const pharmacies = shops('5912', 'Φαρμακείο Χαμομήλι', 'Φαρμακείο Λουίζα');
export const fuel = shops('5541', 'Πρατήριο Στροφή 12', 'Πρατήριο Κάτω Διασταύρωση');
export const transport = [
  shop('4111', 'Αστική Συγκοινωνία Νέας Ακτής'),
  shop('4121', 'Ταξί Κίτρινη Γραμμή'),
] as const satisfies Some;
/** A cash machine says neither whose it is nor where. */
export const machine: Party = { name: null, iban: null, merchantCategoryCode: '6011' };

export const abroad = {
  USD: shops('5734', 'Cloudberry Storage Inc', 'Larkspur Apps LLC', 'Quillwork Fonts LLC'),
  GBP: [
    shop('5942', 'Paperlark Books Ltd'),
    shop('5499', 'Thistle & Fen Teas'),
    shop('5735', 'Mossgate Records'),
  ],
  JPY: [
    shop('5943', 'Kawabe Stationery'),
    shop('7011', 'Hoshizora Ryokan'),
    shop('5812', 'Midori Noodle Bar'),
  ],
  KWD: [
    shop('5411', 'Sidra Corner Market'),
    shop('5814', 'Blue Dhow Cafe'),
    shop('5697', 'Palm Court Tailors'),
  ],
} as const satisfies Record<string, Some>;

export const clients: Some = [
  partyAtOtherBank('Ξενοδοχεία Λευκή Άμμος ΑΕ'),
  partyAtOtherBank('Οινοποιία Τρία Κυπαρίσσια ΑΕ'),
  partyAtOtherBank('Μεταφορική Πελαργός ΑΕ'),
  partyAtOtherBank('Ελαιοτριβεία Αργυρό Φύλλο ΑΕ'),
];
export const suppliers: Some = [
  partyAtOtherBank('Υλικά Συσκευασίας Χαρτόνι ΑΕ'),
  partyAtOtherBank('Μηχανουργείο Γρανάζι ΕΠΕ'),
  partyAtOtherBank('Αποθήκες Βορεινή Πύλη ΑΕ'),
];
export const employersAbroad = {
  USD: {
    name: 'Bluefin Charter Co',
    iban: null,
    bban: '7204418830',
    currency: 'USD',
    agent: { bic: 'HRBLUS33', name: 'Harborlight Bank', country: 'US' },
  },
  KWD: {
    name: 'Gulf Lantern Logistics',
    iban: null,
    bban: '0119900482',
    currency: 'KWD',
    agent: { bic: 'DHOWKWKW', name: 'Blue Dhow Bank', country: 'KW' },
  },
  JPY: {
    name: 'Tsubame Translations',
    iban: null,
    bban: '3310557',
    agent: { name: 'Hoshizora Bank', country: 'JP' },
  },
} as const satisfies Record<string, Party>;
