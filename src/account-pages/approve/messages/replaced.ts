/** Which earlier permissions an approval ends, in both languages. */
import type { ReplacedMessages } from './messages.js';

export const replacedEl: ReplacedMessages = {
  sure: {
    heading: 'Τι λήγει αν εγκρίνετε',
    text: (app, count) =>
      count === 1
        ? `Η εφαρμογή ${app} έχει ήδη άδεια για αυτούς τους λογαριασμούς. Αν εγκρίνετε, λήγει και τη θέση της παίρνει η νέα:`
        : `Η εφαρμογή ${app} έχει ήδη άδειες για αυτούς τους λογαριασμούς. Αν εγκρίνετε, λήγουν και τη θέση τους παίρνει η νέα:`,
  },
  maybe: {
    heading: 'Τι μπορεί να λήξει',
    text: (app, count) =>
      count === 1
        ? `Η εφαρμογή ${app} έχει ήδη άδεια. Αν διαλέξετε έστω και έναν από τους λογαριασμούς της, λήγει ολόκληρη:`
        : `Η εφαρμογή ${app} έχει ήδη άδειες. Αν διαλέξετε έστω και έναν λογαριασμό κάποιας από αυτές, εκείνη λήγει ολόκληρη:`,
  },
  since: (day) => `Άδεια από ${day}`,
};

export const replacedEn: ReplacedMessages = {
  sure: {
    heading: 'What ends if you approve',
    text: (app, count) =>
      count === 1
        ? `${app} already has a permission for these accounts. If you approve, it ends and the new one takes its place:`
        : `${app} already has permissions for these accounts. If you approve, they end and the new one takes their place:`,
  },
  maybe: {
    heading: 'What may end',
    text: (app, count) =>
      count === 1
        ? `${app} already has a permission. If you tick even one of its accounts, the whole of it ends:`
        : `${app} already has permissions. If you tick even one account of any of them, the whole of that one ends:`,
  },
  since: (day) => `Permission of ${day}`,
};
