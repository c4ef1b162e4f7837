/** The words of the ATM pages, and the names of the contract's fixed values. */
import type { AccessibilityFeature, AtmService } from '../../atms/atm.js';
import type { Language } from '../../web/language.js';
import type { Facet } from './book.js';

const services: Readonly<Record<AtmService, Readonly<Record<Language, string>>>> = {
  Balance: { el: 'Ερώτηση υπολοίπου', en: 'Balance' },
  BillPayments: { el: 'Πληρωμή λογαριασμών', en: 'Bill payments' },
  CashDeposits: { el: 'Κατάθεση μετρητών', en: 'Cash deposits' },
  CashWithdrawal: { el: 'Ανάληψη μετρητών', en: 'Cash withdrawal' },
  CharityDonation: { el: 'Δωρεές', en: 'Charity donations' },
  ChequeBookRequest: { el: 'Παραγγελία επιταγών', en: 'Cheque book requests' },
  ChequeDeposits: { el: 'Κατάθεση επιταγών', en: 'Cheque deposits' },
  FastCash: { el: 'Γρήγορη ανάληψη', en: 'Fast cash' },
  MiniStatement: { el: 'Τελευταίες κινήσεις', en: 'Mini statement' },
  MobileBankingRegistration: { el: 'Εγγραφή στο mobile banking', en: 'Mobile banking registration' },
  MobilePaymentRegistration: { el: 'Εγγραφή για πληρωμές με κινητό', en: 'Mobile payment registration' },
  MobilePhoneTopUp: { el: 'Ανανέωση χρόνου ομιλίας', en: 'Mobile phone top-up' },
  OrderStatement: { el: 'Παραγγελία αντιγράφου κινήσεων', en: 'Order a statement' },
  PINActivation: { el: 'Ενεργοποίηση PIN', en: 'PIN activation' },
  PINChange: { el: 'Αλλαγή PIN', en: 'PIN change' },
};

const features: Readonly<Record<AccessibilityFeature, Readonly<Record<Language, string>>>> = {
  AudioCashMachine: { el: 'Φωνητική καθοδήγηση', en: 'Audio guidance' },
  AutomaticDoors: { el: 'Αυτόματες πόρτες', en: 'Automatic doors' },
  ChairAccess: { el: 'Κάθισμα', en: 'Chair' },
  DriveThru: { el: 'Εξυπηρέτηση από το αυτοκίνητο', en: 'Drive-through' },
  ExternalRamp: { el: 'Εξωτερική ράμπα', en: 'External ramp' },
  InductionLoop: { el: 'Επαγωγικός βρόχος ακοής', en: 'Induction loop' },
  InternalRamp: { el: 'Εσωτερική ράμπα', en: 'Internal ramp' },
  LevelAccess: { el: 'Ισόπεδη πρόσβαση', en: 'Level access' },
  LowerLevelCounter: { el: 'Χαμηλός πάγκος', en: 'Lower counter' },
  WheelchairAccess: { el: 'Πρόσβαση με αμαξίδιο', en: 'Wheelchair access' },
};

/** A code may be anything: the bank imports lists of others. */
const displayName = (type: 'language' | 'currency', code: string, lang: Language): string => {
  try {
    return new Intl.DisplayNames([lang], { type }).of(code) ?? code;
  } catch {
    return code;
  }
};

export const nameOf = (facet: Facet, value: string, lang: Language): string => {
  if (facet === 'service') return services[value as AtmService]?.[lang] ?? value;
  if (facet === 'access') return features[value as AccessibilityFeature]?.[lang] ?? value;
  const name = displayName(facet, value, lang);
  return facet === 'currency' && name !== value ? `${value} – ${name}` : name;
};

