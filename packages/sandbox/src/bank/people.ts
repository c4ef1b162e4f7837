/**
 * The demo bank's customers: a dozen account holders whose accounts show every case a third party must handle. Everything
 * is derived from fixed names and numbers, so it is the same on every machine.
 */
import { composeIBAN } from 'ibantools';
import type { BankAccount } from 'trapeza/bank';
import { derivedId, type PsuId } from 'trapeza/base';

export interface DemoAccount extends Omit<BankAccount, 'balanceMinor' | 'ownerName'> {
  readonly bookedMinor: number;
  readonly pendingMinor: number;
  readonly creditMinor: number;
  /** A card of a card issuer that is linked to the account by a funds consent. */
  readonly cardNumber: string | null;
}

export interface About {
  readonly en: string;
  readonly el: string;
}

export interface DemoPsu {
  readonly id: PsuId;
  readonly username: string;
  readonly password: string;
  readonly name: string;
  /** The bank has locked the login, as after many failures. */
  readonly isLocked: boolean;
  /** Confirms in the app of the bank instead of typing codes. */
  readonly hasApp: boolean;
  /** What the person does whatever is asked. */
  readonly manner?: 'refuses' | 'answered-late';
  /** What the person is there to show. */
  readonly about: About;
  readonly accounts: readonly DemoAccount[];
}

/** Bank code 999 and branch 0001 belong to no real Greek bank. */
export const ibanOf = (number: number): string => {
  const iban = composeIBAN({ countryCode: 'GR', bban: `9990001${String(number).padStart(16, '0')}` });
  if (!iban) throw new Error(`no IBAN for account ${number}`);
  return iban;
};

/** 16 digits with a correct check digit, in a range that no card scheme uses. */
const cardOf = (number: number): string => {
  const digits = `99990000${String(number).padStart(7, '0')}`;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
};

interface Sketch {
  readonly number: number;
  readonly name?: string;
  readonly product?: string;
  readonly type?: string;
  readonly currency?: string;
  readonly booked: number;
  readonly pending?: number;
  readonly credit?: number;
  readonly status?: DemoAccount['status'];
  readonly msisdn?: string;
  readonly card?: number;
  readonly bbanOnly?: true;
  readonly mayPay?: false;
  readonly signaturesNeeded?: number;
}

const accountId = (number: number, currency: string): string => derivedId(`account:${number}:${currency}`);

const account = (sketch: Sketch): DemoAccount => {
  const { number, currency = 'EUR' } = sketch;
  return {
    id: accountId(number, currency),
    iban: sketch.bbanOnly ? null : ibanOf(number),
    bban: sketch.bbanOnly ? `9990001${String(number).padStart(16, '0')}` : null,
    msisdn: sketch.msisdn ?? null,
    currency,
    name: sketch.name ?? 'Τρεχούμενος',
    product: sketch.product ?? 'Current account',
    type: sketch.type ?? 'CACC',
    status: sketch.status ?? 'enabled',
    bookedMinor: sketch.booked,
    pendingMinor: sketch.pending ?? 0,
    creditMinor: sketch.credit ?? 0,
    ...(sketch.mayPay === undefined ? {} : { mayPay: sketch.mayPay }),
    ...(sketch.signaturesNeeded === undefined ? {} : { signaturesNeeded: sketch.signaturesNeeded }),
    cardNumber: sketch.card === undefined ? null : cardOf(sketch.card),
  };
};

export const psu = (
  username: string,
  name: string,
  about: About,
  ...sketches: readonly Sketch[]
): DemoPsu => ({
  id: derivedId(`psu:${username}`),
  username,
  password: `${username}-demo`,
  name,
  isLocked: username === 'ioanna',
  hasApp: username === 'katerina',
  about,
  accounts: sketches.map(account),
});

