/** Payments to a bank elsewhere. The core here pays as often as it is told: each guarantee is kept by the service alone. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../src/lib/clock.js';
import { CLAIM_MS } from '../../../src/payment/remote/outbox.js';
import { cleanUp, jsonOf, runCommand } from '../../cli/program.js';
import { openReceiver } from '../../events/receiver.js';
import { readFeed, registerWebhook } from '../../events/support.js';
import { slugOf } from '../../support/client.js';
import { engines } from '../../support/engines.js';
import { account, ibanOf, moveBankClock } from '../../support/operations.js';
import { type Service, startService, testSecret } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';
import { approved, consentStatus, orderIn, readOrder, submit } from '../support.js';
import { TestCore } from './core.js';

interface Listed {
  readonly id: string;
  readonly consentId: string;
  readonly clientId: string;
  readonly status: string;
  readonly fault: string;
  readonly amount: number;
  readonly currency: string;
}

afterAll(cleanUp);

/** Asked about again in a day: a wish that lies further ahead is not believed. */
const settling = { status: 'ACSP', lookAgainAt: Number.MAX_SAFE_INTEGER } as const;

describe.each(engines)('a bank elsewhere, on %s', (engine) => {
  const core = new TestCore();
  // A claim (ten seconds longer) ends before its payment counts as unresolved.
  const env = { TRAPEZA_DEADLINE_MS: String(30 * SECOND), TRAPEZA_PAYMENT_UNRESOLVED_MS: String(MINUTE) };
  const options = { engine, bank: core.bank, env };
  const use = useService(options);
  afterEach(() => core.play());

  const pay = async (service: Service = use()): Promise<{ consent: string; order: string }> => {
    const consent = await approved(service);
    const answer = await submit(service, consent);
    expect(answer.status, answer.text).toBe(201);
    expect(orderIn(answer).transactionStatus).toBe('RCVD');
    return { consent, order: orderIn(answer).paymentId };
  };
  const statusOf = async (consent: string): Promise<string> =>
    (await readOrder(use(), consent)).transactionStatus;
  /** Past every second attempt, and every rare look at what is unresolved. */
  const later = async (advance = 'PT20M'): Promise<void> => {
    await moveBankClock(use(), advance);
    await use().app.runJobs();
  };
  const payments = async (...args: string[]) =>
    runCommand(['payments', ...args], {
      env: { DATABASE_URL: use().databaseUrl, TRAPEZA_SECRET: testSecret, TRAPEZA_LOG_LEVEL: 'silent' },
    });
  const unresolved = async (): Promise<Listed[]> => jsonOf(await payments('unresolved', '--json'));
  /** An order whose outcome nobody knows any more. */
  const lost = async (first: 'refused' | 'silent'): Promise<{ consent: string; order: string }> => {
    core.breakDown();
    if (first === 'silent') core.play('silent', ...Array.from({ length: 100 }, () => 'refused' as const));
    const made = await pay();
    await use().app.runJobs();
    use().clock.advance(MINUTE + SECOND);
    await later();
    return made;
  };

  it('is told after the submission was answered; the consent stays Valid until the order is final', async () => {
    const consent = await approved(use());
    core.play(settling, { status: 'ACSC' });
    const requestId = randomUUID();
    const answer = await submit(use(), consent, { requestId });
    await use().app.runJobs();
    expect(await statusOf(consent)).toBe('ACSP');
    expect(await consentStatus(use(), consent)).toBe('Valid');
    expect(core.told.at(-1)).toMatchObject({
      id: orderIn(answer).paymentId,
      payer: { id: account('eleni', 101).id },
      creditAccount: { iban: ibanOf('vasilis', 1101) },
      amountMinor: 1000,
      currency: 'EUR',
      endToEndId: 'E2E-1',
    });
    expect((await submit(use(), consent, { requestId })).text).toBe(answer.text);
    expect(slugOf(await submit(use(), consent))).toBe('payment-already-submitted');
    const ended = await use().call({ method: 'DELETE', path: `/pis/psd2/v1/${consent}` });
    expect(slugOf(ended)).toBe('state-conflict');
    await later('P2D');
    expect(await statusOf(consent)).toBe('ACSC');
    expect(await consentStatus(use(), consent)).toBe('Expired');
    expect(core.calls).toEqual(['execute', 'find']);
    const told = (await readFeed(use())).events.filter(({ consentId }) => consentId === consent);
    expect(told.map(({ transactionStatus, consentStatus: status }) => transactionStatus ?? status)).toEqual([
      'Valid',
      'ACSP',
      'ACSC',
      'Expired',
    ]);
  });

  it('may reject a payment, for its own reason', async () => {
    core.play('absent');
    const { consent } = await pay();
    await use().app.runJobs();
    expect(await readOrder(use(), consent)).toMatchObject({
      transactionStatus: 'RJCT',
      statusReason: { code: 'AM04' },
    });
    expect(await consentStatus(use(), consent)).toBe('Expired');
  });

  it('is not told of a payment whose account is gone: RJCT at once', async () => {
    const consent = await approved(use());
    const { held } = core;
    core.held = [];
    const answer = await submit(use(), consent);
    core.held = held;
    await use().app.runJobs();
    expect(orderIn(answer)).toMatchObject({ transactionStatus: 'RJCT', statusReason: { code: 'AC02' } });
    expect(core.calls).toEqual([]);
  });

  it('is asked after a call that broke, as long as it takes, and told again only what it never got', async () => {
    core.play('refused', 'refused', 'absent', 'works');
    const { consent, order } = await pay();
    await use().app.runJobs();
    await later();
    await later();
    expect(core.calls).toEqual(['execute', 'find', 'find', 'execute']);
    expect(core.executed.get(order)).toBe(1);
    expect(new Set(core.told.filter(({ id }) => id === order).map((each) => JSON.stringify(each))).size).toBe(
      1,
    );
    expect(await statusOf(consent)).toBe('ACSC');
  });

  it('is never told again what it has carried out in silence', async () => {
    core.play('silent');
    const { consent, order } = await pay();
    await use().app.runJobs();
    await later();
    expect(core.calls).toEqual(['execute', 'find']);
    expect([core.executed.get(order), await statusOf(consent)]).toEqual([1, 'ACSC']);
    expect(await unresolved()).toEqual([]);
  });

  it('that stays silent leaves a payment unresolved: listed, measured, asked for now and then, never told again', async () => {
    const { consent, order } = await lost('refused');
    expect(await unresolved()).toMatchObject([
      { id: order, consentId: consent, status: 'RCVD', fault: 'reset', amount: 10, currency: 'EUR' },
    ]);
    expect(JSON.stringify(await unresolved())).not.toMatch(/GR\d\d/);
    const metrics = await (await fetch(`${use().app.managementUrl}/metrics`)).text();
    expect(metrics).toContain('trapeza_payments_unresolved 1');
    core.play('absent', 'absent');
    await later();
    await later();
    expect(core.calls).toEqual(['find', 'find']);
    expect(await unresolved()).toMatchObject([{ id: order, fault: 'not-received' }]);
    expect((await payments('retry', order)).stdout).toContain('1 payment');
    await use().app.runJobs();
    expect(core.calls).toEqual(['find', 'find', 'find', 'execute']);
    expect([core.executed.get(order), await statusOf(consent)]).toEqual([1, 'ACSC']);
    expect(await unresolved()).toEqual([]);
  });

  it('that finds an unresolved payment after all resolves it', async () => {
    const { consent, order } = await lost('silent');
    expect(await unresolved()).toMatchObject([{ id: order }]);
    core.play();
    await later();
    expect([core.calls, await statusOf(consent)]).toEqual([['find'], 'ACSC']);
    expect(await unresolved()).toEqual([]);
  });

  it('that forgets what it had accepted is not told again', async () => {
    core.play(settling, 'absent');
    const { consent, order } = await pay();
    await use().app.runJobs();
    await later('P2D');
    expect(await unresolved()).toMatchObject([{ id: order, status: 'ACSP', fault: 'forgotten' }]);
    core.play('absent');
    await payments('retry', '--all');
    await use().app.runJobs();
    expect(core.calls).toEqual(['find']);
    core.play({ status: 'PDNG', lookAgainAt: 0 });
    await later();
    expect(await unresolved()).toMatchObject([{ id: order, status: 'ACSP', fault: 'impossible-status' }]);
    core.play({ status: 'ACSC' });
    await later();
    expect(await statusOf(consent)).toBe('ACSC');
  });

  it('does not keep operators from settling by hand: the consent ends, the third party is told, the history says who', async () => {
    const receiver = await openReceiver();
    await registerWebhook(use(), receiver.url);
    const { consent, order } = await lost('refused');
    const other = await lost('refused');
    const refusals = [
      await payments('settle', order, '--by', 'operator 7'),
      await payments('settle', order, '--rejected', '--by', 'operator 7'),
      await payments('settle', randomUUID(), '--settled', '--by', 'operator 7'),
    ];
    expect(refusals.map(({ code }) => code)).toEqual([1, 1, 1]);
    const settled = await payments('settle', order, '--settled', '--by', 'operator 7');
    expect({ code: settled.code, stderr: settled.stderr }).toEqual({ code: 0, stderr: '' });
    const rejected = ['--rejected', '--reason', 'MS03', '--text', 'Not carried out.', '--by', 'operator 8'];
    expect((await payments('settle', other.order, ...rejected)).code).toBe(0);
    expect((await payments('settle', order, '--settled', '--by', 'operator 7')).stderr).toContain(
      'over already',
    );
    expect([await statusOf(consent), await consentStatus(use(), consent)]).toEqual(['ACSC', 'Expired']);
    expect(await readOrder(use(), other.consent)).toMatchObject({
      transactionStatus: 'RJCT',
      statusReason: { code: 'MS03', text: 'Not carried out.' },
    });
    const steps = await withStore(use(), (db) =>
      db.all('select to_status, changed_by from payment_order_history where order_id = ? order by position', [
        order,
      ]),
    );
    expect(steps).toEqual([
      { to_status: 'RCVD', changed_by: null },
      { to_status: 'ACSC', changed_by: 'operator 7' },
    ]);
    await use().app.runJobs();
    const told = receiver.received.map(({ event }) => event).filter((event) => event.consentId === consent);
    expect(told.map(({ transactionStatus, consentStatus: status }) => transactionStatus ?? status)).toEqual(
      expect.arrayContaining(['ACSC', 'Expired']),
    );
    expect(await unresolved()).toEqual([]);
    await registerWebhook(use(), null);
    await receiver.close();
  });

  it('is left alone with what is under way: nobody settles that by hand without force, nor during a call', async () => {
    core.play('refused', 'hangs');
    const { order, consent } = await pay();
    await use().app.runJobs();
    const byHand = ['settle', order, '--settled', '--by', 'operator 7'];
    expect((await payments(...byHand)).stderr).toContain('not unresolved');
    await moveBankClock(use(), 'PT20M');
    const running = use().app.runJobs();
    await expect.poll(() => core.hanging).toBe(1);
    const byForce = { outcome: { status: 'ACSC' }, by: 'operator 7', isForced: true } as const;
    await expect(use().app.admin.settlePayment(order, byForce)).rejects.toThrow('at this moment');
    core.breakDown();
    core.release();
    await running;
    expect((await payments(...byHand, '--force')).code).toBe(0);
    expect([await statusOf(consent), await consentStatus(use(), consent)]).toEqual(['ACSC', 'Expired']);
  });

  it('is asked by another node when one dies while it tells: no reader waits, nothing is paid twice', async () => {
    core.play('hangs');
    const { consent, order } = await pay();
    await expect.poll(() => core.hanging).toBe(1);
    expect(await statusOf(consent)).toBe('RCVD');
    const passedMs = use().clock.moved();
    const other = await startService({ ...options, databaseUrl: use().databaseUrl, passedMs });
    other.clock.advance(CLAIM_MS - 2 * SECOND);
    await other.app.runJobs();
    expect(core.calls).toEqual(['execute']);
    other.clock.advance(6 * SECOND);
    core.play(settling);
    await other.app.runJobs();
    expect(core.calls).toEqual(['find']);
    use().clock.advance(CLAIM_MS + 4 * SECOND);
    core.release();
    await use().app.runJobs();
    expect([core.executed.get(order), await statusOf(consent)]).toEqual([1, 'ACSP']);

    core.play('hangs');
    const second = await pay(other);
    await expect.poll(() => core.hanging).toBe(1);
    const closing = other.close();
    core.release();
    await closing;
    expect([core.executed.get(second.order), await statusOf(second.consent)]).toEqual([1, 'ACSC']);
  });

  it('has left no order behind, and nothing of what was paid is kept once it is over', async () => {
    await later('P2D');
    const open =
      'select status from payment_orders where look_again_at is not null or instruction is not null';
    expect(await withStore(use(), (db) => db.all(open))).toEqual([]);
  });
});
