/** The people beside the demo people come into the store: all into a new one, and those whom it lacks into one that was in use before. */
import {
  ConfigError,
  type Db,
  putSetting,
  type Queries,
  type RealTime,
  readSetting,
  sha256,
  type Vault,
} from 'trapeza/base';
import { insertConsent } from 'trapeza/extend';
import { casePeople } from './bank/case-people.js';
import type { DemoPsu } from './bank/people.js';
import { OWN_PEOPLE } from './bank/seed-bank.js';
import { type OwnPerson, seedOwnPerson } from './bank/seed-own.js';
import { fundsConsentsOf } from './demo-consents.js';
import type { OwnPeople } from './own-people.js';

export interface OwnParts {
  readonly vault: Vault;
  readonly nowMs: RealTime;
  readonly timeZone: string;
  /** Those that the store is to have. */
  readonly own?: (queries: Queries) => Promise<OwnPeople | undefined>;
  readonly tell: (line: string) => void;
}

/** A person of an earlier file may have had the number. */
const demandFreeIbans = async (tx: Queries, { accounts }: DemoPsu, person: number): Promise<void> => {
  for (const [index, { iban }] of accounts.entries())
    if (await tx.one('select id from demo_accounts where iban = ?', [iban]))
      throw new ConfigError([
        `seed file: people.${person}.accounts.${index}.iban is an account of somebody else in this store. Start without the file, POST /sandbox/reset, and start with it again.`,
      ]);
};

const IS_KNOWN = 'select id from demo_psus where username = ?';

const isKnown = async (tx: Queries, { psu }: OwnPerson): Promise<boolean> =>
  (await tx.one(IS_KNOWN, [psu.username])) !== undefined;

const addPerson = async (tx: Queries, person: OwnPerson, parts: OwnParts): Promise<void> => {
  await seedOwnPerson(tx, person, parts);
  // Who refuses everything has never approved anything.
  if (person.psu.manner === 'refuses') return;
  for (const consent of fundsConsentsOf(person.psu, parts.nowMs, parts.vault))
    await insertConsent(tx, consent);
};

/** Tells whether everybody is in the store who belongs there. */
const digestOf = (own: OwnPeople | undefined): string =>
  sha256([...casePeople.map(({ psu }) => psu.username), own?.digest].join());

/** How many of the file were in the store already. */
export const addOwnPeople = async (tx: Queries, parts: OwnParts): Promise<number> => {
  const own = await parts.own?.(tx);
  for (const person of casePeople) if (!(await isKnown(tx, person))) await addPerson(tx, person, parts);
  let known = 0;
  for (const [index, person] of (own?.people ?? []).entries()) {
    if (await isKnown(tx, person)) {
      known += 1;
      continue;
    }
    await demandFreeIbans(tx, person.psu, index);
    await addPerson(tx, person, parts);
  }
  await putSetting(tx, OWN_PEOPLE, digestOf(own));
  return known;
};

/** At a start with other people than those whom the store was seeded with. */
export const catchUpOwnPeople = async (db: Db, parts: OwnParts): Promise<void> => {
  const isSeeded = async (queries: Queries): Promise<boolean> =>
    (await readSetting(queries, OWN_PEOPLE)) === digestOf(await parts.own?.(queries));
  if (await isSeeded(db)) return;
  const known = await db.exclusive(async (tx) => ((await isSeeded(tx)) ? 0 : addOwnPeople(tx, parts)));
  if (known > 0)
    parts.tell(
      `the seed file has changed: ${known} of its people were in the store before and stay as they are there. POST /sandbox/reset takes everybody from the file.`,
    );
};
