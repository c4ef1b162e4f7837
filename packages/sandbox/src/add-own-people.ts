/** The people of the seed file come into the store: all into a new one, and those whom it lacks into one that others were in before. */
import {
  ConfigError,
  type Db,
  putSetting,
  type Queries,
  type RealTime,
  readSetting,
  type Vault,
} from 'trapeza/base';
import { insertConsent } from 'trapeza/extend';
import type { DemoPsu } from './bank/people.js';
import { OWN_PEOPLE } from './bank/seed-bank.js';
import { seedOwnPerson } from './bank/seed-own.js';
import { fundsConsentsOf } from './demo-consents.js';
import type { OwnPeople } from './own-people.js';

export interface OwnParts {
  readonly vault: Vault;
  readonly nowMs: RealTime;
  readonly timeZone: string;
  /** Absent without a file. */
  readonly own?: OwnPeople | undefined;
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

/** How many were in the store already. */
export const addOwnPeople = async (tx: Queries, parts: OwnParts): Promise<number> => {
  const { people = [], digest = '' } = parts.own ?? {};
  let known = 0;
  for (const [index, person] of people.entries()) {
    if (await tx.one('select id from demo_psus where username = ?', [person.psu.username])) {
      known += 1;
      continue;
    }
    await demandFreeIbans(tx, person.psu, index);
    await seedOwnPerson(tx, person, parts);
    for (const consent of fundsConsentsOf(person.psu, parts.nowMs, parts.vault))
      await insertConsent(tx, consent);
  }
  if (digest !== '') await putSetting(tx, OWN_PEOPLE, digest);
  return known;
};

/** At a start with a file that the store was not seeded with. */
export const catchUpOwnPeople = async (db: Db, parts: OwnParts): Promise<void> => {
  const { own } = parts;
  const isSeeded = async (queries: Queries): Promise<boolean> =>
    !own || (await readSetting(queries, OWN_PEOPLE)) === own.digest;
  if (await isSeeded(db)) return;
  const known = await db.exclusive(async (tx) => ((await isSeeded(tx)) ? 0 : addOwnPeople(tx, parts)));
  if (known > 0)
    parts.tell(
      `the seed file has changed: ${known} of its people were in the store before and stay as they are there. POST /sandbox/reset takes everybody from the file.`,
    );
};