const savings = { name: 'Αποταμιευτικός', product: 'Savings account', type: 'SVGS' } as const;
const currencies = {
  number: 201,
  name: 'Πολλαπλών νομισμάτων',
  product: 'Multi-currency account',
  card: 201,
} as const;
const joint: Sketch = {
  number: 901,
  name: 'Κοινός λογαριασμός',
  product: 'Joint account',
  booked: 312_040,
  card: 901,
};

/** Amounts are in minor units: 245075 is 2,450.75 EUR, but 180000 is 180,000 JPY and 4500125 is 4,500.125 KWD. */
export const demoPsus: readonly DemoPsu[] = [
  psu(
    'eleni',
    'Ελένη Παπαδοπούλου',
    {
      en: 'Start here: a current and a savings account in euro, a card and a phone number.',
      el: 'Ξεκινήστε από εδώ: τρεχούμενος και αποταμιευτικός σε ευρώ, κάρτα και αριθμός κινητού.',
    },
    { number: 101, booked: 245_075, pending: 12_050, msisdn: '+306900000101', card: 101 },
    { number: 102, ...savings, booked: 1_250_000 },
  ),
  psu(
    'nikos',
    'Νίκος Γεωργίου',
    {
      en: 'One IBAN with euro, dollars and pounds, and savings.',
      el: 'Ένας IBAN με ευρώ, δολάρια και λίρες, και αποταμιευτικός.',
    },
    { ...currencies, booked: 98_410 },
    { ...currencies, currency: 'USD', booked: 150_000 },
    { ...currencies, currency: 'GBP', booked: 4_020 },
    { number: 202, ...savings, booked: 640_000 },
  ),
  psu(
    'maria',
    'Μαρία Οικονόμου',
    {
      en: 'Currencies with no decimals (yen) and with three (Kuwaiti dinar). Two must sign what her savings pay.',
      el: 'Νομίσματα χωρίς δεκαδικά (γιεν) και με τρία (δηνάριο Κουβέιτ). Τις πληρωμές από τον αποταμιευτικό υπογράφουν δύο.',
    },
    {
      number: 301,
      name: 'Λογαριασμός σε γιεν',
      product: 'Foreign currency account',
      currency: 'JPY',
      booked: 180_000,
    },
    {
      number: 302,
      name: 'Λογαριασμός σε δηνάρια',
      product: 'Foreign currency account',
      currency: 'KWD',
      booked: 4_500_125,
    },
    { number: 303, ...savings, booked: 75_000, signaturesNeeded: 2 },
  ),
  psu(
    'giorgos',
    'Γιώργος Νικολάου',
    {
      en: 'One cent on one account, nothing on the other, from which he may not pay: funds are never enough.',
      el: 'Ένα λεπτό του ευρώ στον έναν λογαριασμό, τίποτα στον άλλο, από τον οποίο δεν έχει δικαίωμα να πληρώνει: τα χρήματα δεν φτάνουν ποτέ.',
    },
    { number: 401, booked: 1, card: 401 },
    { number: 402, ...savings, booked: 0, mayPay: false },
  ),
  psu(
    'katerina',
    'Κατερίνα Δημητρίου',
    {
      en: 'Every way to confirm: the bank’s app (the demo phone answers), a code, the bank’s OpenID login, and a passkey once she has added one. Overdrawn, with an agreed credit line.',
      el: 'Όλοι οι τρόποι επιβεβαίωσης: εφαρμογή της τράπεζας (απαντά το τηλέφωνο επίδειξης), κωδικός, σύνδεση OpenID της τράπεζας, και κλειδί πρόσβασης αφού το προσθέσει. Χρεωστικό υπόλοιπο, με συμφωνημένο όριο υπερανάληψης.',
    },
    { number: 501, booked: -35_000, pending: 4_990, credit: 100_000, card: 501 },
    { number: 502, ...savings, booked: 20_000 },
  ),
  psu(
    'dimitris',
    'Δημήτρης Αντωνίου',
    {
      en: 'Confirms with a code or at the bank’s OpenID login. One open and one closed account.',
      el: 'Επιβεβαιώνει με κωδικό ή με σύνδεση OpenID στην τράπεζα. Ένας ενεργός και ένας κλειστός λογαριασμός.',
    },
    { number: 601, booked: 88_800 },
    { number: 602, booked: 0, status: 'closed' },
  ),
  psu(
    'sofia',
    'Σοφία Βασιλείου',
    { en: 'An account without an IBAN: it has a BBAN.', el: 'Λογαριασμός χωρίς IBAN: έχει BBAN.' },
    { number: 701, bbanOnly: true, booked: 54_321 },
  ),
  psu(
    'kostas',
    'Κώστας Ιωάννου',
    {
      en: 'An account that is also found by its phone number.',
      el: 'Λογαριασμός που βρίσκεται και με τον αριθμό κινητού.',
    },
    { number: 801, booked: 73_119, msisdn: '+306900000801', card: 801 },
  ),
  psu(
    'anna',
    'Άννα Μακρή',
    {
      en: 'A joint account with Petros, and one of her own.',
      el: 'Κοινός λογαριασμός με τον Πέτρο, και ένας δικός της.',
    },
    joint,
    { number: 902, booked: 41_275 },
  ),
  psu(
    'petros',
    'Πέτρος Μακρής',
    {
      en: 'A joint account with Anna: either holder decides alone.',
      el: 'Κοινός λογαριασμός με την Άννα: ο καθένας αποφασίζει μόνος.',
    },
    joint,
  ),
  psu(
    'ioanna',
    'Ιωάννα Καραγιάννη',
    {
      en: 'Cannot log in: the bank has locked her login. Her only account is blocked, so no permission can be approved for it either.',
      el: 'Δεν μπορεί να συνδεθεί: η τράπεζα έχει κλειδώσει τη σύνδεσή της. Ο μοναδικός λογαριασμός της είναι δεσμευμένος, οπότε δεν μπορεί να εγκριθεί ούτε άδεια γι’ αυτόν.',
    },
    { number: 1001, booked: 500_000, status: 'blocked' },
  ),
  psu(
    'vasilis',
    'Βασίλης Αλεξίου',
    {
      en: 'A business account with large amounts, a large credit line and a numbered statement each quarter.',
      el: 'Επαγγελματικός λογαριασμός με μεγάλα ποσά, μεγάλο όριο και αριθμημένο αντίγραφο κινήσεων ανά τρίμηνο.',
    },
    {
      number: 1101,
      name: 'Επαγγελματικός',
      product: 'Business account',
      booked: 9_876_543_210,
      credit: 50_000_000,
      card: 1101,
    },
  ),
];

const byId: ReadonlyMap<string, DemoAccount> = new Map(
  demoPsus.flatMap(({ accounts }) => accounts).map((each) => [each.id, each]),
);

export const demoAccounts: readonly DemoAccount[] = [...byId.values()];

/** Who may pay from an account and how many must sign: rules of the bank, which its books do not know. */
export const payingRules = (id: string): Pick<DemoAccount, 'mayPay' | 'signaturesNeeded'> => {
  const { mayPay, signaturesNeeded } = byId.get(id) ?? {};
  return { ...(mayPay === undefined ? {} : { mayPay }), ...(signaturesNeeded ? { signaturesNeeded } : {}) };
};

/** By the number that its IBAN ends with. */
export const demoAccount = (number: number, currency = 'EUR'): DemoAccount => {
  const found = byId.get(accountId(number, currency));
  if (!found) throw new Error(`the demo bank has no account ${number} in ${currency}`);
  return found;
};

/** All holders, as a counterparty sees them. */
export const holderOf = ({ id }: DemoAccount): string =>
  demoPsus
    .filter(({ accounts }) => accounts.some((each) => each.id === id))
    .map(({ name }) => name)
    .join(', ');
