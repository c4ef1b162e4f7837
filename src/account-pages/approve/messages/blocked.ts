/** The approval journey, if the person has blocked the third party that asks, in both languages. */
import type { BlockedMessages } from './messages.js';

export const blockedEn: BlockedMessages = {
  one: {
    title: (provider) => `You have blocked ${provider}`,
    lead: (app) =>
      `${app} asks for something, but you have blocked its provider. Refuse, or lift the block to see what it asks for.`,
    hint: 'Lifting the block approves nothing: you see the request next and decide about it. Permissions that have ended do not come back.',
  },
  all: {
    title: () => 'You have blocked all third parties',
    lead: (app) =>
      `${app} asks for something, but you have blocked all third parties. Refuse, or lift the block to see what it asks for.`,
    hint: 'Lifting the block approves nothing, but all third parties can ask you again. You see this request next and decide about it. Permissions that have ended do not come back.',
  },
  lift: 'Lift the block',
  refuse: 'Refuse and keep the block',
};

export const blockedEl: BlockedMessages = {
  one: {
    title: (provider) => `Έχετε αποκλείσει τον πάροχο ${provider}`,
    lead: (app) =>
      `Η εφαρμογή ${app} ζητά κάτι, αλλά έχετε αποκλείσει τον πάροχό της. Απορρίψτε το αίτημα ή άρετε τον αποκλεισμό για να δείτε τι ζητά.`,
    hint: 'Με την άρση δεν εγκρίνεται τίποτα: στη συνέχεια βλέπετε το αίτημα και αποφασίζετε. Όσες άδειες έχουν λήξει δεν επανέρχονται.',
  },
  all: {
    title: () => 'Έχετε αποκλείσει όλους τους παρόχους',
    lead: (app) =>
      `Η εφαρμογή ${app} ζητά κάτι, αλλά έχετε αποκλείσει όλους τους παρόχους. Απορρίψτε το αίτημα ή άρετε τον αποκλεισμό για να δείτε τι ζητά.`,
    hint: 'Με την άρση δεν εγκρίνεται τίποτα, αλλά όλοι οι πάροχοι θα μπορούν να σας ζητούν ξανά άδεια. Στη συνέχεια βλέπετε αυτό το αίτημα και αποφασίζετε. Όσες άδειες έχουν λήξει δεν επανέρχονται.',
  },
  lift: 'Άρση του αποκλεισμού',
  refuse: 'Απόρριψη, ο αποκλεισμός μένει',
};
