/** The order of events is the order of their commits: whoever has read up to one has read all before it. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src/consent/lifecycle.js';
import { type Move, moveConsent } from '../../src/consent/move.js';
import type { ConsentStatus } from '../../src/consent/record.js';
import { readFeed } from '../../src/events/feed.js';
import { writeEvent } from '../../src/events/outbox.js';
import type { Db, Queries } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { bothEngines, hasPostgres } from '../support/engines.js';
import { BUDGET, FINANCE, psuId } from '../support/operations.js';
import { type Use, useService } from '../support/use-service.js';

const write = (tx: Queries, consentId: string, clientId = FINANCE): Promise<void> =>
  writeEvent(tx, {
    clientId,
    kind: 'consent',
    consentId,
    consentKind: 'AccountAccess',
    status: 'Valid',
    at: 1,
  });

const feedOf = async (db: Db, after?: string, clientId = FINANCE): Promise<readonly string[]> =>
  ((await readFeed(db, clientId, after, 500)) ?? []).map(({ id }) => id);

/** Enough connections for those that wait for each other. */
const withStore = async (service: Use, work: (db: Db) => Promise<void>): Promise<void> => {
  const db = await openDb(service().databaseUrl, 8);
  try {
    await work(db);
  } finally {
    await db.close();
  }
};

const WAITING = `
  select 1 as one from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

const until = async (db: Db, isSo: string): Promise<void> => {
  while (!(await db.one(isSo))) await othersFirst();
};

const othersFirst = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A transaction that has written and waits for the word to commit. */
const hold = (db: Db, consentId: string, clientId = FINANCE) => {
  let commit = (): void => undefined;
  const word = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let tell = (): void => undefined;
  const written = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const done = db.transaction(async (tx) => {
    await write(tx, consentId, clientId);
    tell();
    await word;
  });
  return { written, commit, done };
};

describe.runIf(hasPostgres)('on PostgreSQL, with transactions at once', () => {
  const service = useService({ engine: 'postgres' });

  it('an event that was written first but not committed is not overtaken', async () => {
    await withStore(service, async (db) => {
      const consents = [randomUUID(), randomUUID()];
      const slow = hold(db, consents[0] ?? '');
      await slow.written;
      const quick = hold(db, consents[1] ?? '');
      quick.commit();
      // It waits for the first one, which is still open.
      await until(db, WAITING);
      expect(await feedOf(db)).toEqual([]);
      slow.commit();
      await Promise.all([slow.done, quick.done]);
      const rows = await db.all<{ consent_id: string }>(
        'select consent_id from events where client_id = ? order by position',
        [FINANCE],
      );
      expect(rows.map(({ consent_id: id }) => id)).toEqual(consents);
    });
  });

  it('changes that touch the same consents do not wait for each other in a circle', async () => {
    const [asked, older] = [
      service().consent('AccountAccess', 'Received'),
      service().consent('AccountAccess'),
    ];
    const step = (consent: typeof asked, from: ConsentStatus, to: ConsentStatus, by: Actor): Move => ({
      id: consent.id,
      psuId: psuId(consent.psu),
      from,
      to,
      by,
      reason: 'withdrawn',
      at: service().clock.now(),
    });
    await withStore(service, async (db) => {
      const revoked: Promise<boolean>[] = [];
      const superseding = db.transaction(async (tx) => {
        await moveConsent(tx, step(asked, 'Received', 'Valid', 'psu'));
        revoked.push(
          db.transaction((other) => moveConsent(other, step(older, 'Valid', 'RevokedByPsu', 'psu'))),
        );
        await until(db, WAITING);
        return moveConsent(tx, step(older, 'Valid', 'TerminatedByTpp', 'tpp'));
      });
      expect(await superseding).toBe(true);
      expect(await Promise.all(revoked)).toEqual([false]);
    });
  });

  it('another application does not wait', async () => {
    await withStore(service, async (db) => {
      const slow = hold(db, randomUUID());
      await slow.written;
      await db.transaction((tx) => write(tx, randomUUID(), BUDGET));
      slow.commit();
      await slow.done;
      expect(await feedOf(db, undefined, BUDGET)).toHaveLength(1);
    });
  });

  it('an event of a transaction that failed leaves no gap and no trace', async () => {
    await withStore(service, async (db) => {
      const before = await feedOf(db);
      const failing = db.transaction(async (tx) => {
        await write(tx, randomUUID());
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      await db.transaction((tx) => write(tx, randomUUID()));
      const positions = await db.all<{ position: number }>(
        'select position from events where client_id = ? order by position',
        [FINANCE],
      );
      expect(positions.map(({ position }) => position)).toEqual(
        Array.from({ length: before.length + 1 }, (_, index) => index + 1),
      );
    });
  });
});

const engines = bothEngines(
  'commits come in another order than writes on PostgreSQL, never on SQLite, and a reader must not notice',
);

describe.each(engines)('on %s, a reader that polls while others write', (engine) => {
  const service = useService({ engine });

  it('sees every event once, in order, although commits come at random', async () => {
    await withStore(service, async (db) => {
      const total = 120;
      let left = total;
      const seen: string[] = [];
      const writer = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          await db.transaction(async (tx) => {
            await write(tx, randomUUID());
            // Room for others between the write and its commit.
            await othersFirst();
          });
        }
      };
      const reader = async (): Promise<void> => {
        while (seen.length < total) {
          await othersFirst();
          seen.push(...(await feedOf(db, seen.at(-1))));
        }
      };
      await Promise.all([reader(), writer(), writer(), writer(), writer()]);
      expect(new Set(seen).size).toBe(total);
      expect(seen).toEqual(await feedOf(db));
    });
  });
});
