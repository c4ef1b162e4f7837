/** Cancellation at a bank elsewhere: never sent and cancelled here, or called back by its core; nothing is said that is not known. */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { PaymentInstruction } from '../../../src/bank/payments.js';
import { MINUTE, SECOND } from '../../../src/lib/clock.js';
import { slugOf } from '../../support/client.js';
import { racingEngines } from '../../support/engines.js';
import { moveBankClock } from '../../support/operations.js';
import { startService } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';
import { approved, cancel, consentStatus, orderIn, readOrder, submit } from '../support.js';
import { TestCore } from './core.js';

const settling = { status: 'ACSP', lookAgainAt: Number.MAX_SAFE_INTEGER } as const;

const engines = racingEngines(
  'two nodes send and cancel one order at once: PostgreSQL decides by the row, SQLite by the lock of its file',
);

describe.each(engines)('a bank elsewhere, on %s', (engine) => {
  const core = new TestCore();
  const options = { engine, bank: core.bank, env: { TRAPEZA_DEADLINE_MS: String(5 * SECOND) } };
  const use = useService(options);
  afterEach(() => {
    core.release();
    core.play();
  });

  const statusOf = async (consent: string): Promise<string> =>
    (await readOrder(use(), consent)).transactionStatus;
  const sent = async (): Promise<{ consent: string; order: string }> => {
    core.play(settling);
    const consent = await approved(use());
    const order = orderIn(await submit(use(), consent)).paymentId;
    await use().app.runJobs();
    expect(await statusOf(consent)).toBe('ACSP');
    core.play();
    return { consent, order };
  };
  /** As submissions leave them, before any node has claimed them. */
  const unsent = async (count: number): Promise<{ consent: string; order: string }[]> => {
    core.breakDown();
    const made = [];
    for (let left = count; left > 0; left -= 1) {
      const consent = await approved(use());
      made.push({ consent, order: orderIn(await submit(use(), consent)).paymentId });
    }
    await use().app.runJobs();
    await withStore(use(), (db) =>
      db.run(
        `update payment_orders set sent_at = null, claimed_until = null, attempts = 0, unknown_since = null,
                look_again_at = created_at
         where status = 'RCVD'`,
      ),
    );
    core.play();
    return made;
  };

  it('sends a payment or it is cancelled, when two nodes do both at the same moment', async () => {
    // No answer is cut short because the machine is busy.
    const patient = {
      ...options,
      env: { TRAPEZA_DEADLINE_MS: String(MINUTE) },
      databaseUrl: use().databaseUrl,
    };
    const nodes = await Promise.all([startService(patient), startService(patient)]);
    try {
      const made = await unsent(8);
      const sending = nodes.map((node) => node.app.runJobs());
      const answers = await Promise.all(
        made.map(({ consent }, index) => cancel(nodes[index % 2] ?? use(), consent)),
      );
      await Promise.all(sending);
      for (const [index, { consent, order }] of made.entries()) {
        const answer = answers[index] ?? expect.unreachable();
        const outcome = answer.status === 204 ? 'cancelled' : slugOf(answer);
        expect(['cancelled', 'payment-executed']).toContain(outcome);
        const isCancelled = outcome === 'cancelled';
        expect(core.executed.get(order) ?? 0).toBe(isCancelled ? 0 : 1);
        expect(await statusOf(consent)).toBe(isCancelled ? 'CANC' : 'ACSC');
      }
    } finally {
      for (const node of nodes) await node.close();
    }
  });

  it('is never told of a payment that was cancelled before it was sent', async () => {
    const [{ consent, order } = expect.unreachable()] = await unsent(1);
    expect((await cancel(use(), consent)).status).toBe(204);
    await use().app.runJobs();
    expect(await readOrder(use(), consent)).toMatchObject({
      transactionStatus: 'CANC',
      statusReason: { code: 'CUST' },
    });
    expect([core.calls, core.executed.get(order)]).toEqual([[], undefined]);
  });

  it('calls back what it has received, once', async () => {
    const { consent } = await sent();
    const requestId = randomUUID();
    expect((await cancel(use(), consent, { requestId })).status).toBe(204);
    expect((await cancel(use(), consent, { requestId })).status).toBe(204);
    expect((await cancel(use(), consent)).status).toBe(204);
    expect([await statusOf(consent), await consentStatus(use(), consent)]).toEqual(['CANC', 'Expired']);
    expect(core.calls).toEqual(['cancel']);
  });

  it.each(['silent', 'hangs'] as const)(
    'whose answer is lost (%s) is asked what became of it',
    async (act) => {
      const { consent } = await sent();
      core.play(act);
      const answer = await cancel(use(), consent);
      expect(answer.status).toBe(act === 'silent' ? 503 : 408);
      expect(await statusOf(consent)).toBe('ACSP');
      core.release();
      await moveBankClock(use(), 'PT11S');
      await use().app.runJobs();
      expect(await statusOf(consent)).toBe('CANC');
      expect((await cancel(use(), consent)).status).toBe(204);
    },
  );

  it('that did not hear of it is asked again by the repetition', async () => {
    const { consent } = await sent();
    core.play('refused');
    const requestId = randomUUID();
    expect((await cancel(use(), consent, { requestId })).status).toBe(503);
    expect((await cancel(use(), consent, { requestId })).status).toBe(204);
  });

  it('is never asked while the payment itself has no answer: the cancellation waits, then says that it does not know', async () => {
    const consent = await approved(use());
    core.play('hangs');
    await submit(use(), consent);
    await expect.poll(() => core.hanging).toBe(1);
    const early = await cancel(use(), consent);
    expect([early.status, slugOf(early)]).toEqual([503, 'outcome-unknown']);
    expect(core.calls).toEqual(['execute']);
    const waiting = cancel(use(), consent);
    core.release();
    const answer = await waiting;
    expect(slugOf(answer)).toBe('payment-executed');
    expect((answer.json as { detail: string }).detail).toMatch(/was carried out/);
    expect(core.calls).toEqual(['execute']);
  });

  it('that has a payment whose answer is lost is asked about it first, then to call it back', async () => {
    const consent = await approved(use());
    const { books } = core;
    const { execute } = books;
    core.play(settling);
    Object.assign(books, {
      execute: (instruction: PaymentInstruction) =>
        execute(instruction).then(() => Promise.reject(new Error('the answer is lost'))),
    });
    await submit(use(), consent);
    await use().app.runJobs();
    Object.assign(books, { execute });
    expect((await cancel(use(), consent)).status).toBe(204);
    expect(core.calls).toEqual(['execute', 'find', 'cancel']);
    expect(await statusOf(consent)).toBe('CANC');
  });

  it('that does not know a payment of ours leaves it unknown, and may be asked again', async () => {
    const { consent } = await sent();
    core.play('absent');
    const requestId = randomUUID();
    expect(slugOf(await cancel(use(), consent, { requestId }))).toBe('outcome-unknown');
    expect((await cancel(use(), consent, { requestId })).status).toBe(204);
  });

  it.each([
    ['was carried out', { status: 'ACSC' }, /was carried out/],
    ['was rejected', { status: 'RJCT', reason: { code: 'AM04', text: 'No funds.' } }, /was rejected/],
    ['is on its way', settling, /cannot call it back/],
    ['calls nothing back', 'not-offered', /cannot call it back/],
  ] as const)(
    'that says it %s has not called it back: 409, and its status follows',
    async (_what, act, words) => {
      const { consent } = await sent();
      const { books } = core;
      const original = books.cancel;
      Object.assign(books, { cancel: async () => act });
      const answer = await cancel(use(), consent);
      Object.assign(books, { cancel: original });
      expect(slugOf(answer)).toBe('payment-executed');
      expect((answer.json as { detail: string }).detail).toMatch(words);
      if (act === 'not-offered') return;
      core.play(act);
      await moveBankClock(use(), 'PT11S');
      await use().app.runJobs();
      expect(await statusOf(consent)).toBe(act.status);
    },
  );
});

it('a bank without that method calls nothing back', async () => {
  const core = new TestCore();
  const { cancel: _none, ...books } = core.books;
  const service = await startService({ bank: { ...core.bank, payments: books } });
  try {
    core.play(settling);
    const consent = await approved(service);
    await submit(service, consent);
    await service.app.runJobs();
    expect(slugOf(await cancel(service, consent))).toBe('payment-executed');
    expect(core.calls).toEqual(['execute']);
  } finally {
    await service.close();
  }
});
