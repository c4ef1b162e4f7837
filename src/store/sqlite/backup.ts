/**
 * Copies of the embedded store. A backup is made in one read transaction, so it is the store of one moment, and no call waits for it. It
 * carries what a restore must know; a restored store no longer has that.
 */
import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { MARKER } from '../continuity/marker.js';
import type { Db, Queries } from '../db.js';
import { newestIn } from '../migrate.js';
import { makePrivateFile, partialOf, publish } from '../private-files.js';
import { openSingle, type SingleStore, StoreInUse } from './single.js';

/** What was asked for cannot be done; the message says what to do instead. */
export class BackupError extends Error {}

export interface BackupFacts {
  /** Whatever was answered before this moment is in the backup. */
  readonly startedAt: string;
  /** The program that made it. */
  readonly version: string;
  /** Fingerprints of the secrets that its values are sealed under. */
  readonly secrets: readonly string[];
}

const COPY = 'vacuum into ?';
const MAKE_FACTS = 'create table backup_facts (name text primary key, value text not null);';
const DROP_FACTS = 'drop table backup_facts;';
const PUT_FACT = 'insert into backup_facts (name, value) values (?, ?)';
const FACTS = 'select name, value from backup_facts';
const HAS_FACTS = `select name from sqlite_master where name = 'backup_facts'`;
const DAMAGE = 'select integrity_check as fault from pragma_integrity_check limit 1';
const ORPHANS = 'select "table" as name from pragma_foreign_key_check limit 1';

const checkWhole = async (store: SingleStore, file: string): Promise<void> => {
  const [verdict] = await store.all<{ fault: string }>(DAMAGE);
  const [orphan] = await store.all<{ name: string }>(ORPHANS);
  const fault = orphan ? `a row of ${orphan.name} refers to nothing` : verdict?.fault;
  if (fault !== 'ok') throw new BackupError(`${file} is damaged: ${fault}. Take another backup`);
};

/** Removes what is left of a copy that has not got its name. */
const discard = (partial: string): void => {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${partial}${end}`, { force: true });
};

const whileOpen = async <T>(path: string, work: (store: SingleStore) => Promise<T>): Promise<T> => {
  const store = openSingle(path);
  try {
    return await work(store);
  } finally {
    store.close();
  }
};

const place = (partial: string, path: string): void => {
  try {
    publish(partial, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new BackupError(`${path} exists already and is not overwritten: give another name`);
  }
};

/** Returns the newest migration in it and its size. */
export const backUp = async (
  db: Db,
  file: string,
  { startedAt, version, secrets }: BackupFacts,
): Promise<{ readonly migration: number; readonly bytes: number }> => {
  if (existsSync(file))
    throw new BackupError(`${file} exists already and is not overwritten: give another name`);
  const partial = partialOf(file);
  try {
    discard(partial);
    makePrivateFile(partial);
    await db.run(COPY, [partial]);
    const migration = await whileOpen(partial, async (copy) => {
      copy.script(MAKE_FACTS);
      for (const fact of Object.entries({ startedAt, version, secrets: secrets.join(' ') }))
        await copy.run(PUT_FACT, fact);
      await checkWhole(copy, db.engine);
      return newestIn(copy);
    });
    place(partial, file);
    return { migration, bytes: statSync(file).size };
  } finally {
    discard(partial);
  }
};

const readFacts = async (copy: SingleStore, file: string): Promise<BackupFacts> => {
  if (!(await copy.one(HAS_FACTS)))
    throw new BackupError(`${file} is no backup: it was not made by "trapeza backup"`);
  const facts = new Map(
    (await copy.all<{ name: string; value: string }>(FACTS)).map((row) => [row.name, row.value]),
  );
  const of = (name: string): string => facts.get(name) ?? '';
  return { startedAt: of('startedAt'), version: of('version'), secrets: of('secrets').split(' ') };
};

const checkSecrets = ({ secrets }: BackupFacts, configured: readonly string[]): void => {
  const missing = secrets.filter((each) => !configured.includes(each));
  if (missing.length === 0) return;
  throw new BackupError(
    `the backup needs the TRAPEZA_SECRET with fingerprint ${missing.join(' and ')}, but the one that is set has ${configured.join(' and ')}: set the secret of the time of the backup`,
  );
};

export interface RestoredFacts extends BackupFacts {
  /** The newest one in it. */
  readonly migration: number;
}

export interface RestoreWish {
  readonly file: string;
  /** The path of the store. */
  readonly path: string;
  readonly configured: readonly string[];
  /** Where a store that is there is moved to; without it, it is in the way. */
  readonly aside: string | undefined;
  /** Before the store has its name. */
  readonly finish: (copy: Queries, facts: RestoredFacts) => Promise<void>;
}

const checkCopy = async (partial: string, { file, configured, finish }: RestoreWish) =>
  whileOpen(partial, async (copy) => {
    const facts = await readFacts(copy, file).catch((error: unknown) => {
      throw error instanceof BackupError ? error : new BackupError(`${file} is damaged or no backup`);
    });
    await checkWhole(copy, file);
    checkSecrets(facts, configured);
    const restored = { ...facts, migration: await newestIn(copy) };
    copy.script(DROP_FACTS);
    await finish(copy, restored);
    return restored;
  });

/** Locks the store that is there. One that cannot be read any more is not in use. */
const lockOld = (path: string): SingleStore | undefined => {
  const old = openSingle(path);
  try {
    old.lock();
    return old;
  } catch (error) {
    old.close();
    if (error instanceof StoreInUse) throw error;
    return undefined;
  }
};

/** Renamed before the lock is given up, so that no service starts on it in between. */
const moveAway = (path: string, aside: string, old: SingleStore | undefined): void => {
  renameSync(path, aside);
  old?.close();
  for (const end of ['-wal', '-shm', MARKER])
    if (existsSync(`${path}${end}`)) renameSync(`${path}${end}`, `${aside}${end}`);
};

export const restoreBackup = async (wish: RestoreWish): Promise<RestoredFacts> => {
  const { file, path, aside } = wish;
  if (!existsSync(file)) throw new BackupError(`there is no file ${file}`);
  const isThere = existsSync(path);
  const old = isThere ? lockOld(path) : undefined;
  const partial = partialOf(path);
  let isMoved = false;
  try {
    if (isThere && aside === undefined)
      throw new BackupError(`${path} exists already: add --replace, which keeps it under another name`);
    discard(partial);
    makePrivateFile(partial);
    copyFileSync(file, partial);
    const facts = await checkCopy(partial, wish);
    if (isThere && aside !== undefined) {
      isMoved = true;
      moveAway(path, aside, old);
    }
    // What is left of one whose store is gone knows nothing of this one.
    rmSync(`${path}${MARKER}`, { force: true });
    place(partial, path);
    return facts;
  } finally {
    if (!isMoved) old?.close();
    discard(partial);
  }
};
