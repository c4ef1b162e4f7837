/** Consents that are over, or that nobody decides about, neither slow a funds question nor hide the Valid one. */
import { describe, expect, it } from 'vitest';
import { findOtherCandidates, findValidCandidates } from '../../../src/consent/funds/candidates.js';
import type { Row, Value } from '../../../src/store/db.js';
import { slugOf } from '../../support/client.js';
import { addFundsConsent } from '../../support/consents.js';
import { bothEngines, type Engine } from '../../support/engines.js';
import { account, FINANCE, FUNDS, fundsBody, ibanOf, psuId } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';
import { faultVolume } from '../volume.js';

/** The reviewed limit was 5,000. */
const OLD = faultVolume(5_001, 100_000);
const IBAN = ibanOf('maria', 303);

const numbers: Readonly<Record<Engine, string>> = {
  sqlite:
    'with recursive n (i) as (select 1 union all select i + 1 from n where i < cast(? as bigint)) select',
  postgres: 'with n (i) as (select generate_series(1, cast(? as bigint))) select',
};

/** Ended and undecided consents of one person for one account, all newer than any other. */
const addOld = (service: Service, engine: Engine, count: number, psu: string, iban: string): Promise<void> =>
  withStore(service, async (db) => {
    const now = service.clock.now();
    const values = `'old-${psu}-' || i, 'ConfirmationOfFunds', '${FINANCE}', '${psuId(psu)}',
      case when i % 2 = 0 then 'Received' else 'TerminatedByTpp' end, ${now} + i, '{}' from n`;
    await db.run(
      `insert into consents (id, kind, client_id, psu_id, status, created_at, details) ${numbers[engine]} ${values}`,
      [count],
    );
    // As the service writes them; the build before this one knows three columns less.
    const columns = await db
      .run(`update consent_accounts set funds_at = funds_at where consent_id = 'nobody'`)
      .then(() => ', funds_client, funds_psu, funds_at')
      .catch(() => '');
    const owner = columns && ', c.client_id, c.psu_id, c.created_at';
    await db.run(
      `insert into consent_accounts (consent_id, position, account_id, iban, currency, resource_id${columns})
       select c.id, 0, ?, ?, 'EUR', c.id${owner} from consents c where c.id like 'old-${psu}-%'`,
      [account('maria', 303).id, iban],
    );
  });

const ask = (service: Service, psu: string, iban: string) =>
  service.call({ method: 'POST', path: FUNDS, body: fundsBody({ account: { iban } }), as: { psu } });

/** Every node of a plan that PostgreSQL has run. */
const planNodes = (plan: Record<string, unknown>): Record<string, unknown>[] => [
  plan,
  ...((plan.Plans as Record<string, unknown>[] | undefined) ?? []).flatMap(planNodes),
];

/** How many rows each step of the statement touched, or on the embedded engine how it finds them. */
const workOf = async (service: Service, sql: string, params: readonly Value[]): Promise<unknown[]> =>
  withStore(service, async (db) => {
    if (db.engine === 'sqlite') {
      const steps = await db.all<{ detail: string }>(`explain query plan ${sql}`, params);
      return steps.map(({ detail }) => detail);
    }
    // Whatever the size of the tables: a small one would be read whole, because that is cheaper.
    const row = await db.transaction(async (tx) => {
      for (const way of ['seqscan', 'hashjoin', 'mergejoin']) await tx.run(`set local enable_${way} = off`);
      return tx.one<Row>(`explain (analyze, format json) ${sql}`, params);
    });
    const plans = (row?.['QUERY PLAN'] ?? []) as unknown as { Plan: Record<string, unknown> }[];
    return plans
      .flatMap(({ Plan }) => planNodes(Plan))
      .map(
        (node) =>
          Number(node['Actual Rows'] ?? 0) * Number(node['Actual Loops'] ?? 1) +
          Number(node['Rows Removed by Filter'] ?? 0),
      );
  });

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const engines = bothEngines('the plan decides what a funds question reads, and each engine makes its own');

describe.each(engines)('on %s', (engine) => {
  const use = useService({ engine, env: { TRAPEZA_QUOTA_PER_MINUTE: '1000000' } }, async (service) => {
    await addFundsConsent(service, { psu: 'maria', accounts: [account('maria', 303)], status: 'Valid' });
    await addFundsConsent(service, { psu: 'eleni', accounts: [account('eleni', 101)], status: 'Valid' });
    await addOld(service, engine, OLD, 'maria', IBAN);
    if (engine === 'postgres') await withStore(service, (db) => db.script('analyze'));
  });

  it(`faults 7: ${OLD} newer consents that are not Valid do not hide the Valid one`, async () => {
    const answer = await ask(use(), 'maria', IBAN);
    expect([answer.status, answer.json]).toEqual([200, { fundsAvailable: true }]);
  });

  it('faults 7: the statements of a funds question touch no more rows than they need', async () => {
    const references = {
      iban: IBAN,
      bban: '0110125',
      msisdn: '+306912345678',
      cardHashes: ['a', 'b'],
    } as const;
    const alone = { iban: IBAN, bban: null, msisdn: null, cardHashes: [] };
    const caller = { clientId: FINANCE, psuId: psuId('maria') };
    const asked: [string, readonly Value[]][] = [];
    const noted = async (sql: string, params: readonly Value[] = []) => {
      asked.push([sql, params]);
      return [];
    };
    const notes = { all: noted, one: async () => undefined, run: async () => 0 };
    await findValidCandidates(notes, caller, alone);
    await findValidCandidates(notes, caller, references);
    await findOtherCandidates(notes, caller, references);
    expect(asked).toHaveLength(3);
    for (const [sql, params] of asked) {
      const work = await workOf(use(), sql, params);
      if (engine === 'postgres') expect(Math.max(...(work as number[])), sql).toBeLessThan(500);
      else {
        expect(work.join(), sql).toMatch(/consents_open|consent_accounts_by_iban/);
        expect(work.join(), sql).not.toMatch(/SCAN (c|a|consent)|expiry|of_p/);
      }
    }
  });

  it('faults 7: a question that no Valid consent covers is told the status of the newest one', async () => {
    const iban = ibanOf('maria', 302);
    await addOld(use(), engine, 40, 'katerina', iban);
    const refused = await ask(use(), 'katerina', iban);
    expect([refused.status, slugOf(refused)]).toEqual([403, 'consent-not-valid']);
    expect(refused.json).toMatchObject({ extensions: { consent: { status: 'Received' } } });
  });

  if (process.env.TEST_FAULTS === 'full')
    it('faults 7: a question of a person with 100,000 ended consents takes as long as one without', async () => {
      const times: Record<string, number[]> = { maria: [], eleni: [] };
      for (let round = 0; round < 400; round += 1)
        for (const [psu, iban] of [
          ['maria', IBAN],
          ['eleni', ibanOf('eleni', 101)],
        ] as const) {
          const before = performance.now();
          expect((await ask(use(), psu, iban)).status).toBe(200);
          times[psu]?.push(performance.now() - before);
        }
      const [many, none] = [median(times.maria ?? []), median(times.eleni ?? [])];
      console.log(
        `${engine}: ${many.toFixed(2)} ms with ${OLD} ended consents, ${none.toFixed(2)} ms without`,
      );
      expect(many / none).toBeLessThan(1.5);
    });
});
