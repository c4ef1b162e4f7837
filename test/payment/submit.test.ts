/** Submitting: what is booked, what is answered, and what becomes of the consent. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { slugOf } from '../support/client.js';
import { engines } from '../support/engines.js';
import { account, moveBankClock } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import {
  ABROAD,
  approved,
  bookedOn,
  consentStatus,
  decide,
  leftOn,
  OTHER_BANK,
  orderIn,
  orderPath,
  readOrder,
  stage,
  submit,
  sums,
} from './support.js';

const eleni = account('eleni', 101).id;
const vasilis = account('vasilis', 1101).id;
const outside = { body: { creditAccount: { iban: OTHER_BANK } } };

describe.each(engines)('submitting on %s', (engine) => {
  const use = useService({ engine });
  const end = (id: string) => use().call({ method: 'DELETE', path: `/pis/psd2/v1/${id}` });

  it('works for the seeded payment that is Valid', async () => {
    const { id } = use().consent('PaymentInitiation', 'Valid');
    expect(orderIn(await submit(use(), id)).transactionStatus).toBe('ACSC');
  });

  it('credits another account of the bank at once: ACSC, and the consent is Expired', async () => {
    const [before, paid, got] = [
      await sums(use()),
      await bookedOn(use(), eleni),
      await bookedOn(use(), vasilis),
    ];
    const id = await approved(use());
    const answer = await submit(use(), id);
    expect(answer.status, answer.text).toBe(201);
    expect(orderIn(answer)).toMatchObject({ transactionStatus: 'ACSC' });
    expect(answer.headers.location).toBe(`${use().url}${orderPath(id)}`);
    expect(await bookedOn(use(), eleni)).toBe(paid - 1_000 - 30);
    expect(await bookedOn(use(), vasilis)).toBe(got + 1_000);
    expect(await sums(use())).toEqual(before);
    expect(await consentStatus(use(), id)).toBe('Expired');
    expect(await readOrder(use(), id)).toMatchObject(orderIn(answer));
  });

  it('sets an outgoing payment aside at once and books it when it is settled; the consent stays Valid until then', async () => {
    const [before, paid] = [await sums(use()), await bookedOn(use(), eleni)];
    const left = await leftOn(use(), eleni);
    const id = await approved(use(), outside);
    expect(orderIn(await submit(use(), id)).transactionStatus).toBe('ACSP');
    expect(await bookedOn(use(), eleni)).toBe(paid);
    expect(await leftOn(use(), eleni)).toBe(left - 1_030);
    expect(await sums(use())).toEqual(before);
    expect(await consentStatus(use(), id)).toBe('Valid');
    await moveBankClock(use(), 'PT11S');
    expect((await readOrder(use(), id)).transactionStatus).toBe('ACSC');
    expect(await consentStatus(use(), id)).toBe('Expired');
    expect(await bookedOn(use(), eleni)).toBe(paid - 1_030);
    expect(await leftOn(use(), eleni)).toBe(left - 1_030);
    expect(await sums(use())).toEqual(before);
  });

  it('settles by its job as well, a transfer abroad on the next day; no time ends a consent meanwhile', async () => {
    const id = await approved(use(), { product: 'international', body: { creditAccount: { iban: ABROAD } } });
    expect(orderIn(await submit(use(), id)).transactionStatus).toBe('ACSP');
    await moveBankClock(use(), 'PT23H');
    await use().app.runJobs();
    expect(await consentStatus(use(), id)).toBe('Valid');
    expect((await readOrder(use(), id)).transactionStatus).toBe('ACSP');
    await moveBankClock(use(), 'P30D');
    await use().app.runJobs();
    expect(await consentStatus(use(), id)).toBe('Expired');
    expect((await readOrder(use(), id)).transactionStatus).toBe('ACSC');
  });

  it('answers the same request with the same bytes, and any other submission with 409', async () => {
    const paid = await bookedOn(use(), eleni);
    const id = await approved(use());
    const requestId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 6 }, () => submit(use(), id, { requestId })));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    const other = await submit(use(), id);
    expect([other.status, slugOf(other)]).toEqual([409, 'payment-already-submitted']);
    const { paymentId } = orderIn(answers[0] ?? expect.unreachable());
    const { payment } = (other.json as { extensions: { payment: { paymentId: string; href: string } } })
      .extensions;
    expect(payment).toEqual({ paymentId, href: `${use().url}${orderPath(id)}` });
    const { json } = await use().call({ path: new URL(payment.href).pathname });
    expect(json).toMatchObject({ paymentId });
    expect((await submit(use(), id, { requestId })).text).toBe(answers[0]?.text);
    expect(await bookedOn(use(), eleni)).toBe(paid - 1_030);
  });

  it('takes no body and an empty one, and nothing else', async () => {
    const id = await approved(use());
    const wrong = await use().call({ method: 'POST', path: orderPath(id), body: { amount: 5 } });
    expect([wrong.status, slugOf(wrong)]).toEqual([400, 'validation-failed']);
    expect((await use().call({ method: 'POST', path: orderPath(id), body: {} })).status).toBe(201);
  });

  it('refuses a payment that nobody has approved, or whose day is over, with its status', async () => {
    const { consentId } = (await stage(use())).json as { consentId: string };
    const early = await submit(use(), consentId);
    expect([early.status, slugOf(early)]).toEqual([403, 'consent-not-valid']);
    expect(early.json).toMatchObject({ extensions: { consent: { status: 'Received' } } });
    const id = await approved(use());
    await moveBankClock(use(), 'PT24H');
    expect((await submit(use(), id)).json).toMatchObject({ extensions: { consent: { status: 'Expired' } } });
    expect(slugOf(await use().call({ path: orderPath(id) }))).toBe('resource-not-found');
  });

  it('cannot be undone: neither deleted nor withdrawn, before it is settled or after', async () => {
    const id = await approved(use(), outside);
    await submit(use(), id);
    for (const advance of ['PT1S', 'PT1H']) {
      await moveBankClock(use(), advance);
      await readOrder(use(), id);
      expect([(await end(id)).status, slugOf(await end(id))]).toEqual([409, 'state-conflict']);
      expect(slugOf(await decide(use(), id, 'revoke'))).toBe('state-conflict');
    }
    expect((await readOrder(use(), id)).transactionStatus).toBe('ACSC');
  });

  it('ends before it began where the consent was deleted or withdrawn', async () => {
    const deleted = await approved(use());
    expect((await end(deleted)).status).toBe(204);
    expect(slugOf(await submit(use(), deleted))).toBe('consent-not-valid');
    const withdrawn = await approved(use());
    expect((await decide(use(), withdrawn, 'revoke')).status).toBe(200);
    expect(slugOf(await submit(use(), withdrawn))).toBe('consent-not-valid');
  });

  it('tells the application of each step, in its feed', async () => {
    const id = await approved(use(), outside);
    const { paymentId } = orderIn(await submit(use(), id));
    await moveBankClock(use(), 'PT11S');
    await readOrder(use(), id);
    const { json } = await use().call({ path: '/events/psd2/v1?limit=500' });
    const events = (json as { events: { consentId: string; type: string }[] }).events.filter(
      (event) => event.consentId === id,
    );
    expect(events.map((event) => ({ ...event, id: undefined, occurredAt: undefined }))).toMatchObject([
      { type: 'consent', consentStatus: 'Valid' },
      { type: 'payment', paymentId, transactionStatus: 'ACSP' },
      { type: 'payment', paymentId, transactionStatus: 'ACSC' },
      { type: 'consent', consentStatus: 'Expired' },
    ]);
  });
});
