/**
 * The job that the account guide prints, run daily as it stands: in 400 days every booked entry once, none changed, no id that comes back, and
 * the pending ones of the day.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { createDemoBank } from '../../packages/sandbox/src/bank/demo-bank.js';
import { type Connection, driver } from '../../src/store/sqlite/driver.js';
import { addAccess } from '../api/ais/support.js';
import { cleanUp, tempFolder } from '../cli/program.js';
import { fencesIn } from '../lib/fences.js';
import { root } from '../lib/source.js';
import { done, sandboxToken } from '../support/client.js';
import { account, approve, moveBankClock, psuId } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { inTier } from '../support/tier.js';
import { useService, withStore } from '../support/use-service.js';
import { hasPython } from './production.js';

const DAYS = inTier(12, 400);
/** Before the 180 days after which reads are closed. */
const RENEWED_EVERY = 150;
const DAY = 86_400_000;

const numbers = [101, 102];
const accounts = numbers.map((number) => account('eleni', number));

interface Row {
  readonly id: string;
  readonly account: string;
  readonly status: 'booked' | 'pending';
  readonly amount: string;
}

/** What the bank has of the two accounts. */
const booksOf = (service: Service): Promise<readonly object[]> =>
  withStore(service, async (db) => {
    const bank = createDemoBank(db, { bankTime: async () => service.clock.now(), timeZone: 'Europe/Athens' });
    const query = { from: '2000-01-01', to: '2999-01-01', after: null, limit: 50_000 } as const;
    const context = { psuId: psuId('eleni') };
    const lists = accounts.flatMap(({ id: accountId }) =>
      (['booked', 'pending'] as const).map((status) =>
        bank.transactions({ ...query, accountId, status, context }),
      ),
    );
    return (await Promise.all(lists))
      .flatMap(({ items }) => items)
      .map(({ id, status, amountMinor }) => ({ id, status, amount: amountMinor / 100 }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  });

const python = promisify(execFile);

/** The folder of a third party that has saved the program of the guide. */
const saved = (): { readonly folder: string; rows(): readonly (Row & { readonly entry: string })[] } => {
  const folder = tempFolder();
  const guide = readFileSync(join(root, 'docs/guides/account-access.en.md'), 'utf8');
  const [job, ...others] = fencesIn(guide).filter(({ language }) => language === 'python');
  if (!job || others.length > 0) throw new Error('the guide prints one program');
  writeFileSync(join(folder, 'sync.py'), job.content);
  return {
    folder,
    rows() {
      const copy: Connection = new (driver())(join(folder, 'copy.db'));
      const rows = copy.prepare('select * from entries order by id').all() as (Row & { entry: string })[];
      copy.close();
      return rows;
    },
  };
};

afterAll(cleanUp);

describe.runIf(hasPython)('the job of the account guide', () => {
  const use = useService({ isAlive: true, env: { TRAPEZA_DEMO_MONTHS: '1' } });

  it(`keeps a copy in step for ${DAYS} days`, async () => {
    const service = use();
    const { id: consent, resourceIds } = await addAccess(service, { accounts, expiresInMs: 500 * DAY });
    const { folder, rows } = saved();
    const run = async (...args: string[]): Promise<string> => {
      const env = {
        ...{ PATH: process.env.PATH ?? '', BASE: service.url, KEY: service.keyOf(), CONSENT: consent },
        TOKEN: await sandboxToken(service.url),
      };
      return (await python('python3', ['sync.py', ...args], { cwd: folder, env })).stdout;
    };
    expect(await run()).toBe('in step\n');
    let before = rows();
    const seen = new Set(before.map(({ id }) => id));
    const fates = { booked: 0, changed: 0, gone: 0 };
    for (let day = 1; day <= DAYS; day += 1) {
      await moveBankClock(service, 'P1D');
      await service.app.runJobs();
      if (day % RENEWED_EVERY === 0) {
        const path = `/ais/psd2/v1/consents/${consent}/authorisations`;
        done(await service.call({ method: 'POST', path }));
        await approve(service, consent);
      }
      const { now } = done(await service.call({ path: '/sandbox/clock' })).json as { now: string };
      expect(await run(new Date(Date.parse(now) - 14 * DAY).toISOString().slice(0, 10))).toBe('in step\n');
      const after = rows();
      const byId = new Map(after.map((row) => [row.id, row]));
      for (const row of before) {
        const next = byId.get(row.id);
        if (row.status === 'booked') expect(next).toEqual(row);
        else if (!next) fates.gone += 1;
        else if (next.status === 'booked') fates[next.amount === row.amount ? 'booked' : 'changed'] += 1;
      }
      const known = new Set(before.map(({ id }) => id));
      for (const { id } of after) if (!known.has(id)) expect(seen, 'an id came back').not.toContain(id);
      for (const { id } of after) seen.add(id);
      before = after;
    }
    const copy = before.map(({ id, status, amount }) => ({ id, status, amount: Number(amount) }));
    expect(copy).toEqual(await booksOf(service));
    expect(new Set(before.map((row) => row.account))).toEqual(new Set(resourceIds));
    expect(fates.booked + fates.changed).toBeGreaterThan(0);
    if (DAYS > 30) expect(Math.min(fates.booked, fates.changed, fates.gone)).toBeGreaterThan(0);
  }, 1_500_000);
});
