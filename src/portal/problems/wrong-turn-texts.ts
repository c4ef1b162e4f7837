/** The words for people who have taken a wrong turn, or met a fault of ours. */
import { MAINTENANCE_CODE } from '../../gate/maintenance.js';
import type { Problem } from '../../problem/problem.js';
import type { Language } from '../../web/language.js';

const reasons = [
  'missing',
  'closed',
  'form',
  'often',
  'busy',
  'maintenance',
  'fault',
  'large',
  'unreadable',
] as const;
export type Reason = (typeof reasons)[number];

export const reasonOf = ({ slug, code, kind: { status } }: Problem): Reason => {
  if (code === MAINTENANCE_CODE) return 'maintenance';
  if (slug === 'message-too-large') return 'large';
  switch (status) {
    case 404:
      return 'missing';
    case 405:
      return 'closed';
    case 403:
      return 'form';
    case 429:
      return 'often';
    case 408:
    case 503:
      return 'busy';
    default:
      return status >= 500 ? 'fault' : 'unreadable';
  }
};

export interface WrongTurnTexts {
  readonly reasons: Readonly<Record<Reason, { readonly title: string; readonly text: string }>>;
  /** Before the number of the request. */
  readonly number: string;
  readonly places: Readonly<Record<'home' | 'docs' | 'dashboard' | 'status', string>>;
}

export const wrongTurnTexts: Readonly<Record<Language, WrongTurnTexts>> = {
  el: {
    reasons: {
      missing: {
        title: 'Δεν υπάρχει σελίδα εδώ',
        text: 'Η διεύθυνση ίσως γράφτηκε λάθος ή ο σύνδεσμος είναι παλιός. Συνεχίστε από εδώ:',
      },
      closed: {
        title: 'Η σελίδα δεν ανοίγει με αυτόν τον τρόπο',
        text: 'Ανοίγει μόνο με το κουμπί που οδηγεί σε αυτήν. Συνεχίστε από εδώ:',
      },
      form: {
        title: 'Η φόρμα δεν έγινε δεκτή',
        text: 'Στάλθηκε από άλλον ιστότοπο. Ανοίξτε ξανά τη σελίδα και δοκιμάστε από εκεί.',
      },
      often: {
        title: 'Πάρα πολλές προσπάθειες',
        text: 'Περιμένετε λίγο και δοκιμάστε ξανά.',
      },
      busy: {
        title: 'Η υπηρεσία δεν απαντά αυτή τη στιγμή',
        text: 'Δοκιμάστε ξανά σε λίγο.',
      },
      maintenance: {
        title: 'Γίνονται εργασίες συντήρησης',
        text: 'Η υπηρεσία είναι κλειστή και θα ανοίξει ξανά. Οι άδειές σας δεν αλλάζουν.',
      },
      fault: {
        title: 'Κάτι δεν λειτούργησε σωστά',
        text: 'Το λάθος είναι δικό μας. Δοκιμάστε ξανά σε λίγο.',
      },
      large: {
        title: 'Αυτό που στείλατε είναι πολύ μεγάλο',
        text: 'Επιστρέψτε και στείλτε μικρότερο αρχείο ή συντομότερο κείμενο.',
      },
      unreadable: {
        title: 'Το αίτημα δεν μπορεί να διαβαστεί',
        text: 'Ανοίξτε ξανά τη σελίδα και δοκιμάστε από την αρχή.',
      },
    },
    number: 'Αν συμβεί πάλι, πείτε στην τράπεζα αυτόν τον αριθμό:',
    places: {
      home: 'Αρχική σελίδα',
      docs: 'Τεκμηρίωση για προγραμματιστές',
      dashboard: 'Οι άδειές σας',
      status: 'Κατάσταση της υπηρεσίας',
    },
  },
  en: {
    reasons: {
      missing: {
        title: 'There is no page here',
        text: 'The address may be mistyped, or the link is old. Go on from here:',
      },
      closed: {
        title: 'This page cannot be opened like this',
        text: 'Only the button that leads to it can open it. Go on from here:',
      },
      form: {
        title: 'The form was not accepted',
        text: 'It was sent from another site. Open the page again and try from there.',
      },
      often: {
        title: 'Too many attempts',
        text: 'Wait a little, then try again.',
      },
      busy: {
        title: 'The service does not answer right now',
        text: 'Try again in a moment.',
      },
      maintenance: {
        title: 'Maintenance work is under way',
        text: 'The service is closed and will open again. Your permissions do not change.',
      },
      fault: {
        title: 'Something did not work',
        text: 'The mistake is ours. Try again in a moment.',
      },
      large: {
        title: 'What you sent is too large',
        text: 'Go back and send a smaller file or a shorter text.',
      },
      unreadable: {
        title: 'The request cannot be read',
        text: 'Open the page again and start over.',
      },
    },
    number: 'If it happens again, tell the bank this number:',
    places: {
      home: 'Home page',
      docs: 'Documentation for developers',
      dashboard: 'Your permissions',
      status: 'Status of the service',
    },
  },
};
