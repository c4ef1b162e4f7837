/** What the statement test cannot follow or must not try, each with its reason. */
import type { Db } from '../../../src/store/db.js';

/** Hand on what others ask, or are no calls of the port. */
const PASSES_ON =
  /\/migrations\/|^src\/store\/(postgres\/|sqlite\/(sqlite|connections|peek)\.ts|continuity\/continuity\.ts|proven\.ts)|^src\/observe\/trace\/traced-store\.ts/;
export const passesOn = (path: string): boolean => PASSES_ON.test(path);

/** How many calls of a file have a text that is made at run time. */
export const notFollowed: Readonly<Record<string, number>> = {
  // The tables and columns of the store that is moved.
  'src/store/move.ts': 4,
  // As many marks as kinds are spared.
};

interface OneEngine {
  readonly path: string;
  readonly engine: Db['engine'];
  readonly text: RegExp;
}

/** Reached on one engine alone, though the text itself does not depend on it. The other one must refuse it. */
export const oneEngine: readonly OneEngine[] = [
  { path: 'src/store/sqlite/backup.ts', engine: 'sqlite', text: /./ },
  { path: 'src/store/server-time.ts', engine: 'postgres', text: /clock_timestamp/ },
  { path: 'src/store/move.ts', engine: 'sqlite', text: /sqlite_master|pragma_/ },
  { path: 'src/store/move.ts', engine: 'postgres', text: /information_schema/ },
  { path: 'src/store/months.ts', engine: 'postgres', text: /./ },
  { path: 'src/store/fitness.ts', engine: 'postgres', text: /./ },
  { path: 'src/store/grants.ts', engine: 'postgres', text: /./ },
  { path: 'src/consent/funds/records.ts', engine: 'sqlite', text: /changes\(\)/ },
  { path: 'src/api/piis/funds-records.ts', engine: 'postgres', text: /json_to_recordset/ },
  { path: 'src/consent/bank-data.ts', engine: 'postgres', text: /json_to_recordset/ },
  { path: 'src/gate/limits/quota-grants.ts', engine: 'postgres', text: /clock_timestamp/ },
  { path: 'src/consent/consents.ts', engine: 'postgres', text: /pg_advisory/ },
  { path: 'src/consent/blocks.ts', engine: 'postgres', text: /pg_advisory/ },
  { path: 'packages/sandbox/src/developers/own-store.ts', engine: 'sqlite', text: /pragma_/ },
  { path: 'packages/sandbox/src/developers/own-store.ts', engine: 'postgres', text: /pg_class/ },
  { path: 'src/cli/doctor/durability.ts', engine: 'postgres', text: /./ },
];

/** A table that only a copy of the store has (`src/store/sqlite/backup.ts`). */
export const BACKUP_FACTS = 'create table backup_facts (name text primary key, value text not null)';