export const messages = {
  el: {
    title: 'ATM',
    lead: 'Όλα τα μηχανήματα αυτόματων συναλλαγών της τράπεζας. Τα ίδια στοιχεία δίνει το API σε κάθε εφαρμογή.',
    near: 'Κοντά σε',
    nearHint: 'Πόλη, ταχυδρομικός κώδικας ή συντεταγμένες, π.χ. 37.98, 23.73',
    filters: 'Φίλτρα: υπηρεσία, προσβασιμότητα, νόμισμα, γλώσσα',
    any: 'Όλα',
    apply: 'Αναζήτηση',
    clear: 'Καθαρισμός',
    wrong: 'Κάτι χρειάζεται διόρθωση',
    found: (count: number) => (count === 1 ? '1 ATM' : `${count.toLocaleString('el')} ATM`),
    nearest: (name: string) => `κοντά σε: ${name}`,
    none: 'Κανένα ATM δεν ταιριάζει. Αφαιρέστε ένα φίλτρο.',
    empty: 'Δεν έχει δημοσιευθεί ακόμη κατάλογος ATM.',
    map: 'Χάρτης',
    mapLabel: (found: number, all: number) => `Χάρτης επισκόπησης: ${found} από ${all} ATM τονισμένα`,
    mapNote: 'Απλοποιημένος χάρτης, χωρίς δρόμους. Οι έντονες κουκκίδες είναι τα ATM της αναζήτησης.',
    page: (page: number, pages: number) => `Σελίδα ${page} από ${pages}`,
    previous: 'Προηγούμενη',
    next: 'Επόμενη',
    pagesLabel: 'Σελίδες',
    back: 'Όλα τα ATM',
    json: 'Τα στοιχεία όπως τα δίνει το API',
    reference: 'Τεκμηρίωση του API',
    fields: {
      service: 'Υπηρεσία',
      access: 'Προσβασιμότητα',
      currency: 'Νόμισμα',
      language: 'Γλώσσα',
    },
    faults: {
      value: (field: string) =>
        `${field}: δεν υπάρχει τέτοια επιλογή στον κατάλογο. Επιλέξτε μία από τη λίστα.`,
      place:
        'Ο κατάλογος δεν έχει ATM με θέση σε αυτό το μέρος. Γράψτε πόλη ή κώδικα του καταλόγου, ή συντεταγμένες.',
      page: 'Ο αριθμός σελίδας είναι ακέραιος από 1 και πάνω.',
    },
    details: {
      address: 'Διεύθυνση',
      location: 'Θέση',
      services: 'Υπηρεσίες',
      access: 'Προσβασιμότητα',
      currencies: 'Νομίσματα',
      languages: 'Γλώσσες',
      telephone: 'Τηλέφωνο',
      code: 'Αριθμός μηχανήματος',
      description: 'Περιγραφή',
      unknown: 'Δεν αναφέρεται',
    },
  },
  en: {
    title: 'ATMs',
    lead: 'All cash machines of the bank. The API gives the same data to every application.',
    near: 'Near',
    nearHint: 'Town, postcode or coordinates, such as 37.98, 23.73',
    filters: 'Filters: service, accessibility, currency, language',
    any: 'Any',
    apply: 'Search',
    clear: 'Clear',
    wrong: 'Something needs correcting',
    found: (count: number) => (count === 1 ? '1 ATM' : `${count.toLocaleString('en')} ATMs`),
    nearest: (name: string) => `near ${name}`,
    none: 'No ATM fits. Remove a filter.',
    empty: 'No list of ATMs has been published yet.',
    map: 'Map',
    mapLabel: (found: number, all: number) => `Overview map: ${found} of ${all} ATMs highlighted`,
    mapNote: 'A simplified map without streets. The strong dots are the ATMs of your search.',
    page: (page: number, pages: number) => `Page ${page} of ${pages}`,
    previous: 'Previous',
    next: 'Next',
    pagesLabel: 'Pages',
    back: 'All ATMs',
    json: 'The data as the API gives it',
    reference: 'Reference of the API',
    fields: { service: 'Service', access: 'Accessibility', currency: 'Currency', language: 'Language' },
    faults: {
      value: (field: string) => `${field}: the list has no such value. Choose one of those offered.`,
      place:
        'The list has no ATM with a location there. Write a town or postcode of the list, or coordinates.',
      page: 'A page is a whole number from 1.',
    },
    details: {
      address: 'Address',
      location: 'Location',
      services: 'Services',
      access: 'Accessibility',
      currencies: 'Currencies',
      languages: 'Languages',
      telephone: 'Telephone',
      code: 'Machine number',
      description: 'Description',
      unknown: 'Not stated',
    },
  },
} as const satisfies Record<Language, unknown>;
