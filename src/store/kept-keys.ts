/**
 * Keys that outlive their secret. What they have made cannot be made anew: rows of the audit log, hashes of card numbers, ids of
 * accounts. So the store keeps them, sealed under the present secret, and the old one can go.
 */
import type { NamedKey, SecretPurpose, Vault } from '../lib/vault.js';
import type { Db, Queries } from './db.js';
import { jsonColumn, listOf, members, text } from './json-column.js';
import type { SealedKind, SealedRow } from './sealed-rows.js';
import { lockSetting, putSetting, readSetting } from './settings.js';

interface Keeping {
  readonly purpose: SecretPurpose;
  readonly setting: string;
  /** For people. */
  readonly name: string;
  /** The first key makes for ever; the others are kept beside it only to verify. */
  readonly isOne?: boolean;
}

const auditKeys: Keeping = { purpose: 'audit-log', setting: 'audit-keys', name: 'keys of the audit log' };
const cardKeys: Keeping = { purpose: 'card-number', setting: 'card-keys', name: 'keys of card numbers' };
/** An id that an application knows must not change with the secret. */
const pairwiseKeys: Keeping = {
  purpose: 'pairwise-id',
  setting: 'pairwise-keys',
  name: 'key of account ids',
  isOne: true,
};
const keepings = [auditKeys, cardKeys, pairwiseKeys] as const;

interface KeptKey {
  readonly name: string;
  readonly sealed: string;
}
const column = jsonColumn<readonly KeptKey[]>(
  'kept keys in settings',
  listOf(members({ name: text, sealed: text })),
);

const placeOf = ({ setting }: Keeping, name: string): string => `${setting}:${name}`;

const keptIn = async (db: Queries, { setting }: Keeping): Promise<readonly KeptKey[]> =>
  column.read((await readSetting(db, setting)) ?? '[]');

/** Nothing of one that is sealed under a secret which is not listed, or was written without one. */
const opened = (vault: Vault, keeping: Keeping, kept: readonly KeptKey[]): readonly NamedKey[] =>
  kept.flatMap(({ name, sealed }) => {
    const place = placeOf(keeping, name);
    return vault.canOpen(sealed, place)
      ? [{ name, key: Buffer.from(vault.open(sealed, place), 'base64url') }]
      : [];
  });

const byName = (keys: readonly NamedKey[]): ReadonlyMap<string, NamedKey> =>
  new Map(keys.map((each) => [each.name, each]));

/** What the store should have: with several secrets all of their keys, because a node may still have them in another order. */
const wanted = (vault: Vault, keeping: Keeping, kept: readonly KeptKey[]): readonly NamedKey[] => {
  const known = opened(vault, keeping, kept);
  const listed = vault.keys(keeping.purpose);
  if (keeping.isOne) return kept.length > 0 ? known : [listed[0]];
  const all = [...byName([...known, ...listed]).values()];
  return all.length > 1 ? all : known;
};

const isKept = (vault: Vault, kept: readonly KeptKey[], keys: readonly NamedKey[]): boolean => {
  const [current] = vault.fingerprints;
  const names = new Set(
    kept.filter(({ sealed }) => vault.sealedUnder(sealed) === current).map(({ name }) => name),
  );
  return keys.every(({ name }) => names.has(name));
};

const keep = async (tx: Queries, vault: Vault, keeping: Keeping): Promise<void> => {
  const seen = await keptIn(tx, keeping);
  if (isKept(vault, seen, wanted(vault, keeping, seen))) return;
  const kept = column.read(await lockSetting(tx, keeping.setting, '[]'));
  const keys = wanted(vault, keeping, kept);
  const known = byName(keys);
  // One that cannot be opened now is left for the day when its secret is listed again.
  const unknown = kept.filter(({ name }) => !known.has(name));
  const sealed = keys.map(({ name, key }) => ({
    name,
    sealed: vault.seal(key.toString('base64url'), placeOf(keeping, name)),
  }));
  await putSetting(tx, keeping.setting, column.write([...unknown, ...sealed]));
};

/** Seals every known key under the present secret. At each start, so that a key is kept before its secret can go. */
export const keepKeys = async (db: Db, vault: Vault): Promise<void> => {
  for (const keeping of keepings) await db.transaction((tx) => keep(tx, vault, keeping));
  vault.remember('card-number', opened(vault, cardKeys, await keptIn(db, cardKeys)));
};

export const keepAuditKeys = (tx: Queries, vault: Vault): Promise<void> => keep(tx, vault, auditKeys);

/** All that can be had: by name. */
export const knownAuditKeys = async (db: Queries, vault: Vault): Promise<ReadonlyMap<string, NamedKey>> =>
  byName([...opened(vault, auditKeys, await keptIn(db, auditKeys)), ...vault.keys('audit-log')]);

export const opensAccountIds = async (db: Queries, vault: Vault): Promise<boolean> => {
  const [first] = await keptIn(db, pairwiseKeys);
  return first === undefined || vault.canOpen(first.sealed, placeOf(pairwiseKeys, first.name));
};

/** Which one makes the ids of accounts, whatever the secret is now. */
export const pairwiseKey = async (tx: Queries, vault: Vault): Promise<Buffer> => {
  const [kept] = await keptIn(tx, pairwiseKeys);
  if (!kept) await keep(tx, vault, pairwiseKeys);
  const first = kept ?? (await keptIn(tx, pairwiseKeys))[0];
  if (!first) throw new Error('the key of account ids was not kept');
  return Buffer.from(vault.open(first.sealed, placeOf(pairwiseKeys, first.name)), 'base64url');
};

/** The fingerprints of the secrets whose keys are kept. */
export const keptNames = async (db: Queries, purpose: SecretPurpose): Promise<readonly string[]> => {
  const keeping = keepings.find((each) => each.purpose === purpose);
  return keeping ? (await keptIn(db, keeping)).map(({ name }) => name) : [];
};

const rowsOf = (keeping: Keeping): SealedKind => ({
  name: keeping.name,
  read: async (db, { after }) => {
    const kept = after === '' ? await keptIn(db, keeping) : [];
    return kept.map(({ name, sealed }): SealedRow => ({ id: name, sealed, place: placeOf(keeping, name) }));
  },
  write: async (tx, { id, sealed: before }, sealed) => {
    const kept = column.read(await lockSetting(tx, keeping.setting, '[]'));
    if (!kept.some((each) => each.name === id && each.sealed === before)) return false;
    const changed = kept.map((each) => (each.name === id ? { ...each, sealed } : each));
    await putSetting(tx, keeping.setting, column.write(changed));
    return true;
  },
});

export const keptKeyRows: readonly SealedKind[] = keepings.map(rowsOf);
