/** The demo customer whom the flows suggest, and the one who gets paid. */
import { type DemoPsu, demoPsus } from '../../bank/people.js';

const psuOf = (username: string): DemoPsu => {
  const found = demoPsus.find((each) => each.username === username);
  if (!found) throw new Error(`the demo bank has no customer ${username}`);
  return found;
};

const payer = psuOf('eleni');
const payeePsu = psuOf('vasilis');

export const payerIban = payer.accounts[0]?.iban ?? '';
export const payee = { name: payeePsu.name, iban: payeePsu.accounts[0]?.iban ?? '' };

/** What stands in the forms for other people than these. */
export const presetsOf = (people: readonly DemoPsu[]): Readonly<Record<string, readonly string[]>> => {
  const [first, second = first] = people;
  const ibanIn = (psu: DemoPsu | undefined): string =>
    psu?.accounts.find(({ iban }) => iban !== null)?.iban ?? '';
  if (first === demoPsus[0] || !first || !second) return {};
  return { iban: [ibanIn(first)], creditor: [second.name], creditIban: [ibanIn(second)] };
};
