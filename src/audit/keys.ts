/**
 * The keys of the audit log after a change of the secret. While `new,old` is configured, the key of the old secret is kept in the store,
 * sealed under the new one: so the rows of all years can be checked after the old secret is gone, and never without the present one.
 */
import type { AuditKey, Vault } from '../lib/vault.js';
import type { Queries } from '../store/db.js';
import { jsonColumn, listOf, members, text } from '../store/json-column.js';
import { putSetting, readSetting } from '../store/settings.js';

const KEPT = 'audit-keys';
const placeOf = (name: string): string => `${KEPT}:${name}`;

interface KeptKey {
  readonly name: string;
  readonly sealed: string;
}
const column = jsonColumn<readonly KeptKey[]>(
  'settings.audit-keys',
  listOf(members({ name: text, sealed: text })),
);

const keptIn = async (db: Queries): Promise<readonly KeptKey[]> =>
  column.read((await readSetting(db, KEPT)) ?? '[]');

const opened = (vault: Vault, { name, sealed }: KeptKey): AuditKey | undefined => {
  try {
    return { name, key: Buffer.from(vault.open(sealed, placeOf(name)), 'base64url') };
  } catch {
    // Sealed under a secret that is not configured, or written without one.
    return undefined;
  }
};

/** All that can be had: by name. */
export const knownAuditKeys = async (db: Queries, vault: Vault): Promise<ReadonlyMap<string, AuditKey>> => {
  const keys = [...(await keptIn(db)).map((each) => opened(vault, each)), ...vault.auditKeys];
  return new Map(keys.flatMap((each) => (each ? [[each.name, each]] : [])));
};

/** Seals every known key under the present secret. */
export const keepAuditKeys = async (tx: Queries, vault: Vault): Promise<void> => {
  const [current] = vault.auditKeys;
  const known = await knownAuditKeys(tx, vault);
  const others = [...known.values()].filter(({ name }) => name !== current.name);
  if (others.length === 0) return;
  // One that cannot be opened now is left for the day when its secret is configured again.
  const unknown = (await keptIn(tx)).filter(({ name }) => !known.has(name));
  const sealed = others.map(({ name, key }) => ({
    name,
    sealed: vault.seal(key.toString('base64url'), placeOf(name)),
  }));
  await putSetting(tx, KEPT, column.write([...unknown, ...sealed]));
};
