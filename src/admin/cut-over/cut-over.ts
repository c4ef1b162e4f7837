/**
 * The cut-over from another gateway: third parties, applications, keys and live consents come as they are there, so that neither a third
 * party nor an account holder has to start again. Everything is checked before anything is written; what is written is skipped by the next
 * run, so that a run that was stopped is completed by repeating it.
 */
import { insertConsent, type NewConsent } from '../../consent/consents.js';
import type { Consent } from '../../consent/record.js';
import { withResourceIds } from '../../consent/resource-ids.js';
import type { BankTime, RealTime } from '../../lib/clock.js';
import type { Vault } from '../../lib/vault.js';
import type { ConsentId } from '../../model/ids.js';
import type { Db, Queries } from '../../store/db.js';
import { importApplication, importKey, knownParties } from '../../tpp/cut-over.js';
import { createTpp } from '../../tpp/registry.js';
import { checkConsents } from './check-consents.js';
import { checkParties } from './check-parties.js';
import { readCutOver } from './read.js';
import { type CutOverFault, CutOverFaults, cutOverNames, type SourceRecord } from './records.js';

/** What a batch brings, for the audit log. */
export type BatchDetails = Readonly<
  Record<'thirdParties' | 'applications' | 'keys' | 'consents', readonly string[] | number>
>;

export interface CutOverParts {
  readonly db: Db;
  readonly bankNow: BankTime;
  /** One transaction. */
  readonly write: (
    details: BatchDetails,
    work: (tx: Queries, now: RealTime) => Promise<void>,
  ) => Promise<void>;
}

export interface CutOverWish {
  readonly vault: Vault;
  readonly timeZone: string;
  /** A folder with CSV files, or a JSON file. */
  readonly path: string;
  /** Only if there is no fault. */
  readonly isApplied: boolean;
  readonly onDone: (done: number, total: number) => void;
}

export interface CutOverReport {
  readonly read: Readonly<Record<string, number>>;
  readonly fresh: Readonly<Record<'thirdParties' | 'applications' | 'keys' | 'consents', number>>;
  readonly faults: readonly CutOverFault[];
  readonly isApplied: boolean;
}

const BATCH = 200;

const batchesOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / BATCH) }, (_, index) =>
    all.slice(index * BATCH, (index + 1) * BATCH),
  );

interface Checked {
  readonly record: SourceRecord;
  readonly consent: NewConsent;
}

const OWNER = 'select client_id as "clientId", psu_id as "psuId", kind from consents where id = ?';

/** Whose each consent is, in the same order; undefined if there is no such consent. */
const ownersOf = (
  db: Pick<Db, 'batchedReads'>,
  ids: readonly ConsentId[],
): Promise<(Pick<Consent, 'clientId' | 'psuId' | 'kind'> | undefined)[]> =>
  Promise.all(
    ids.map((id) => db.batchedReads.one<Pick<Consent, 'clientId' | 'psuId' | 'kind'>>(OWNER, [id])),
  );

/** Those that are not in the store. One that has ended since it was imported stays as it is. */
const newConsents = async (
  db: Db,
  checked: readonly Checked[],
  faults: CutOverFaults,
): Promise<NewConsent[]> => {
  const fresh: NewConsent[] = [];
  for (const batch of batchesOf(checked)) {
    const owners = await ownersOf(
      db,
      batch.map(({ consent }) => consent.id),
    );
    for (const [index, { record, consent }] of batch.entries()) {
      const there = owners[index];
      const { clientId, psuId, kind } = consent;
      if (!there) fresh.push(consent);
      else if (there.clientId !== clientId || there.psuId !== psuId || there.kind !== kind)
        faults.add(record, 'id', 'is a consent of another application, person or kind', 'correct the file');
    }
  }
  return fresh;
};

interface Step {
  readonly table: keyof BatchDetails;
  /** Of third parties and applications. */
  readonly name?: string;
  readonly work: (tx: Queries, now: RealTime) => Promise<unknown>;
}

const detailsOf = (steps: readonly Step[]): BatchDetails => {
  const of = (table: keyof BatchDetails): Step[] => steps.filter((step) => step.table === table);
  const namesIn = (table: keyof BatchDetails): string[] => of(table).flatMap(({ name }) => name ?? []);
  return {
    thirdParties: namesIn('thirdParties'),
    applications: namesIn('applications'),
    keys: of('keys').length,
    consents: of('consents').length,
  };
};

/** In this order: each refers to those before it. */
const apply = async (
  { write }: CutOverParts,
  { onDone }: CutOverWish,
  steps: readonly Step[],
): Promise<void> => {
  let done = 0;
  for (const batch of batchesOf(steps)) {
    await write(detailsOf(batch), async (tx, now) => {
      for (const { work } of batch) await work(tx, now);
    });
    done += batch.length;
    onDone(done, steps.length);
  }
};

const importConsent = async (tx: Queries, vault: Vault, consent: NewConsent): Promise<void> =>
  insertConsent(tx, { ...consent, accounts: await withResourceIds(tx, vault, consent, consent.accounts) });

export const runCutOver = async (parts: CutOverParts, wish: CutOverWish): Promise<CutOverReport> => {
  const { db, bankNow } = parts;
  const { vault, timeZone, path } = wish;
  const faults = new CutOverFaults();
  const source = readCutOver(path, faults);
  const { tpps, applications, keys, rolesOf } = checkParties(source, await knownParties(db), faults);
  const checked = checkConsents(source, { vault, timeZone, bankNow, rolesOf }, faults);
  const consents = await newConsents(db, checked, faults);
  const isApplied = wish.isApplied && faults.all.length === 0;
  if (isApplied)
    await apply(parts, wish, [
      ...tpps.map(
        (tpp): Step => ({
          table: 'thirdParties',
          name: tpp.registration,
          work: (tx, now) => createTpp(tx, tpp, now),
        }),
      ),
      ...applications.map(
        (each): Step => ({
          table: 'applications',
          name: each.clientId,
          work: (tx, now) => importApplication(tx, each, now),
        }),
      ),
      ...keys.map((key): Step => ({ table: 'keys', work: (tx, now) => importKey(tx, key, now) })),
      ...consents.map((each): Step => ({ table: 'consents', work: (tx) => importConsent(tx, vault, each) })),
    ]);
  return {
    read: Object.fromEntries(cutOverNames.map((table) => [table, source[table].length])),
    fresh: {
      thirdParties: tpps.length,
      applications: applications.length,
      keys: keys.length,
      consents: consents.length,
    },
    faults: faults.all.toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1)),
    isApplied,
  };
};
