/** What must not be kept any longer goes, however much of it there is, and whoever is interrupted meanwhile. */
import { describe, expect, it } from 'vitest';
import { type Engine, engines } from '../../support/engines.js';
import type { Service } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';
import { faultVolume } from '../volume.js';

/** One run of before removed at most 10,000. */
const OLD = faultVolume(10_100, 30_000);

const numbers: Readonly<Record<Engine, string>> = {
  sqlite:
    'with recursive n (i) as (select 1 union all select i + 1 from n where i < cast(? as bigint)) select',
  postgres: 'with n (i) as (select generate_series(1, cast(? as bigint))) select',
};

const addOld = (service: Service, engine: Engine): Promise<unknown> =>
  withStore(service, (db) =>
    db.run(
      `insert into funds_confirmations
         (id, consent_id, client_id, psu_id, account_id, amount, currency, available, request_id, asked_at)
       ${numbers[engine]} 'old-' || i, 'c', 'a', 'p', 'n', '1', 'EUR', 1, 'r-' || i, i from n`,
      [OLD],
    ),
  );

const left = (service: Service): Promise<unknown> =>
  withStore(service, (db) =>
    db.one(`select count(*) as count from funds_confirmations where id like 'old-%'`),
  );

const figure = async (service: Service, name: string, job: string): Promise<number> => {
  const text = await (await fetch(`${service.app.managementUrl}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name}{job="${job}"}`));
  return Number(line?.split(' ').at(-1));
};

describe.each(engines)('on %s', (engine) => {
  const use = useService({ engine });

  it(`faults 9: one run forgets ${OLD} old records, and the backlog is told before and after`, async () => {
    await addOld(use(), engine);
    const job = 'forget funds answers';
    expect(await figure(use(), 'trapeza_job_backlog_seconds', job)).toBeGreaterThan(0);
    await use().app.runJobs();
    expect(await left(use())).toEqual({ count: 0 });
    expect(await figure(use(), 'trapeza_job_backlog_seconds', job)).toBe(0);
    expect(await figure(use(), 'trapeza_job_last_success_timestamp_seconds', job)).toBeGreaterThan(1.7e9);
  });
});
