/** What the console says in Greek about seeing a person, and about acts that need two people. */
import type { peopleEn } from './people-en.js';

export const peopleEl: typeof peopleEn = {
  proposals: {
    heading: 'Σε αναμονή δεύτερου προσώπου',
    lead: 'Ένα πρόσωπο προτείνει, ένα άλλο επιβεβαιώνει ή απορρίπτει. Μετά από 24 ώρες η πρόταση παύει να ισχύει.',
    none: 'Τίποτα δεν περιμένει δεύτερο πρόσωπο.',
    about: 'Αφορά',
    input: 'Λεπτομέρειες',
    by: 'Το πρότεινε',
    at: 'Ημερομηνία πρότασης',
    own: 'Το προτείνατε εσείς, οπότε το επιβεβαιώνει άλλο πρόσωπο.',
    confirm: 'Επιβεβαίωση',
    refuse: 'Απόρριψη',
  },
  openings: {
    heading: 'Στοιχεία κατόχου λογαριασμού',
    why: 'Για ποιον λόγο τα ανοίγετε;',
    text: 'Αρκεί ένας αριθμός υπόθεσης. Το αρχείο ελέγχου κρατά ποιος άνοιξε ποιου τα στοιχεία, πότε και γιατί.',
    submit: 'Άνοιγμα',
  },
};
