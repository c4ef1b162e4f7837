/** A payment has one id for its consent, whatever the store has forgotten: the core never meets an approval under two ids. */
import { describe, expect, it } from 'vitest';
import type { ConsentId } from '../../src/model/ids.js';
import { paymentIdOf } from '../../src/payment/record.js';
import { jsonOf, runCommand } from '../cli/program.js';
import { engines } from '../support/engines.js';
import { moveBankClock } from '../support/operations.js';
import { testSecret } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';
import { approved, consentStatus, decide, orderIn, readOrder, submit } from './support.js';

it('the id of a payment never changes between versions of this program', () => {
  const known = 'a3c1f6f2-5b0e-4a39-8a3e-3a1d2f3c4b5a' as ConsentId;
  expect(paymentIdOf(known)).toBe('eeee936b-892c-8e84-9738-6acb30edac77');
  expect(paymentIdOf(known.toUpperCase() as ConsentId)).toBe(paymentIdOf(known));
});

describe.each(engines)('a store that has lost its last seconds, on %s', (engine) => {
  const use = useService({ engine, core: 'simulator' });

  /** As before the submission. */
  const forget = (consent: string): Promise<void> =>
    withStore(use(), (db) =>
      db.transaction(async (tx) => {
        await tx.run(
          'delete from payment_order_history where order_id in (select id from payment_orders where consent_id = ?)',
          [consent],
        );
        await tx.run('delete from payment_orders where consent_id = ?', [consent]);
        await tx.run("update consents set submitted_at = null, status = 'Valid' where id = ?", [consent]);
      }),
    );

  it('sends a payment that is submitted again under its first id, and the core carries it out once', async () => {
    const consent = await approved(use());
    const first = orderIn(await submit(use(), consent)).paymentId;
    await use().app.runJobs();
    await forget(consent);
    await moveBankClock(use(), 'PT3S');
    expect(orderIn(await submit(use(), consent)).paymentId).toBe(first);
    await use().app.runJobs();
    await moveBankClock(use(), 'PT1M');
    await use().app.runJobs();
    expect(await readOrder(use(), consent)).toMatchObject({ paymentId: first, transactionStatus: 'ACSC' });
    const answer = await fetch(`${use().coreUrl}/simulator/payments`);
    expect(await answer.json()).toMatchObject({ payments: [{ paymentId: first, executions: 1 }] });
  });

  it('takes up again what the core knows: a payment with its outcome, and the end of a consent', async () => {
    const [paid, withdrawn] = [await approved(use()), await approved(use())];
    const { paymentId } = orderIn(await submit(use(), paid));
    await decide(use(), withdrawn, 'revoke');
    await use().app.runJobs();
    await forget(paid);
    await withStore(use(), (db) =>
      db.transaction(async (tx) => {
        await tx.run("update consents set status = 'Valid', end_reason = null where id = ?", [withdrawn]);
        await tx.run("delete from events where consent_id = ? and status = 'RevokedByPsu'", [withdrawn]);
      }),
    );
    const env = {
      DATABASE_URL: use().databaseUrl,
      TRAPEZA_SECRET: testSecret,
      TRAPEZA_CORE_URL: use().coreUrl ?? '',
    };
    const reconcile = ['payments', 'reconcile', '--reason', 'failover', '--json'];
    const found = jsonOf(await runCommand(reconcile, { env }));
    expect(found).toMatchObject({ payments: [paymentId], ended: [withdrawn], unknown: [] });
    await moveBankClock(use(), 'PT1M');
    await use().app.runJobs();
    expect(await readOrder(use(), paid)).toMatchObject({ paymentId, transactionStatus: 'ACSC' });
    expect(await consentStatus(use(), withdrawn)).toBe('Expired');
    const answer = await fetch(`${use().coreUrl}/simulator/payments`);
    const { payments } = (await answer.json()) as { payments: { paymentId: string; executions: number }[] };
    expect(payments.find((each) => each.paymentId === paymentId)).toMatchObject({ executions: 1 });
    // Once more finds nothing.
    expect(jsonOf(await runCommand(reconcile, { env }))).toMatchObject({ payments: [], ended: [] });
  });
});
