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

/** Seen on a card payment: a name and no account. */
const shop = (name: string): Party => ({ name, iban: null });

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
export const landlord = partyAtOtherBank('Οικοδομική Φανάρι ΕΕ');
export const power = partyAtOtherBank('Ρεύμα Φωτεινή Γραμμή ΑΕ');
export const water = partyAtOtherBank('Δημοτική Ύδρευση Νέας Ακτής');
export const telephone = partyAtOtherBank('Τηλεφωνία Αντίλαλος ΑΕ');
export const internet = partyAtOtherBank('Δίκτυο Γοργόνα ΑΕ');
export const school = partyAtOtherBank('Παιδικός Σταθμός Χαρταετός');
export const otherBank = partyAtOtherBank('Λογαριασμός σε άλλη τράπεζα');
export const scholarships = partyAtOtherBank('Ίδρυμα Υποτροφιών Φάρος');

export const groceries: Some = [
  shop('Σούπερ Μάρκετ Τριφύλλι'),
  shop('Μπακάλικο Η Γωνιά της Ρίγανης'),
  shop('Αγορά Καλαθούνα'),
  shop('Κρεοπωλείο Ο Θρακιώτης Αετός'),
];
export const bakeries: Some = [shop('Φούρνος Το Χρυσό Στάχυ'), shop('Ζυμωτήριο Πέντε Δρόμοι')];
export const cafes: Some = [shop('Καφέ Αίθριο'), shop('Καφέ Μικρή Προβλήτα'), shop('Καφεκοπτείο Χόβολη')];
export const restaurants: Some = [
  shop('Ταβέρνα Το Πράσινο Κύμα'),
  shop('Ψησταριά Σπίθα'),
  shop('Μεζεδοπωλείο Ανηφόρα'),
];
export const stores: Some = [
  shop('Βιβλιοπωλείο Σελίδα Εννέα'),
  shop('Ενδύματα Κλωστή και Βελόνα'),
  shop('Ηλεκτρικά Είδη Σπινθήρας'),
  shop('Αθλητικά Δρομέας Νότου'),
];
export const pharmacies: Some = [shop('Φαρμακείο Χαμομήλι'), shop('Φαρμακείο Λουίζα')];
export const fuel: Some = [shop('Πρατήριο Στροφή 12'), shop('Πρατήριο Κάτω Διασταύρωση')];
export const transport: Some = [shop('Αστική Συγκοινωνία Νέας Ακτής'), shop('Ταξί Κίτρινη Γραμμή')];

export const abroad = {
  USD: [shop('Cloudberry Storage Inc'), shop('Larkspur Apps LLC'), shop('Quillwork Fonts LLC')],
  GBP: [shop('Paperlark Books Ltd'), shop('Thistle & Fen Teas'), shop('Mossgate Records')],
  JPY: [shop('Kawabe Stationery'), shop('Hoshizora Ryokan'), shop('Midori Noodle Bar')],
  KWD: [shop('Sidra Corner Market'), shop('Blue Dhow Cafe'), shop('Palm Court Tailors')],
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
  USD: { name: 'Bluefin Charter Co', iban: null },
  KWD: { name: 'Gulf Lantern Logistics', iban: null },
  JPY: { name: 'Tsubame Translations', iban: null },
} as const;
