/** An ATM list as it is published: its bytes and its ETag. The same list always has the same. */
import { sha256 } from '../lib/hash.js';
import { ADDRESS_MEMBERS, ATM_MEMBERS, type Atm } from './atm.js';
import { atmFaults } from './check-atm.js';

export interface PublishableList {
  /** Strong, quotes included: the hash of the bytes. */
  readonly etag: string;
  readonly count: number;
  /** A JSON array. */
  readonly body: string;
}

const inOrder = <T extends object>(members: readonly (keyof T)[], value: T): Partial<T> => {
  const ordered: Partial<T> = {};
  for (const member of members) {
    if (value[member] !== undefined) ordered[member] = value[member];
  }
  return ordered;
};

/** The ATM with its members in the order of the contract. */
export const canonicalAtm = (atm: Atm): Atm =>
  inOrder(ATM_MEMBERS, { ...atm, address: inOrder(ADDRESS_MEMBERS, atm.address) as Atm['address'] }) as Atm;

/** Sorted by id, members in order: the same list always has the same text. */
export const canonicalList = (atms: readonly Atm[]): Atm[] =>
  atms.map(canonicalAtm).sort((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));

/** The last line of defence: whatever the caller did before, an invalid list is never published. */
const assertPublishable = (sorted: readonly Atm[]): void => {
  sorted.forEach((atm, index) => {
    const fault = atmFaults(atm)[0];
    if (fault) throw new Error(`ATM ${atm.id} cannot be published: ${fault.field} ${fault.reason}`);
    if (atm.id === sorted[index - 1]?.id)
      throw new Error(`ATM ${atm.id} cannot be published twice in one list`);
  });
};

/** Throws if one of them may not be published. */
export const publishableList = (atms: readonly Atm[]): PublishableList => {
  const sorted = canonicalList(atms);
  assertPublishable(sorted);
  const body = JSON.stringify(sorted);
  return { etag: `"${sha256(body)}"`, count: sorted.length, body };
};
