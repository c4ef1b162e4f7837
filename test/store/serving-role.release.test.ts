/** One role migrates, another serves, as docs/go-live.md has it: the printed grants are enough for everything, for years. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../src/lib/clock.js';
import { monthsIn } from '../../src/store/months.js';
import { openDb } from '../../src/store/open.js';
import { addAccess, read } from '../api/ais/support.js';
import { approved, carryOut, stage } from '../payment/support.js';
import { sandboxToken } from '../support/client.js';
import { addFundsConsent } from '../support/consents.js';
import { hasPostgres } from '../support/engines.js';
import { account, FUNDS, fundsBody, goodRequest, operationIds } from '../support/operations.js';
import { type Service, startService } from '../support/service.js';
import { createServingRole, type ServingRole } from '../support/serving-role.js';

/** The tables of the demo bank, which no bank has. */
const OF_SANDBOX = `
do $$ declare each record; begin
  for each in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname ~ '^(demo|sandbox|simulator)_'
  loop execute format('grant all on %I to %I', each.relname, 'ROLE'); end loop;
end $$`;

/** Longer than funds answers are kept. */
const MONTHS = 28;

describe.runIf(hasPostgres)('a service whose role owns nothing', () => {
  let role: ServingRole;
  let service: Service;
  beforeAll(async () => {
    role = await createServingRole(async (databaseUrl) => (await startService({ databaseUrl })).close());
    await role.asOwner(OF_SANDBOX.replace('ROLE', role.name));
    service = await startService({ databaseUrl: role.url });
  });
  afterAll(async () => {
    await service?.close();
    await role?.drop();
  });

  const failures = (): string[] => service.logs.filter((line) => /job failed|permission denied/.test(line));

  it('answers every operation, and carries out a payment from staging to the booking', async () => {
    for (const id of operationIds) expect((await service.call(goodRequest(service, id))).status).toBe(200);
    const payment = await approved(service);
    await carryOut(service, payment);
    expect((await stage(service)).status).toBe(201);
    const access = await addAccess(service);
    expect((await read(service, access, '/ais/psd2/v1/accounts')).status).toBe(200);
    expect(failures()).toEqual([]);
  });

  it(`prepares and forgets its months unattended, ${MONTHS} of them, and no job fails`, async () => {
    const { clock } = service;
    const db = await openDb(role.ownerUrl, 1);
    for (let month = 0; month < MONTHS; month += 1) {
      clock.advance(31 * DAY);
      await service.app.runJobs();
      // A token of an hour, and a consent of a year at most: what is asked for each month is another one.
      const headers = { Authorization: `Bearer ${await sandboxToken(service.url)}` };
      await addFundsConsent(service, { psu: 'eleni', accounts: [account('eleni', 101)], status: 'Valid' });
      expect((await service.call({ method: 'POST', path: FUNDS, body: fundsBody(), headers })).status).toBe(
        200,
      );
      const names = (await monthsIn(db)).map(({ name }) => name.slice(-7));
      const ahead = new Date(clock.now() + 31 * DAY).toISOString().slice(0, 7).replace('-', '_');
      expect(names.at(-1)?.localeCompare(ahead)).toBeGreaterThanOrEqual(0);
      expect(names.length).toBeLessThanOrEqual(29);
    }
    expect(await db.one('select count(*) as n from funds_confirmations_other')).toEqual({ n: 0 });
    await db.close();
    expect(failures()).toEqual([]);
  });

  it('can neither make tables, nor use the functions of the months for anything else', async () => {
    const db = await openDb(role.url, 1);
    await expect(db.script('create table mine (a int)')).rejects.toThrow('permission denied');
    await expect(db.script('drop table consents')).rejects.toThrow('must be owner');
    await expect(db.run('delete from audit_log')).rejects.toThrow('permission denied');
    for (const name of ['consents', 'funds_confirmations_other', 'funds_confirmations_first'])
      expect(await db.one(`select drop_funds_month('${name}') as n`)).toEqual({ n: 0 });
    await db.close();
  });
});
