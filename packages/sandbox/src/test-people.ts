/** The bank's own test customers, for a test facility in front of its test core (RTS Art. 30(5)): a file instead of the demo people. */
import { BankId, Currency } from 'trapeza/bank';
import { ConfigError, sentencesOf, validator } from 'trapeza/base';
import { type Static, Type } from 'typebox';
import type { DemoPsu } from './bank/people.js';
import { About, readPeopleFile, strict, text } from './people-file.js';

const Account = Type.Object(
  {
    iban: Type.Optional(Type.String({ format: 'iban' })),
    bban: Type.Optional(text(30)),
    msisdn: Type.Optional(text(35)),
    currency: Currency,
    note: Type.Optional(text(140)),
  },
  strict,
);

const Person = Type.Object(
  {
    username: text(128),
    password: text(256),
    name: text(140),
    psuId: BankId,
    about: About,
    accounts: Type.Array(Account, { maxItems: 100 }),
  },
  strict,
);

const People = Type.Object({ people: Type.Array(Person, { minItems: 1, maxItems: 200 }) }, strict);
type Person = Static<typeof Person>;

const check = validator(People);

const accountOf = (psuId: string, { note, ...account }: Person['accounts'][number], index: number) => ({
  iban: null,
  bban: null,
  msisdn: null,
  ...account,
  id: `${psuId}:${index}`,
  name: note ?? '',
  product: '',
  type: 'CACC',
  status: 'enabled' as const,
  bookedMinor: 0,
  pendingMinor: 0,
  creditMinor: 0,
  cardNumber: null,
});

const personOf = ({ psuId, about = { en: '', el: '' }, accounts, ...person }: Person): DemoPsu => ({
  ...person,
  id: psuId,
  about,
  isLocked: false,
  hasApp: false,
  accounts: accounts.map((each, index) => accountOf(psuId, each, index)),
});

const peopleIn = (value: unknown): readonly DemoPsu[] => {
  const [fault] = Object.entries(sentencesOf(check(value) ?? {}));
  if (fault) throw new Error(`${fault[0]} ${fault[1].join(', ')}`);
  const { people } = value as Static<typeof People>;
  const names = people.map(({ username }) => username);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`people.${names.lastIndexOf(twice)}.username is the same twice`);
  return people.map(personOf);
};

/** Passwords and names stay in the file: an error names the line or the member. */
export const readTestPeople = (file: string): readonly DemoPsu[] => {
  try {
    return peopleIn(readPeopleFile(file).value);
  } catch (error) {
    throw new ConfigError([`TRAPEZA_TEST_PEOPLE: ${file}: ${(error as Error).message}`]);
  }
};
