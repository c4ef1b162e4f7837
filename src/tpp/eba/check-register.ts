/** Compares the third parties with a snapshot of the EBA's register: who is no longer authorised, has fewer roles, or another name. */
import { readBounded } from '../../lib/bounded-file.js';
import type { Role } from '../../model/caller.js';
import type { TppRow } from '../listing.js';
import { RegistryError } from '../registry.js';
import {
  entitiesIn,
  entryOf,
  isSameName,
  numberOf,
  type RegisterEntity,
  type RegisterEntry,
} from './register.js';
import type { RegisterAct } from './stored-register.js';

const MAX_MEGABYTES = 400;

export interface RegisterFinding {
  readonly id: string;
  readonly registration: string;
  readonly name: string;
  readonly finding: string;
  readonly act: RegisterAct | undefined;
}

export interface RegisterReport {
  readonly entities: number;
  readonly findings: readonly RegisterFinding[];
}

/** The file as the EBA publishes it, unpacked. */
export const readRegister = async (path: string, country: string): Promise<RegisterEntity[]> => {
  const bytes = await readBounded(path, MAX_MEGABYTES * 1024 * 1024);
  if (!bytes) throw new RegistryError(`${path} is larger than ${MAX_MEGABYTES} MiB`);
  const text = bytes.toString('utf8');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new RegistryError(`${path} is not JSON: unpack the file of the EBA first`);
  }
  const entities = entitiesIn(parsed, country);
  if (entities.length === 0)
    throw new RegistryError(`${path} has no payment institution: is it the register?`);
  return entities;
};

const differenceOf = (
  tpp: TppRow,
  entry: RegisterEntry,
  country: string,
): Pick<RegisterFinding, 'finding' | 'act'> | undefined => {
  if (!entry.isAuthorised)
    return {
      finding: `its authorisation ended on ${entry.changedOn}`,
      act: { withdrawFor: 'register-ended' },
    };
  const held = tpp.roles.split(' ') as Role[];
  const kept = held.filter((role) => entry.roles.includes(role));
  if (kept.length === 0)
    return {
      finding: `none of its roles (${tpp.roles}) is in the register for ${country}`,
      act: { withdrawFor: 'register-no-service' },
    };
  if (tpp.withdrawnFor?.startsWith('register-')) return { finding: 'it is back', act: { restore: true } };
  if (kept.length < held.length) {
    const lost = held.filter((role) => !kept.includes(role)).join(' ');
    return { finding: `${lost} is not in the register for ${country}`, act: { keepRoles: kept } };
  }
  if (!isSameName(tpp.name, entry.names))
    return { finding: `the register has the name ${entry.names.join(' / ')}`, act: undefined };
  return undefined;
};

/** Third parties without a difference are left out. */
export const compareWithRegister = (
  tpps: readonly TppRow[],
  entities: readonly RegisterEntity[],
  country: string,
): RegisterFinding[] => {
  const byReference = new Map<string, RegisterEntity[]>();
  for (const each of entities)
    byReference.set(each.reference, [...(byReference.get(each.reference) ?? []), each]);
  return tpps.flatMap((tpp) => {
    const { id, registration, name } = tpp;
    const number = numberOf(registration);
    const entry = number && entryOf(number, byReference.get(number.reference) ?? []);
    const different = entry
      ? differenceOf(tpp, entry, country)
      : { finding: 'it is not in this register, as every bank', act: undefined };
    return different ? [{ id, registration, name, ...different }] : [];
  });
};
