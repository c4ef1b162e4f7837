/** A payment and the account it was paid from: what was staged is what is read back, and what the account shows. */
import { describe, expect, it } from 'vitest';
import { addAccess, read } from '../api/ais/support.js';
import { approved, carryOut, insideBody } from '../payment/support.js';
import { moveBankClock, paymentPath, resetSandbox } from '../support/operations.js';
import { journeyPlaces, type Service } from '../support/service.js';
import { useService } from '../support/use-service.js';

interface Booked {
  readonly transactionAmount: { readonly amount: number };
  readonly transactionId: string;
  readonly bookingDateTime?: string;
  readonly creditorName?: string;
  readonly creditorAccount?: { readonly iban: string };
  readonly remittanceInformationUnstructured?: string;
  readonly endToEndId?: string;
}

const balanceOf = async (
  service: Service,
  access: Awaited<ReturnType<typeof addAccess>>,
): Promise<number> => {
  const answer = await read(service, access, `/ais/psd2/v1/accounts/${access.first}/balances`);
  const { balances } = answer.json as {
    balances: { balanceType: string; balanceAmount: { amount: number } }[];
  };
  return (
    balances.find(({ balanceType }) => balanceType === 'interimBooked')?.balanceAmount.amount ?? Number.NaN
  );
};

describe.each(journeyPlaces())('a payment with %s and the bank %s', (engine, core) => {
  const service = useService({ engine, core });

  it('is read back as it was staged, and is among the transactions of its account', async () => {
    const access = await addAccess(service());
    const before = await balanceOf(service(), access);
    const id = await approved(service());
    expect((await carryOut(service(), id)).transactionStatus).toBe('ACSC');

    const record = (await service().call({ path: paymentPath(id) })).json as { details: object };
    expect(record.details).toMatchObject(insideBody);

    const path = `/ais/psd2/v1/accounts/${access.first}/transactions?limit=5`;
    const { transactions } = (await read(service(), access, path)).json as {
      transactions: { booked: Booked[] };
    };
    expect(transactions.booked.find(({ endToEndId }) => endToEndId === insideBody.endToEndId)).toMatchObject({
      transactionAmount: { currency: 'EUR', amount: -10 },
      creditorName: insideBody.creditorName,
      creditorAccount: insideBody.creditAccount,
      remittanceInformationUnstructured: insideBody.remittanceInformation,
    });
    // Ten euros and the bank's charge of thirty cents.
    expect(await balanceOf(service(), access)).toBeCloseTo(before - 10.3, 2);
  });

  const abroad = { bban: '123456789', currency: 'EUR' };
  const agent = { bic: 'HRBLUS33', name: 'Harborlight Bank', country: 'US' };
  it.each([
    ['abroad', 'international', abroad, agent],
    ['of the same bank', 'domestic', { bban: '99900010000000000000701' }, undefined],
  ] as const)(
    'to a number without IBAN %s shows what the payer told, pending and booked',
    async (_where, product, creditAccount, creditorAgent) => {
      const access = await addAccess(service());
      const told = {
        creditAccount,
        ...(creditorAgent ? { creditorAgent } : {}),
        endToEndId: `E2E-${product}`,
      };
      const id = await approved(service(), { product, body: told });
      const shown = { creditorAccount: creditAccount, ...(creditorAgent ? { creditorAgent } : {}) };
      const entry = async () => {
        const path = `/ais/psd2/v1/accounts/${access.first}/transactions?limit=5&bookingStatus=both`;
        const { transactions } = (await read(service(), access, path)).json as {
          transactions: Record<'booked' | 'pending', readonly Booked[]>;
        };
        const isIt = ({ endToEndId }: Booked): boolean => endToEndId === told.endToEndId;
        return [transactions.pending.find(isIt), transactions.booked.find(isIt)] as const;
      };
      const { transactionStatus } = await carryOut(service(), id);
      const [pending, atOnce] = await entry();
      if (product === 'international') expect([transactionStatus, pending]).toMatchObject(['ACSP', shown]);
      else expect(atOnce).toMatchObject(shown);
      await moveBankClock(service(), 'P2D');
      await service().app.runJobs();
      const [, booked] = await entry();
      expect(booked).toMatchObject({ ...shown, transactionId: (pending ?? atOnce)?.transactionId });
      expect(booked?.bookingDateTime).toMatch(/^\d{4}-\d\d-\d\dT/);
      await resetSandbox(service());
    },
  );
});
