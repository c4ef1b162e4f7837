/**
 * The cores that the documentation shows: from nothing to a check without failures, and then a whole journey in production on
 * PostgreSQL. `npm run prove -- bad-core` makes them as slow and as restless as a bad week.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanUp, trapeza } from '../cli/program.js';
import { root } from '../lib/source.js';
import { orderPath } from '../payment/support.js';
import { hasPostgres } from '../support/engines.js';
import { FUNDS } from '../support/operations.js';
import {
  CORE_TOKEN,
  ExampleCore,
  hasPython,
  LateProxy,
  openBank,
  type ProductionBank,
  Refusal,
  subjectFile,
  ThirdParty,
} from './production.js';

afterAll(cleanUp);

/** The core takes so long for each answer; how long it has; how often it is killed. */
const DELAY = Number(process.env.TEST_CORE_DELAY ?? 100);
const PATIENCE = Math.max(2000, 1.5 * DELAY);
const RESTART_MS = Number(process.env.TEST_CORE_RESTART ?? 1500);
const PAYMENTS = Number(process.env.TEST_CORE_PAYMENTS ?? 2);

const ELENI = 'GR3699800010000000000000101';
const ANNA = 'GR6899800010000000000000301';
const transfer = (amount: number) => ({
  creditAccount: { iban: ANNA },
  creditorName: 'Άννα Δήμου',
  instructedAmount: { currency: 'EUR', amount },
});

interface Booked {
  readonly transactions: readonly { readonly amount: string; readonly paymentId: string | null }[];
}
const DAYS = 'from=2020-01-01&to=2099-12-31';
const paidBy = async (core: ExampleCore, paymentId: string): Promise<string[]> =>
  (await core.ask<Booked>(`/accounts/101/transactions?${DAYS}&status=booked&limit=1000`)).transactions
    .filter((each) => each.paymentId === paymentId)
    .map(({ amount }) => amount);

const pay = async (third: ThirdParty, amount: number): Promise<string> => {
  const id = await third.approved('/pis/psd2/v1/transfers/domestic', transfer(amount));
  expect(await third.submit(id)).toMatchObject({ status: 201 });
  return id;
};

/** What the books of the core say about a payment of a third party. */
const bookedFor = async (core: ExampleCore, third: ThirdParty, id: string): Promise<string[]> => {
  const { paymentId } = (await third.call(orderPath(id))).json as { paymentId: string };
  return paidBy(core, paymentId);
};

it('docs/core.md shows the subject and the heart of the payments as they are run', () => {
  const text = readFileSync(join(root, 'docs/core.md'), 'utf8');
  const [, shown = 'nothing'] = /```python\n([\s\S]*?)```/.exec(text) ?? [];
  expect(readFileSync(join(root, 'docs/examples/core/core.py'), 'utf8')).toContain(shown);
  expect(text).toContain(`\`\`\`json\n${readFileSync(subjectFile, 'utf8')}\`\`\``);
});

describe.each(['Python', 'TypeScript'] as const)('the core in %s', (language) => {
  it.skipIf(language === 'Python' && !hasPython)('passes every case of core-check', async () => {
    const core = await new ExampleCore(language).start();
    const args = ['core-check', '--subject', subjectFile, '--payments'];
    const { code, stdout } = await trapeza(args, {
      env: { TRAPEZA_CORE_URL: core.url, TRAPEZA_CORE_TOKEN: CORE_TOKEN },
    });
    expect(stdout).toMatch(/\d\d passed, 0 failed, 0 blocked, \d+ skipped/);
    expect(code).toBe(0);
  });
});

const funds = (amount: number) => ({
  account: { iban: ELENI },
  instructedAmount: { currency: 'EUR', amount },
});

