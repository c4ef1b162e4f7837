/** People of one's own with their accounts and transactions, as JSON (`trapeza sandbox --seed`, `PUT /sandbox/people`). They stand beside the demo people. */
import {
  ConfigError,
  decimalsOf,
  derivedId,
  isDate,
  minorOf,
  normalIban,
  sentencesOf,
  sha256,
  validator,
} from 'trapeza/base';
import { type Static, Type } from 'typebox';
import { casePsus } from './bank/case-people.js';
import { hashPassword } from './bank/demo-identity.js';
import { shifted } from './bank/history/calendar.js';
import { currencies } from './bank/ledger/internal-accounts.js';
import { type DemoAccount, type DemoPsu, demoAccounts, demoPsus, ibanOf } from './bank/people.js';
import type { OwnEntry, OwnPerson } from './bank/seed-own.js';
import { volumeAccount } from './bank/volume.js';
import { About, readPeopleFile, strict, text } from './people-file.js';

/** In units of the currency: all of a file together stay far from where numbers are no longer exact. */
const MOST = 1_000_000_000;
const MOST_DAYS = 3650;
export const MOST_TRANSACTIONS = 500;

const oneOf = <const Value extends string>(values: readonly Value[]) =>
  Type.Unsafe<Value>({ type: 'string', enum: values });
const Iban = Type.Optional(Type.String({ format: 'iban' }));

const Transaction = Type.Object(
  {
    date: Type.Optional(Type.String({ format: 'date' })),
    daysAgo: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_DAYS })),
    amount: Type.Number({ minimum: -MOST, maximum: MOST }),
    text: Type.Optional(text(140)),
    counterparty: Type.Optional(text(70)),
    counterpartyIban: Iban,
  },
  strict,
);

const Account = Type.Object(
  {
    iban: Iban,
    currency: oneOf(currencies),
    name: Type.Optional(text(70)),
    balance: Type.Number({ minimum: -MOST, maximum: MOST }),
    creditLine: Type.Optional(Type.Number({ minimum: 0, maximum: MOST })),
    status: Type.Optional(oneOf(['enabled', 'blocked', 'closed'])),
    cardNumber: Type.Optional(Type.String({ format: 'card-number' })),
    transactions: Type.Optional(Type.Array(Transaction, { maxItems: MOST_TRANSACTIONS })),
  },
  strict,
);

const Person = Type.Object(
  {
    username: Type.String({ pattern: '^[\\w.@-]{1,64}$' }),
    password: text(256),
    name: text(140),
    about: About,
    accounts: Type.Array(Account, { maxItems: 20 }),
  },
  strict,
);

export const People = Type.Object({ people: Type.Array(Person, { minItems: 1, maxItems: 50 }) }, strict);
export type People = Static<typeof People>;
type Account = Static<typeof Account>;
type Person = Static<typeof Person>;

const check = validator(People);

type Fault = readonly [path: string, reason: string];
type Members = Readonly<Record<string, unknown>>;

/** Of a value that may have any shape, so that all faults are found at once. */
const objectsIn = (list: unknown): readonly Members[] =>
  Array.isArray(list) ? list.map((each) => (typeof each === 'object' && each !== null ? each : {})) : [];

const decimalFaults = (at: string, value: unknown, currency: unknown): readonly Fault[] => {
  if (typeof value !== 'number' || Math.abs(value) > MOST || typeof currency !== 'string') return [];
  const decimals = decimalsOf(currency);
  return decimals === undefined || minorOf(String(value), currency) !== undefined
    ? []
    : [[at, `has more decimals than ${currency}, which has ${decimals}`]];
};

const transactionFaults = (
  at: string,
  entry: Members,
  currency: unknown,
  today: string,
): readonly Fault[] => {
  const { date, daysAgo, amount } = entry;
  const isOutside =
    typeof date === 'string' && isDate(date) && (date > today || date < shifted(today, -MOST_DAYS));
  return [
    ...((date === undefined) === (daysAgo === undefined)
      ? [[at, 'must have either date or daysAgo'] as const]
      : []),
    ...(isOutside ? [[`${at}.date`, 'must be a day of the last ten years, not after today'] as const] : []),
    ...(amount === 0 ? [[`${at}.amount`, 'must not be 0'] as const] : []),
    ...decimalFaults(`${at}.amount`, amount, currency),
  ];
};

const accountFaults = (at: string, account: Members, today: string): readonly Fault[] => {
  const { currency, balance, creditLine = 0 } = account;
  const entries = objectsIn(account.transactions);
  const paid = entries.reduce((sum, { amount }) => sum + Number(amount), 0);
  return [
    ...decimalFaults(`${at}.balance`, balance, currency),
    ...decimalFaults(`${at}.creditLine`, creditLine, currency),
    ...(Number(balance) < -Number(creditLine)
      ? [[`${at}.balance`, 'is further below 0 than the creditLine allows'] as const]
      : []),
    ...(Math.abs(Number(balance) - paid) > MOST
      ? [[`${at}.transactions`, `add up to more than ${MOST} away from the balance`] as const]
      : []),
    ...entries.flatMap((entry, index) =>
      transactionFaults(`${at}.transactions.${index}`, entry, currency, today),
    ),
  ];
};

const TAKEN = 'belongs to the demo bank';

