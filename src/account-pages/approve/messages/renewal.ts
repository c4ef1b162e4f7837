/** The renewal of a permission, in both languages. */
import type { RenewalMessages } from './messages.js';

export const renewalEl: RenewalMessages = {
  title: (app) => `Να συνεχίσει η εφαρμογή ${app} να βλέπει τους λογαριασμούς σας;`,
  lead: {
    psd2: 'Έχετε ήδη δώσει αυτή την άδεια. Για την ασφάλειά σας, η τράπεζα ζητά κατά διαστήματα να την επιβεβαιώνετε. Δεν αλλάζει τίποτα σε όσα επιτρέπετε.',
    psr: 'Έχετε ήδη δώσει αυτή την άδεια. Η εφαρμογή ζητά να την επιβεβαιώσετε, για παράδειγμα για να δει κινήσεις παλαιότερες των 90 ημερών. Δεν αλλάζει τίποτα σε όσα επιτρέπετε.',
  },
  what: 'Τι συνεχίζετε να επιτρέπετε',
  accounts: 'Σε ποιους λογαριασμούς',
  approve: 'Συνέχιση της άδειας',
  refuse: 'Όχι τώρα',
  hint: {
    psd2: 'Αν δεν συνεχίσετε τώρα, η άδεια μένει όπως είναι και ενημερώνεται η εφαρμογή. Ίσως όμως να μη βλέπει νέα στοιχεία μέχρι να την επιβεβαιώσετε.',
    psr: 'Αν δεν την επιβεβαιώσετε τώρα, η άδεια μένει όπως είναι και ενημερώνεται η εφαρμογή.',
  },
};

export const renewalEn: RenewalMessages = {
  title: (app) => `Shall ${app} go on seeing your accounts?`,
  lead: {
    psd2: 'You have given this permission before. To keep you safe, the bank asks you to confirm it from time to time. What you allow does not change.',
    psr: 'You have given this permission before. The app asks you to confirm it, for example to see transactions from more than 90 days ago. What you allow does not change.',
  },
  what: 'What you go on allowing',
  accounts: 'Accounts',
  approve: 'Continue the permission',
  refuse: 'Not now',
  hint: {
    psd2: 'If you do not continue now, the permission stays as it is and the app is told so. But it may not see new data until you confirm.',
    psr: 'If you do not confirm now, the permission stays as it is and the app is told so.',
  },
};
