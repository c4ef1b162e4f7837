/** Third parties that a person blocks, in both languages. Numbers are written by the locale before they come here. */
import type { BlockMessages } from './messages.js';

export const blocksEn: BlockMessages = {
  title: 'Blocked third parties',
  lead: 'A third party that you block loses its permissions at once and gets no new one until you lift the block.',
  none: 'You have blocked no third party.',
  someAre: 'You have blocked third parties',
  allAre: 'You have blocked all third parties',
  all: 'All third parties',
  since: (moment) => `blocked since ${moment}`,
  manage: 'See and change blocks',
  blockAll: 'Block all third parties',
  block: (provider) => `Block ${provider}`,
  badge: 'Blocked',
  add: {
    one: {
      title: (provider) => `Block ${provider}?`,
      apps: (names) => `It offers: ${names}.`,
      noMore: 'It can no longer see your accounts, check balances or send payments.',
    },
    all: {
      title: 'Block all third parties?',
      noMore:
        'No third party can see your accounts, check balances or send payments any more, including those you do not know yet.',
    },
    ends: (count, text) =>
      count === 0
        ? 'You have no permission that would end.'
        : `${count === 1 ? '1 permission ends' : `${text} permissions end`} at once, and so does every request that waits for your decision.`,
    sent: 'A payment that the bank has already received is still carried out. You can cancel it on its own page if it has not left.',
    lift: 'You can lift the block whenever you want, with an authentication. Permissions that have ended do not come back: you would be asked anew.',
    yes: 'Block',
    no: 'Do not block',
  },
  lift: {
    go: 'Lift the block',
    one: (provider) => `Lift the block of ${provider}?`,
    all: 'Lift the block of all third parties?',
    texts: {
      text: 'We have sent you a one-time code. Enter it to lift the block.',
      hint: 'It lifts this block only and approves nothing.',
      waiting: 'The page goes on by itself once you have confirmed.',
      submit: 'Lift the block',
    },
    after: {
      one: 'It can ask you for permissions again. Nothing is approved by that, and permissions that have ended do not come back.',
      all: 'All third parties can ask you for permissions again, except those that you have blocked by name. Nothing is approved by that, and permissions that have ended do not come back.',
    },
    keep: 'Keep the block',
  },
  added: (name) => `Blocked: ${name}`,
  addedText: 'What it was allowed has ended.',
  lifted: 'The block is lifted',
  liftedText: 'You can be asked for permissions again. Whatever has ended stays so.',
};

export const blocksEl: BlockMessages = {
  title: 'Αποκλεισμένοι πάροχοι',
  lead: 'Ο πάροχος που αποκλείετε χάνει αμέσως τις άδειές του και δεν παίρνει νέα, μέχρι να άρετε τον αποκλεισμό.',
  none: 'Δεν έχετε αποκλείσει κανέναν πάροχο.',
  someAre: 'Έχετε αποκλείσει παρόχους',
  allAre: 'Έχετε αποκλείσει όλους τους παρόχους',
  all: 'Όλοι οι πάροχοι',
  since: (moment) => `σε αποκλεισμό από ${moment}`,
  manage: 'Δείτε και αλλάξτε τους αποκλεισμούς',
  blockAll: 'Αποκλεισμός όλων των παρόχων',
  block: (provider) => `Αποκλεισμός: ${provider}`,
  badge: 'Σε αποκλεισμό',
  add: {
    one: {
      title: (provider) => `Να αποκλειστεί ο πάροχος ${provider};`,
      apps: (names) => `Προσφέρει: ${names}.`,
      noMore:
        'Δεν θα μπορεί πια να βλέπει τους λογαριασμούς σας, να ελέγχει διαθέσιμα ποσά ή να στέλνει πληρωμές.',
    },
    all: {
      title: 'Να αποκλειστούν όλοι οι πάροχοι;',
      noMore:
        'Κανένας δεν θα μπορεί πια να βλέπει τους λογαριασμούς σας, να ελέγχει διαθέσιμα ποσά ή να στέλνει πληρωμές, ούτε όσοι δεν γνωρίζετε ακόμη.',
    },
    ends: (count, text) =>
      count === 0
        ? 'Δεν έχετε άδεια που θα έληγε.'
        : `${count === 1 ? 'Λήγει αμέσως 1 άδεια' : `Λήγουν αμέσως ${text} άδειες`}, καθώς και κάθε αίτημα που περιμένει την απόφασή σας.`,
    sent: 'Μια πληρωμή που έχει ήδη λάβει η τράπεζα εκτελείται κανονικά. Μπορείτε να την ακυρώσετε στη σελίδα της, αν δεν έχει φύγει.',
    lift: 'Μπορείτε να άρετε τον αποκλεισμό όποτε θέλετε, με ταυτοποίηση. Όσες άδειες έληξαν δεν επανέρχονται: θα σας ζητηθούν εκ νέου.',
    yes: 'Αποκλεισμός',
    no: 'Χωρίς αποκλεισμό',
  },
  lift: {
    go: 'Άρση του αποκλεισμού',
    one: (provider) => `Να αρθεί ο αποκλεισμός του παρόχου ${provider};`,
    all: 'Να αρθεί ο αποκλεισμός όλων των παρόχων;',
    texts: {
      text: 'Σας στείλαμε έναν κωδικό μίας χρήσης. Πληκτρολογήστε τον για να αρθεί ο αποκλεισμός.',
      hint: 'Αίρει μόνο αυτόν τον αποκλεισμό και δεν εγκρίνει τίποτα.',
      waiting: 'Η σελίδα συνεχίζει μόνη της μόλις επιβεβαιώσετε.',
      submit: 'Άρση του αποκλεισμού',
    },
    after: {
      one: 'Θα μπορεί να σας ζητά ξανά άδειες. Με αυτό δεν εγκρίνεται τίποτα, και όσες άδειες έληξαν δεν επανέρχονται.',
      all: 'Όλοι οι πάροχοι θα μπορούν να σας ζητούν ξανά άδειες, εκτός από όσους έχετε αποκλείσει ονομαστικά. Με αυτό δεν εγκρίνεται τίποτα, και όσες άδειες έληξαν δεν επανέρχονται.',
    },
    keep: 'Διατήρηση του αποκλεισμού',
  },
  added: (name) => `Αποκλείστηκε: ${name}`,
  addedText: 'Όσες άδειες είχε έληξαν.',
  lifted: 'Ο αποκλεισμός άρθηκε',
  liftedText: 'Μπορούν να σας ζητηθούν ξανά άδειες. Όσα έληξαν δεν επανέρχονται.',
};
