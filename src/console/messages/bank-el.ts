/** What the pages about the bank's own things say in Greek: ATMs and settings. */
import type { bankEn } from './bank-en.js';

export const bankEl: typeof bankEn = {
  atms: {
    heading: 'Κατάλογος ΑΤΜ',
    count: 'Δημοσιευμένα ΑΤΜ',
    since: 'Τελευταία αλλαγή',
    none: 'Δεν έχει δημοσιευτεί ακόμη κατάλογος.',
    upload: 'Προεπισκόπηση άλλου καταλόγου',
    uploadText:
      'JSON της διεπαφής, UK Open Data, GeoJSON ή CSV, έως 4 MB· για μεγαλύτερα: trapeza atms import. Τίποτα δεν δημοσιεύεται πριν δείτε τι αλλάζει.',
    file: 'Αρχείο',
    pasted: 'Ή το κείμενό του',
    country: 'Χώρα για διευθύνσεις χωρίς χώρα (προαιρετικό)',
    countryHint: 'Δύο λατινικά γράμματα, όπως GR.',
    countryWrong: 'Γράψτε δύο λατινικά γράμματα, όπως GR, ή τίποτα.',
    empty: 'Διαλέξτε αρχείο ή επικολλήστε το κείμενό του.',
    unreadable: 'Ο κατάλογος δεν διαβάζεται:',
    preview: 'Εμφάνιση αλλαγών',
    previewHeading: 'Προεπισκόπηση καταλόγου ΑΤΜ',
    read: 'Διαβάστηκαν',
    accepted: 'Έγιναν δεκτά',
    repaired: 'Από αυτά διορθώθηκαν',
    refused: 'Απορρίφθηκαν',
    added: 'Προστίθενται',
    changed: 'Αλλάζουν',
    removed: 'Αφαιρούνται',
    unchanged: 'Χωρίς αλλαγή',
    some: (name, count, most) =>
      count > most ? `${name}: τα πρώτα ${most} από ${count}` : `${name}: ${count}`,
    record: 'Εγγραφή',
    why: 'Γιατί',
    publishText: (count) => `Ο κατάλογος θα έχει ${count} ΑΤΜ και αντικαθιστά τον δημοσιευμένο.`,
    allow: (count) => `Δημοσίευση χωρίς τις εγγραφές που απορρίφθηκαν (${count})`,
    allowMissing:
      'Κάποιες εγγραφές απορρίφθηκαν. Διορθώστε τις ή επιλέξτε ότι ο κατάλογος δημοσιεύεται χωρίς αυτές.',
    staleHeading: 'Ο δημοσιευμένος κατάλογος άλλαξε',
    stale:
      'Μετά από αυτόν τον κατάλογο δημοσιεύτηκε άλλος. Ανεβάστε τον ξανά για να δείτε τι θα άλλαζε τώρα.',
    back: 'Πίσω στον δημοσιευμένο κατάλογο',
  },
  settings: {
    heading: 'Ρυθμίσεις',
    lead: 'Όπως τις χρησιμοποιεί αυτός ο κόμβος από την εκκίνησή του. Τα μυστικά δεν εμφανίζονται. Ο ίδιος κατάλογος: trapeza settings',
    name: 'Ρύθμιση',
    value: 'Τιμή',
    none: 'καμία',
    source: 'Από',
    sources: {
      default: 'προεπιλογή',
      environment: 'περιβάλλον',
      program: 'πρόγραμμα',
      file: 'αρχείο',
      credential: 'διαπιστευτήριο του systemd',
    },
    meaning: 'Σημασία',
    bank: 'Όσα αποφασίζει η τράπεζα',
    experts: 'Για ειδικούς',
    expertsLead: 'Καθεμία είναι σωστή όπως είναι σχεδόν παντού. Αλλάξτε κάποια μόνο αν υπάρχει λόγος.',
  },
};