describe.runIf(hasPostgres && hasPython)('production in front of the core in Python', () => {
  let core: ExampleCore;
  let proxy: LateProxy;
  let bank: ProductionBank;
  let third: ThirdParty;
  beforeAll(async () => {
    core = await new ExampleCore('Python').start();
    proxy = await LateProxy.before(core.url);
    bank = await openBank(proxy.url, {
      TRAPEZA_CORE_TIMEOUT_MS: String(PATIENCE),
      TRAPEZA_DEADLINE_MS: String(Math.max(5000, 6 * DELAY)),
    });
    third = await ThirdParty.authorized(bank, core);
  });
  afterAll(async () => {
    await bank?.program.stop();
    await bank?.drop();
    await proxy?.close();
  });

  it('is found fit by doctor', async () => {
    expect(await trapeza(['doctor', '--production'], { env: bank.env })).toMatchObject({ code: 0 });
  });

  it('confirms funds once the account holder has approved it', async () => {
    expect((await third.call(FUNDS, funds(10))).status).toBe(403);
    await third.approved('/piis/psd2/v1/consents', { account: { iban: ELENI } });
    expect((await third.call(FUNDS, funds(10))).json).toEqual({ fundsAvailable: true });
    expect((await third.call(FUNDS, funds(999_999))).json).toEqual({ fundsAvailable: false });
  });

  it('shows accounts with balances, transactions and statements', async () => {
    const permissions = ['AccountsDetail', 'Balances', 'TransactionsDetail', 'Statements'];
    const id = await third.approved('/ais/psd2/v1/consents', { permissions, recurring: true });
    const headers = { 'Consent-ID': id, 'PSU-IP-Address': '192.0.2.7' };
    const read = async (path: string) => {
      const { status, json } = await third.call(`/ais/psd2/v1/accounts${path}`, undefined, { headers });
      expect([path, status]).toEqual([path, 200]);
      return json as Record<string, { resourceId: string; booked: unknown[] }[] & { booked: unknown[] }>;
    };
    const resourceId = (await read('')).accounts?.[0]?.resourceId;
    expect((await read(`/${resourceId}/balances`)).balances).toHaveLength(3);
    expect((await read(`/${resourceId}/transactions`)).transactions?.booked.length).toBeGreaterThan(10);
    expect((await read(`/${resourceId}/statements`)).statements?.length).toBeGreaterThan(0);
  });

  it('carries out a payment once and tells the payer what for', async () => {
    const id = await pay(third, 12.5);
    expect(await third.settled(id)).toBe('ACSC');
    expect(await bookedFor(core, third, id)).toEqual(['-12.50']);
    expect(core.messageTo('customer-1')).toMatch(/^\d{6} for 12\.50 EUR to Άννα Δήμου$/);
  });

  it('completes a journey with a core that takes its time for every answer', async () => {
    proxy.delayMs = DELAY;
    const id = await pay(await ThirdParty.authorized(bank, core), 12.51);
    expect((await third.call(FUNDS, funds(10))).json).toEqual({ fundsAvailable: true });
    expect(await third.settled(id)).toBe('ACSC');
    expect(await bookedFor(core, third, id)).toEqual(['-12.51']);
  });

  it('says that the core is late if it takes longer, and carries out once what was approved before', async () => {
    proxy.delayMs = 0;
    const id = await third.approved('/pis/psd2/v1/transfers/domestic', transfer(12.52));
    proxy.delayMs = 2 * PATIENCE;
    const refused = [
      await third.call(FUNDS, funds(10)),
      await third.call('/pis/psd2/v1/transfers/domestic', transfer(1)),
      await third.submit(id),
    ];
    expect(refused.map(({ status }) => status)).toEqual([408, 408, 408]);
    proxy.delayMs = 0;
    expect(await third.submit(id)).toMatchObject({ status: 201 });
    expect(await third.settled(id)).toBe('ACSC');
    expect(await bookedFor(core, third, id)).toEqual(['-12.52']);
  });

  it('completes or refuses honestly while the core is killed and started again', async () => {
    proxy.delayMs = 0;
    const submitted: string[] = [];
    let refusals = 0;
    const tryToPay = async (): Promise<void> => {
      const body = transfer((100 + submitted.length) / 100);
      const id = await third.approved('/pis/psd2/v1/transfers/domestic', body);
      const answer = await third.submit(id);
      if (answer.status !== 201) throw new Refusal(answer);
      submitted.push(id);
    };
    const restart = async (): Promise<void> => {
      while (submitted.length < PAYMENTS) {
        await core.kill();
        await core.start();
        await setTimeout(RESTART_MS);
      }
    };
    const payAll = async (): Promise<void> => {
      while (submitted.length < PAYMENTS) {
        await tryToPay().catch(async (error: unknown) => {
          if (!(error instanceof Refusal) || !error.isHonest) throw error;
          refusals += 1;
          await setTimeout(100);
        });
      }
    };
    await Promise.all([restart(), payAll()]);
    for (const [index, id] of submitted.entries()) {
      expect(await third.settled(id)).toBe('ACSC');
      expect(await bookedFor(core, third, id)).toEqual([`-${((100 + index) / 100).toFixed(2)}`]);
    }
    console.info(
      `${submitted.length} payments, each booked once; ${refusals} attempts were refused with 408 or 503`,
    );
  });
});
