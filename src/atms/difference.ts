/** What publishing a list would change: which ATMs come, go and change. */
import { ATM_MEMBERS, type Atm } from './atm.js';
import { canonicalAtm } from './publishable.js';

export interface ChangedAtm {
  readonly id: string;
  /** The members that differ. */
  readonly members: readonly (keyof Atm)[];
}

export interface Difference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly ChangedAtm[];
  readonly unchanged: number;
}

const byId = (atms: readonly Atm[]): ReadonlyMap<string, Atm> =>
  new Map(atms.map((atm) => [atm.id, canonicalAtm(atm)]));

export const differenceOf = (published: readonly Atm[], next: readonly Atm[]): Difference => {
  const [before, after] = [byId(published), byId(next)];
  const changed: ChangedAtm[] = [];
  for (const [id, atm] of after) {
    const old = before.get(id);
    const members = old
      ? ATM_MEMBERS.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(atm[name]))
      : [];
    if (members.length > 0) changed.push({ id, members });
  }
  const added = [...after.keys()].filter((id) => !before.has(id));
  return {
    added,
    removed: [...before.keys()].filter((id) => !after.has(id)),
    changed,
    unchanged: after.size - added.length - changed.length,
  };
};
