/** Where a change of TRAPEZA_SECRET stands: what is sealed under which version, and what a version that goes would take with it. */
import { PAGE_LINK_MS } from '../lib/page-link.js';
import type { Vault } from '../lib/vault.js';
import { signingKeyRows } from '../oauth/signing-keys.js';
import { sentCodeRows } from '../psu/sent-codes.js';
import type { Db, Queries } from '../store/db.js';
import { jsonColumn, members, text, whole } from '../store/json-column.js';
import { keepKeys, keptKeyRows, keptNames } from '../store/kept-keys.js';
import { countSealed, resealRows, type SealedCount, type SealedKind } from '../store/sealed-rows.js';
import { putSetting, readSetting } from '../store/settings.js';
import { countOldCards, type OldCards } from './old-cards.js';
import { authenticatorRows } from './operators.js';

/** Everything that the service seals in the store. An extension has more. */
export const sealedKinds: readonly SealedKind[] = [
  signingKeyRows,
  authenticatorRows,
  ...keptKeyRows,
  sentCodeRows,
];

const RESEALED = 'secret-resealed';

interface Resealed {
  /** The fingerprint of the secret that everything was sealed under. */
  readonly name: string;
  readonly firstAt: number;
  readonly at: number;
}
const column = jsonColumn<Resealed>(
  'settings.secret-resealed',
  members({ name: text, firstAt: whole, at: whole }),
);

export type VersionState = 'first' | 'listed' | 'not listed';

export interface SealedLine extends SealedCount {
  readonly state: VersionState;
}

export interface SecretStatus {
  readonly versions: readonly string[];
  readonly sealed: readonly SealedLine[];
  /** Consents whose card number is hashed under an earlier version. */
  readonly cards: OldCards;
  /** Whose hashes of card numbers are found without their secret. */
  readonly keptCardKeys: readonly string[];
  /** When everything was last sealed under the first version; undefined if it was not. */
  readonly resealedAt: number | undefined;
  /** When the others can be left out; undefined while something is sealed under them. */
  readonly othersUntil: number | undefined;
  readonly unopened: number;
}

export interface SecretParts {
  readonly db: Queries;
  readonly vault: Vault;
  readonly kinds: readonly SealedKind[];
  readonly now: number;
}

const lastReseal = async (db: Queries, vault: Vault): Promise<Resealed | undefined> => {
  const written = await readSetting(db, RESEALED);
  const last = written === undefined ? undefined : column.read(written);
  return last?.name === vault.fingerprints[0] ? last : undefined;
};

export const secretStatus = async ({ db, vault, kinds, now }: SecretParts): Promise<SecretStatus> => {
  const versions = vault.fingerprints;
  const stateOf = (version: string): VersionState => {
    if (version === versions[0]) return 'first';
    return versions.includes(version) ? 'listed' : 'not listed';
  };
  const counted = await countSealed(db, vault, kinds, now);
  const sealed = counted.map((each) => ({ ...each, state: stateOf(each.version) }));
  const last = await lastReseal(db, vault);
  const isPending = sealed.some(({ state, lastsMs }) => state === 'listed' && lastsMs === undefined);
  const lasts = sealed.flatMap(({ state, lastsMs = 0 }) => (state === 'listed' ? [now + lastsMs] : []));
  return {
    versions,
    sealed,
    cards: await countOldCards(db, last?.firstAt, now),
    keptCardKeys: await keptNames(db, 'card-number'),
    resealedAt: last?.at,
    // What third parties and browsers hold is not in the store: links to following pages live longest.
    othersUntil: isPending || last === undefined ? undefined : Math.max(last.at + PAGE_LINK_MS, ...lasts),
    unopened: sealed.reduce((sum, each) => sum + each.unopened, 0),
  };
};

/** Repeatable, and safe beside nodes that list both versions in either order. */
export const resealStore = async ({
  db,
  vault,
  kinds,
  now,
}: SecretParts & { readonly db: Db }): Promise<Readonly<Record<string, number>>> => {
  const done = await resealRows(db, vault, kinds, now);
  await keepKeys(db, vault);
  return done;
};

/** Nothing if there is no earlier version: then the secret was not changed. */
export const noteReseal = async (tx: Queries, vault: Vault, now: number): Promise<void> => {
  const [name, ...others] = vault.fingerprints;
  if (others.length === 0) return;
  const firstAt = (await lastReseal(tx, vault))?.firstAt ?? now;
  await putSetting(tx, RESEALED, column.write({ name, firstAt, at: now }));
};
