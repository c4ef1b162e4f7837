/** What each permission lets an app see, as the object of a sentence: for what it will see, sees, and could see. */
import type { Permission } from '../../../consent/record.js';

export const seenEl: Readonly<Record<Permission, string>> = {
  AccountsBasic: 'τον αριθμό, το όνομα, το νόμισμα, το είδος και την κατάσταση των λογαριασμών',
  AccountsDetail: 'τα στοιχεία των λογαριασμών: αριθμό, όνομα, νόμισμα, είδος, κατάσταση και όνομα κατόχου',
  Balances: 'πόσα χρήματα έχει κάθε λογαριασμός',
  TransactionsBasic:
    'την ημερομηνία και το ποσό των κινήσεων, όχι όμως τον άλλο συναλλασσόμενο ή την αιτιολογία',
  TransactionsDetail: 'αναλυτικά τις κινήσεις σας: ημερομηνία, ποσό, ποιος πλήρωσε ποιον και αιτιολογία',
  Statements: 'τα αντίγραφα κινήσεων των λογαριασμών',
};

export const seenEn: Readonly<Record<Permission, string>> = {
  AccountsBasic: 'the number, name, currency, type and status of the accounts',
  AccountsDetail:
    'the details of the accounts: number, name, currency, type, status and the name of the holder',
  Balances: 'how much money is in each account',
  TransactionsBasic: 'the date and amount of your transactions, but not the other party or the message',
  TransactionsDetail: 'your transactions in full: date, amount, who paid whom, and the message',
  Statements: 'your account statements',
};
