/** Bringing a database to the current shape: once, and without losing a row. Programs that do it at once: migrate-processes. */
import { describe, expect, it } from 'vitest';
import type { Db } from '../../src/store/db.js';
import { migrate, migrationState, migrations } from '../../src/store/migrate.js';
import { bothEngines } from '../support/engines.js';
import { ATMS } from '../support/operations.js';
import { startService } from '../support/service.js';
import { allMigrations, emptyDatabase, LEDGER, makeOld, useClosers } from './migrate-support.js';

const closers = useClosers();

describe('the migrations', () => {
  it('have unique names and ids that grow, so that "newest" has a meaning', () => {
    const ids = migrations.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
    expect(new Set(migrations.map(({ name }) => name)).size).toBe(migrations.length);
  });
});

const engines = bothEngines(
  'a migration that fails is undone: each store has rules of its own for tables in a transaction',
);

describe.each(engines)('migrating on %s', (engine) => {
  it('upgrades an old database and keeps its rows', async () => {
    const { db } = await emptyDatabase(engine, closers);
    await makeOld(db);
    expect((await migrationState(db)).pending).toEqual(migrations.slice(1));
    expect(await migrate(db, 2)).toEqual(migrations.slice(1).map(({ name }) => name));
    expect(await db.all(LEDGER)).toEqual(allMigrations);
    expect(await db.one('select id, name from tpps')).toEqual({ id: 'tpp-1', name: 'Ελληνική' });
    expect(await db.one('select count(*) as n from atm_publications')).toEqual({ n: 0 });
  });

  it('does nothing on a database that is up to date', async () => {
    const { db } = await emptyDatabase(engine, closers);
    expect(await migrate(db, 1)).toEqual(allMigrations.map(({ name }) => name));
    expect(await migrationState(db)).toEqual({ pending: [], ahead: [] });
    expect(await migrate(db, 2)).toEqual([]);
    expect(await db.all('select applied_at from migrations')).toEqual(
      allMigrations.map(() => ({ applied_at: 1 })),
    );
  });

  it('leaves nothing behind when a migration fails', async () => {
    const { db } = await emptyDatabase(engine, closers);
    await makeOld(db);
    await db.script('create table atm_publications (other text)');
    await expect(migrate(db, 2)).rejects.toThrow();
    expect(await db.all(LEDGER)).toEqual(allMigrations.slice(0, 1));
    await db.script('drop table atm_publications');
    expect(await migrate(db, 3)).toEqual(migrations.slice(1).map(({ name }) => name));
  });

  /** As a newer version leaves it: one migration more, whose column nobody here knows. */
  const plantNext = async (db: Db, id: number, compatibleFrom?: number): Promise<void> => {
    await db.script(`alter table tpps add column planted_${id} text`);
    await db.run('insert into migrations (id, name, applied_at) values (?, ?, ?)', [id, `next-${id}`, 2]);
    if (compatibleFrom !== undefined)
      await db.run('insert into migration_compatibility (id, compatible_from) values (?, ?)', [
        id,
        compatibleFrom,
      ]);
  };

  it('an older node starts on a database one migration ahead, and no further unless that says so', async () => {
    const { url, db } = await emptyDatabase(engine, closers);
    await migrate(db, 1);
    const known = migrations.at(-1)?.id ?? 0;
    await plantNext(db, known + 1);
    expect(await migrationState(db)).toEqual({ pending: [], ahead: [known + 1] });
    const service = await startService({ databaseUrl: url });
    closers.push(() => service.close());
    expect((await service.call({ path: ATMS })).status).toBe(200);
    expect(service.logs.some((line) => line.includes(`"ahead":[${known + 1}]`))).toBe(true);
    await plantNext(db, known + 2);
    await expect(migrate(db, 3)).rejects.toThrow(/start a newer version/);
    await db.run('insert into migration_compatibility (id, compatible_from) values (?, ?)', [
      known + 2,
      known,
    ]);
    expect(await migrate(db, 3)).toEqual([]);
    await plantNext(db, known + 3, known + 1);
    await expect(migrationState(db)).rejects.toThrow(`needs a program that knows ${known + 1}`);
  });

  it('refuses a database that is newer than the program', async () => {
    const { db } = await emptyDatabase(engine, closers);
    await migrate(db, 1);
    await db.run('insert into migrations (id, name, applied_at) values (?, ?, ?)', [999, 'future', 1]);
    const refusal = /the database has migration 999 and needs .* knows only \d+: start a newer version/;
    await expect(migrate(db, 2)).rejects.toThrow(refusal);
    await expect(migrationState(db)).rejects.toThrow(refusal);
  });
});
