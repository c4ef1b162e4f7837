/** Consents that ended before reasons were kept get theirs from their history, as far as it tells. */
import { describe, expect, it } from 'vitest';
import { migrations, scriptFor } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase } from '../support/database.js';
import { bothEngines } from '../support/engines.js';

const OWNER = `
  insert into tpps (id, name, registration, roles, status, created_at) values ('t', 't', 'r', '[]', 'active', 0);
  insert into applications (client_id, tpp_id, name, redirect_uris, status, created_at)
    values ('a', 't', 'a', '[]', 'active', 0);`;
const CONSENT = `
  insert into consents (id, kind, client_id, psu_id, status, created_at, details, recurring) values (?, ?, 'a', 'p', ?, 0, '{}', 0)`;
const STEP = `
  insert into consent_history (consent_id, position, from_status, to_status, changed_by, reason, changed_at)
  values (?, ?, ?, ?, ?, ?, 0)`;
const READ = `
  insert into data_accesses (id, consent_id, client_id, psu_id, kind, attended, request_id, accessed_at)
  values (?, ?, 'a', 'p', 'accounts', 0, 'r', 0)`;

/** Kind, status, the last step (from, by, reason), whether it was read, and the reason that is expected. */
const cases = [
  ['AccountAccess', 'Rejected', 'Received', 'psu', 'refused', false, 'rejected'],
  ['AccountAccess', 'Rejected', 'Received', 'time', 'nobody decided within a day', false, 'undecided'],
  ['AccountAccess', 'RevokedByPsu', 'Valid', 'psu', 'withdrawn', false, 'withdrawn'],
  ['AccountAccess', 'TerminatedByTpp', 'Valid', 'tpp', 'superseded by newer-one', false, 'superseded'],
  ['AccountAccess', 'TerminatedByTpp', 'Valid', 'tpp', 'deleted', false, 'ended-by-tpp'],
  ['AccountAccess', 'Expired', 'Valid', 'time', 'its time is over', true, 'completed'],
  ['AccountAccess', 'Expired', 'Valid', 'time', 'its time is over', false, 'expired'],
  ['ConfirmationOfFunds', 'Expired', 'Valid', 'time', 'its time is over', false, 'expired'],
  ['PaymentInitiation', 'Expired', 'Valid', 'time', 'its time is over', false, 'unused'],
  ['PaymentInitiation', 'Expired', 'Valid', 'bank', 'payment order ACSC', false, 'completed'],
  ['PaymentInitiation', 'Expired', 'Valid', 'bank', 'payment order RJCT', false, 'payment-rejected'],
  ['PaymentInitiation', 'Expired', 'Valid', 'bank', 'payment order CANC', false, 'payment-cancelled'],
  ['ConfirmationOfFunds', 'Expired', 'Valid', 'bank', 'something else', false, null],
  ['AccountAccess', 'Valid', 'Received', 'psu', 'approved', true, 'completed'],
  ['AccountAccess', 'Valid', 'Received', 'psu', 'approved', false, null],
] as const;

const engines = bothEngines(
  'types: a migration rewrites rows by subqueries and functions on texts, which each engine has for itself',
);

describe.each(engines)('on %s', (engine) => {
  it('every reason that the history tells, and no other', async () => {
    const database = await createDatabase(engine);
    const db = await openDb(database.url, 1);
    try {
      const at = migrations.findIndex(({ name }) => name === 'status-reasons');
      for (const migration of migrations.slice(0, at)) await db.script(scriptFor(migration, engine));
      await db.script(OWNER);
      for (const [index, [kind, status, from, by, reason, isRead]] of cases.entries()) {
        const id = `c${String(index).padStart(2, '0')}`;
        await db.run(CONSENT, [id, kind, status]);
        await db.run(STEP, [id, 0, null, 'Received', 'tpp', 'created']);
        await db.run(STEP, [id, 1, from, status, by, reason]);
        if (isRead) await db.run(READ, [`r${index}`, id]);
      }
      for (const migration of migrations.slice(at)) await db.script(scriptFor(migration, engine));
      const rows = await db.all<{ end_reason: string | null; superseded_by: string | null }>(
        'select end_reason, superseded_by from consents order by id',
      );
      expect(rows.map((row) => row.end_reason)).toEqual(cases.map((each) => each[6]));
      expect(rows.map((row) => row.superseded_by).filter((each) => each !== null)).toEqual(['newer-one']);
    } finally {
      await db.close();
      await database.drop();
    }
  });
});
