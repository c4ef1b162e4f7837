/** The words of the files that can be taken away, in Greek. */
import type { DashboardMessages } from './messages.js';

export const downloadsEl: Pick<DashboardMessages, 'download' | 'columns' | 'lists'> = {
  download: {
    heading: 'Λήψη των στοιχείων σας',
    text: 'Το CSV ανοίγει σε λογιστικό φύλλο, το JSON είναι για άλλα προγράμματα.',
    list: 'Αυτή η λίστα',
    everything: 'Όλα τα στοιχεία σας',
    fileOf: (list, format) => `${list} σε ${format}`,
  },
  columns: {
    list: 'Λίστα',
    time: 'Ώρα',
    app: 'Εφαρμογή',
    provider: 'Πάροχος',
    kind: 'Είδος',
    status: 'Κατάσταση',
    covers: 'Τι καλύπτει',
    purpose: 'Σκοπός, κατά την εφαρμογή',
    since: 'Από',
    until: 'Έως',
    lastUsed: 'Τελευταία χρήση',
    uses: 'Φορές χρήσης',
    payee: 'Δικαιούχος',
    amount: 'Ποσό',
    currency: 'Νόμισμα',
    answer: 'Απάντηση',
    data: 'Τι διάβασε',
    present: 'Πώς το διάβασε',
    account: 'Λογαριασμός',
    permission: 'Αριθμός άδειας',
  },
  lists: { permission: 'Άδεια', funds: 'Έλεγχος διαθέσιμου ποσού', access: 'Πρόσβαση σε στοιχεία' },
};
