/** The demo customer whom the flows suggest, and the one who gets paid. */
import { type DemoPsu, demoPsus } from '../../bank/people.js';

const psuOf = (username: string): DemoPsu => {
  const found = demoPsus.find((each) => each.username === username);
  if (!found) throw new Error(`the demo bank has no customer ${username}`);
  return found;
};

export const payer = psuOf('eleni');
const payeePsu = psuOf('vasilis');

export const payerIban = payer.accounts[0]?.iban ?? '';
export const payee = { name: payeePsu.name, iban: payeePsu.accounts[0]?.iban ?? '' };
