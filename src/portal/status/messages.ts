/** What the status page says. */
import type { Language } from '../../web/language.js';

const en = {
  title: 'Status of the interface',
  lead: 'Whether third parties can reach the bank now, what is planned, and the last 90 days.',
  works: 'The interface works.',
  planned: 'The interface is away as announced.',
  trouble: 'There is an incident.',
  downtimes: 'Planned downtime',
  noDowntimes: 'None is planned.',
  announced: (days: number) =>
    days === 1 ? 'Announced one day before it begins.' : `Announced ${days} days before it begins.`,
  cancelled: 'Cancelled',
  incidents: 'Incidents',
  noIncidents: 'There was none in the last 90 days.',
  lasts: 'lasts',
  history: 'The last 90 days',
  historyLabel: (days: number, down: number) =>
    `Availability of ${days} days, ${down} of them with downtime.`,
  noHistory: 'No day is over yet.',
  more: 'Figures of each day',
  feeds: 'As a feed',
} as const;

type Texts = {
  readonly [Name in keyof typeof en]: (typeof en)[Name] extends (...of: infer Parameters) => string
    ? (...of: Parameters) => string
    : string;
};

const el: Texts = {
  title: 'Κατάσταση της διεπαφής',
  lead: 'Αν οι τρίτοι πάροχοι φτάνουν στην τράπεζα τώρα, τι έχει προγραμματιστεί και οι τελευταίες 90 ημέρες.',
  works: 'Η διεπαφή λειτουργεί.',
  planned: 'Η διεπαφή δεν είναι διαθέσιμη, όπως έχει ανακοινωθεί.',
  trouble: 'Υπάρχει πρόβλημα.',
  downtimes: 'Προγραμματισμένες διακοπές',
  noDowntimes: 'Δεν έχει προγραμματιστεί καμία.',
  announced: (days) =>
    days === 1 ? 'Ανακοινώθηκε μία ημέρα πριν αρχίσει.' : `Ανακοινώθηκε ${days} ημέρες πριν αρχίσει.`,
  cancelled: 'Ακυρώθηκε',
  incidents: 'Προβλήματα',
  noIncidents: 'Δεν υπήρξε κανένα τις τελευταίες 90 ημέρες.',
  lasts: 'συνεχίζεται',
  history: 'Οι τελευταίες 90 ημέρες',
  historyLabel: (days, down) => `Διαθεσιμότητα ${days} ημερών, από τις οποίες ${down} με διακοπή.`,
  noHistory: 'Καμία ημέρα δεν έχει τελειώσει ακόμη.',
  more: 'Στοιχεία κάθε ημέρας',
  feeds: 'Ως ροή',
};

export const messages: Readonly<Record<Language, Texts>> = { el, en };
