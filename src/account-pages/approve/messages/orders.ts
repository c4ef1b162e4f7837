/** What has become of a payment order, in both languages. Nothing here says more than the order's status does. */
import type { OrderMessages } from './messages.js';

const reasonsEl: OrderMessages['reasons'] = {
  AC01: 'ο λογαριασμός του δικαιούχου δεν υπάρχει',
  AC02: 'ο λογαριασμός σας δεν μπορεί να χρησιμοποιηθεί για αυτή την πληρωμή',
  AC03: 'ο λογαριασμός του δικαιούχου δεν υπάρχει',
  AC04: 'ένας από τους δύο λογαριασμούς έχει κλείσει',
  AC06: 'ένας από τους δύο λογαριασμούς είναι δεσμευμένος',
  AG01: 'δεν επιτρέπεται πληρωμή μεταξύ αυτών των δύο λογαριασμών',
  AM02: 'το ποσό είναι πολύ μεγάλο',
  AM03: 'ένας από τους δύο λογαριασμούς δεν τηρείται σε αυτό το νόμισμα',
  AM04: 'το υπόλοιπο του λογαριασμού σας δεν επαρκούσε για το ποσό και τα έξοδα',
  AM14: 'το ποσό υπερβαίνει το ημερήσιο όριο του λογαριασμού σας',
};

/** The first of a month is feminine; all other days are plural. */
const onEl = (moment: string): string => `${moment.startsWith('1 ') ? 'την' : 'στις'} ${moment}`;

export const ordersEl: OrderMessages = {
  badges: {
    underWay: 'Σε εξέλιξη',
    paid: 'Πληρώθηκε',
    notPaid: 'Δεν πληρώθηκε',
    cancelled: 'Ακυρώθηκε',
  },
  underWay: (amount, payee) => ({
    title: 'Η πληρωμή εκτελείται',
    text: `Η τράπεζα έχει την εντολή πληρωμής ${amount} προς ${payee} και την εκτελεί.`,
    line: 'Η τράπεζα την εκτελεί.',
  }),
  paid: (amount, payee, moment) => ({
    title: 'Πληρώθηκε',
    text: `${amount} προς ${payee} ${onEl(moment)}.`,
    line: `Πληρώθηκε ${onEl(moment)}.`,
  }),
  notPaid: (amount, payee, reason) => ({
    title: 'Δεν πληρώθηκε',
    text: `Η πληρωμή ${amount} προς ${payee} δεν έγινε, επειδή ${reason}. Δεν έφυγαν χρήματα από τον λογαριασμό σας.`,
    line: `Δεν πληρώθηκε, επειδή ${reason}.`,
  }),
  cancelled: (amount, payee, by, moment) => ({
    title: {
      psu: 'Ακυρώσατε την πληρωμή',
      tpp: 'Η εφαρμογή ακύρωσε την πληρωμή',
      bank: 'Η τράπεζα ακύρωσε την πληρωμή',
    }[by],
    text: `Το ποσό ${amount} προς ${payee} δεν πληρώθηκε. Η ακύρωση έγινε ${onEl(moment)}. Δεν έφυγαν χρήματα από τον λογαριασμό σας.`,
    line: `${{ psu: 'Την ακυρώσατε', tpp: 'Την ακύρωσε η εφαρμογή', bank: 'Την ακύρωσε η τράπεζα' }[by]} ${onEl(moment)}.`,
  }),
  reasons: reasonsEl,
  otherReason: 'η τράπεζα δεν μπόρεσε να την εκτελέσει',
};

const reasonsEn: OrderMessages['reasons'] = {
  AC01: 'the payee has no such account',
  AC02: 'your account cannot be used for this payment',
  AC03: 'the payee has no such account',
  AC04: 'one of the two accounts is closed',
  AC06: 'one of the two accounts is blocked',
  AG01: 'payments between these two accounts are not allowed',
  AM02: 'the amount is too large',
  AM03: 'one of the two accounts does not have this currency',
  AM04: 'your account did not have enough money for the amount and the charges',
  AM14: 'the amount is more than your account can pay in a day',
};

export const ordersEn: OrderMessages = {
  badges: { underWay: 'In progress', paid: 'Paid', notPaid: 'Not paid', cancelled: 'Cancelled' },
  underWay: (amount, payee) => ({
    title: 'The payment is being carried out',
    text: `The bank has the order to pay ${amount} to ${payee} and is carrying it out.`,
    line: 'The bank is carrying it out.',
  }),
  paid: (amount, payee, moment) => ({
    title: 'Paid',
    text: `${amount} to ${payee} on ${moment}.`,
    line: `Paid on ${moment}.`,
  }),
  notPaid: (amount, payee, reason) => ({
    title: 'Not paid',
    text: `The payment of ${amount} to ${payee} was not made, because ${reason}. No money has left your account.`,
    line: `Not paid, because ${reason}.`,
  }),
  cancelled: (amount, payee, by, moment) => {
    const who = { psu: 'You', tpp: 'The app', bank: 'The bank' }[by];
    return {
      title: `${who} cancelled the payment`,
      text: `${amount} to ${payee} was not paid. It was cancelled on ${moment}. No money has left your account.`,
      line: `${who} cancelled it on ${moment}.`,
    };
  },
  reasons: reasonsEn,
  otherReason: 'the bank could not carry it out',
};
