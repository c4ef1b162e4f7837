/** What the pages about what the bank says in public say in Greek: statistics and announcements. */
import type { publicEn } from './public-en.js';

export const publicEl: typeof publicEn = {
  statistics: {
    heading: 'Στατιστικά',
    lead: 'Διαθεσιμότητα και απόδοση της διεπαφής ανά ημέρα, όπως πρέπει να δημοσιεύονται κατά τις EBA/GL/2018/07.',
    quarters: 'Τρίμηνα',
    quarter: (name) => `${name.slice(5)}ο τρίμηνο ${name.slice(0, 4)}`,
    none: 'Καμία ημέρα αυτού του τριμήνου δεν έχει τελειώσει.',
    days: 'Ημέρα προς ημέρα',
    publishedAt: 'Δημοσίευση',
    notPublished: 'όχι ακόμη· τα στοιχεία είναι προσωρινά',
  },
  announcements: {
    heading: 'Ανακοινώσεις',
    lead: 'Ό,τι υπάρχει εδώ φαίνεται στη σελίδα κατάστασης, και κάθε ενεργός τρίτος πάροχος το λαμβάνει ως συμβάν.',
    planned: 'Προγραμματισμένες διακοπές',
    nothingPlanned: 'Δεν υπάρχει προγραμματισμένη διακοπή.',
    cancelled: 'ακυρώθηκε',
    incidents: 'Προβλήματα των τελευταίων 90 ημερών',
    noIncident: 'Δεν υπήρξε πρόβλημα.',
    lasts: 'σε εξέλιξη',
  },
};
