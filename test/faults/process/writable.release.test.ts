/** A node is ready only while its store can be written: a full disk or a lost standby shows within seconds, and so does its end. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/lib/clock.js';
import { migrate } from '../../../src/store/migrate.js';
import { openDb } from '../../../src/store/open.js';
import { goodRequest } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { folderForServers, hasPostgresServer, PgServer, removeServers } from '../campaign/break/pg-server.js';
import { env, isAlive, patience, readyAt, reasonAt } from './readiness.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Of the pool of a test's service. */
const CONNECTIONS = 5;

/** Calls at a time, again and again until `end`; what those that write were answered. */
const callsOf = (service: Service): { readonly statuses: number[]; end(): Promise<void> } => {
  const statuses: number[] = [];
  let isOver = false;
  const loop = async (): Promise<void> => {
    while (!isOver) statuses.push((await service.call(goodRequest(service, 'confirmFunds'))).status);
  };
  const loops = Array.from({ length: 8 }, loop);
  const end = async (): Promise<void> => {
    isOver = true;
    await Promise.all(loops);
  };
  closers.push(end);
  return { statuses, end };
};

/** Begins and ends a fault without calls and among them. */
const tellsInBothStates = async (
  service: Service,
  reason: RegExp,
  fault: { begin(): unknown; end(): unknown; during?(): Promise<void> },
): Promise<void> => {
  const { managementUrl } = service.app;
  for (const hasCalls of [false, true]) {
    const calls = hasCalls ? callsOf(service) : undefined;
    await fault.begin();
    await expect.poll(() => reasonAt(managementUrl), patience).toMatch(reason);
    expect(await readyAt(managementUrl)).toBe('503 store');
    expect(await isAlive(managementUrl)).toBe(200);
    if (calls) await fault.during?.();
    await fault.end();
    await expect.poll(() => readyAt(managementUrl), patience).toBe('200');
    await calls?.end();
  }
  expect((await service.call(goodRequest(service, 'confirmFunds'))).status).toBe(200);
};

describe.runIf(hasPostgresServer)('a node whose commits must reach a standby', () => {
  it('is not ready while that is away, and leaves no more commits waiting than it has connections', async () => {
    closers.push(removeServers);
    const server = await PgServer.create();
    const standby = await server.addStandby();
    const service = await startService({ databaseUrl: server.url, env });
    closers.push(() => service.close());
    const waiting = async (): Promise<number> => {
      const [row] = await server.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where wait_event = 'SyncRep'`,
      );
      return row?.n ?? 0;
    };
    await tellsInBothStates(service, /^no-(?:standby|answer)$/, {
      begin: () => standby.kill(),
      end: () => standby.start(),
      during: async () => {
        await expect.poll(() => reasonAt(service.app.managementUrl), patience).toBe('no-standby');
        const calls = callsOf(service);
        await expect.poll(() => calls.statuses.length, patience).toBeGreaterThan(60);
        await calls.end();
        expect(new Set(calls.statuses)).toEqual(new Set([503]));
        // At most one statement on each connection of the pool, and one on the connection that tests whether writes return.
        expect(await waiting()).toBeLessThanOrEqual(CONNECTIONS + 1);
      },
    });
  });
});

describe.runIf(hasPostgresServer)('a primary whose standby is away', () => {
  it('shuts down although a node has tried whether it can be written to', async () => {
    closers.push(removeServers);
    const server = await PgServer.create();
    const standby = await server.addStandby();
    const db = await openDb(server.url, 1);
    closers.push(() => db.close());
    await migrate(db, systemClock.now());
    await db.tryWrite();
    await standby.kill();
    // A session that waited for the standby would never end.
    expect(await server.shutDown()).toBe(0);
  });
});

/** A folder with little room, for root alone; undefined for everybody else. */
const smallDisk = (): string | undefined => {
  const folder = folderForServers();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=120m,mode=777', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    console.warn('WARNING: no disk of a known size can be made here: the tests of a full one are SKIPPED.');
    return undefined;
  }
  closers.push(() => execFileSync('umount', ['--lazy', folder]));
  return folder;
};

const filling = (folder: string): { begin(): void; end(): void } => {
  const file = join(folder, 'filler');
  return {
    begin: () => {
      for (const size of [1 << 20, 4096])
        try {
          for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
        } catch (error) {
          expect((error as { code?: string }).code).toBe('ENOSPC');
        }
    },
    end: () => rmSync(file),
  };
};

describe('a node whose disk is full', () => {
  it.runIf(hasPostgresServer)(
    'at PostgreSQL is not ready, whatever room tables have inside',
    async (test) => {
      const disk = smallDisk();
      if (!disk) test.skip();
      closers.push(removeServers);
      const server = await PgServer.create();
      const place = join(disk ?? '', 'tables');
      mkdirSync(place);
      execFileSync('chown', ['nobody', place]);
      await server.query(`create tablespace small location '${place}'`);
      await server.query('create database small tablespace small');
      const databaseUrl = server.url.replace(/postgres$/, 'small');
      const service = await startService({ databaseUrl, env });
      closers.push(() => service.close());
      const admin = await openDb(databaseUrl, 1);
      closers.push(() => admin.close());
      // What earlier tries have left must not be room for later ones.
      await admin.run('vacuum');
      await tellsInBothStates(service, /^full$/, filling(disk ?? ''));
    },
  );

  it('under SQLite is not ready', async (test) => {
    const disk = smallDisk();
    if (!disk) test.skip();
    const service = await startService({ databaseUrl: `sqlite:${disk}/trapeza.db`, env });
    closers.push(() => service.close());
    await tellsInBothStates(service, /^full$/, filling(disk ?? ''));
  });
});