const usernameFaults = (people: readonly Members[]): readonly Fault[] => {
  const seen = new Set<unknown>();
  return people.flatMap(({ username }, index): readonly Fault[] => {
    const at = `people.${index}.username`;
    if ([...demoPsus, ...casePsus].some((psu) => psu.username === username)) return [[at, TAKEN]];
    if (username === undefined || !seen.has(username)) {
      seen.add(username);
      return [];
    }
    return [[at, 'is the same twice']];
  });
};

/** One person may have an IBAN in several currencies. */
const ibanFaults = (people: readonly Members[]): readonly Fault[] => {
  const ofCases = casePsus.flatMap(({ accounts }) => accounts);
  const ofDemo = new Set([volumeAccount, ...demoAccounts, ...ofCases].map(({ iban }) => iban));
  const holders = new Map<string, number>();
  const seen = new Set<string>();
  return people.flatMap(({ accounts }, person) =>
    objectsIn(accounts).flatMap(({ iban: given, currency }, index): readonly Fault[] => {
      if (typeof given !== 'string') return [];
      const [at, iban] = [`people.${person}.accounts.${index}.iban`, normalIban(given)];
      if (ofDemo.has(iban)) return [[at, TAKEN]];
      const key = `${iban} ${currency}`;
      if (seen.has(key) || (holders.get(iban) ?? person) !== person) return [[at, 'is the same twice']];
      seen.add(key);
      holders.set(iban, person);
      return [];
    }),
  );
};

/** What the schema cannot say. */
export const contentFaults = (value: unknown, today: string): readonly Fault[] => {
  const people = objectsIn((value as Members | null)?.people);
  return [
    ...usernameFaults(people),
    ...ibanFaults(people),
    ...people.flatMap(({ accounts }, person) =>
      objectsIn(accounts).flatMap((account, index) =>
        accountFaults(`people.${person}.accounts.${index}`, account, today),
      ),
    ),
  ];
};

const faultsIn = (value: unknown, today: string): readonly Fault[] => [
  ...Object.entries(sentencesOf(check(value) ?? {})).flatMap(([path, reasons]) =>
    reasons.map((reason): Fault => [path, reason]),
  ),
  ...contentFaults(value, today),
];

const minor = (value: number, currency: string): number => Number(minorOf(String(value), currency));

/** The same at every start: a number that is not given follows from the name and the place in the list. */
const accountOf = (username: string, account: Account, index: number): DemoAccount => {
  const { currency, name = 'Τρεχούμενος', balance, creditLine = 0, status = 'enabled', cardNumber } = account;
  const made = Number.parseInt(derivedId(`own:${username}:${index}`).slice(-12), 16);
  const iban = account.iban === undefined ? ibanOf(made) : normalIban(account.iban);
  return {
    id: derivedId(`account:${iban}:${currency}`),
    ...{ iban, bban: null, msisdn: null, currency, name, status },
    product: 'Current account',
    type: 'CACC',
    bookedMinor: minor(balance, currency),
    pendingMinor: 0,
    creditMinor: minor(creditLine, currency),
    cardNumber: cardNumber?.replace(/[ -]/g, '') ?? null,
  };
};

const entriesOf = ({ id: accountId, currency }: DemoAccount, { transactions = [] }: Account): OwnEntry[] =>
  transactions.map(({ date, daysAgo = 0, amount, text: remittance = null, ...other }) => ({
    accountId,
    on: date ?? daysAgo,
    amountMinor: minor(amount, currency),
    remittance,
    other: {
      name: other.counterparty ?? null,
      iban: other.counterpartyIban === undefined ? null : normalIban(other.counterpartyIban),
    },
  }));

const personOf = async (person: Person): Promise<OwnPerson> => {
  const { username, password, name, about = { en: '', el: '' } } = person;
  const accounts = person.accounts.map((each, index) => accountOf(username, each, index));
  return {
    psu: {
      id: derivedId(`psu:${username}`),
      ...{ username, password, name, about, accounts },
      isLocked: false,
      hasApp: false,
    },
    passwordHash: await hashPassword(username, password),
    entries: person.accounts.flatMap((each, index) => {
      const account = accounts[index];
      return account ? entriesOf(account, each) : [];
    }),
  };
};

export interface OwnPeople {
  readonly people: readonly OwnPerson[];
  /** Of the file: it tells whether a store was seeded with it. */
  readonly digest: string;
}

export const psusOf = ({ people }: OwnPeople): readonly DemoPsu[] => people.map(({ psu }) => psu);

/** Of what has no faults. */
export const ownPeopleOf = async ({ people }: People, content: string): Promise<OwnPeople> => ({
  people: await Promise.all(people.map(personOf)),
  digest: sha256(content),
});

/** All faults at once, each by its member; no value of the file is repeated. */
export const readOwnPeople = async (file: string, today: string): Promise<OwnPeople> => {
  const fault = (reason: string): string => `seed file ${file}: ${reason}`;
  let read: ReturnType<typeof readPeopleFile>;
  try {
    read = readPeopleFile(file);
  } catch (error) {
    throw new ConfigError([fault((error as Error).message)]);
  }
  const faults = faultsIn(read.value, today);
  if (faults.length > 0) throw new ConfigError(faults.map(([path, reason]) => fault(`${path} ${reason}`)));
  return ownPeopleOf(read.value as People, read.content);
};
