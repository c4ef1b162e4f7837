/** Defects in payments and their terms. */
import { setTimeout } from 'node:timers/promises';
import { instantText, MINUTE, newId } from 'trapeza/base';
import { type Asked, type Core, Refusal } from '../contract.js';
import { answering, type Defect, where } from './defect.js';

/** The same payment under an unknown id. */
const bookAgain = async (core: Core, asked: Asked<'executePayment'>): Promise<void> => {
  const paymentId = newId();
  await core.executePayment({ ...asked, params: { paymentId }, body: { ...asked.body, paymentId } });
};

const isKnown = (core: Core, asked: Asked<'executePayment'>): Promise<boolean> =>
  where(
    404,
    async () => {
      await core.readPayment({ ...asked, query: {}, body: undefined });
      return true;
    },
    async () => false,
  );

export const paymentDefects = {
  'repetition-executed': {
    title: 'a payment that is sent again is carried out again',
    spoil: (core) => ({
      executePayment: async (asked) => {
        if (await isKnown(core, asked)) await bookAgain(core, asked);
        return core.executePayment(asked);
      },
    }),
  },
  'race-executed-twice': {
    title: 'a payment is looked for first and booked then: several at the same moment are all booked',
    spoil: (core) => ({
      executePayment: async (asked) => {
        const wasKnown = await isKnown(core, asked);
        await setTimeout(100);
        if (!wasKnown && (await isKnown(core, asked))) await bookAgain(core, asked);
        return core.executePayment(asked);
      },
    }),
  },
  'other-content-accepted': {
    title: 'another payment with an id that is taken is answered as if it were the first',
    spoil: (core) => ({
      executePayment: (asked) =>
        where(
          409,
          () => core.executePayment(asked),
          () => core.readPayment({ ...asked, query: {}, body: undefined }),
        ),
    }),
  },
  'executed-payment-absent': {
    title: 'a payment that was carried out is absent when it is asked for',
    spoil: (core) => ({
      readPayment: async (asked) => {
        const answer = await core.readPayment(asked);
        if (answer.status === 'RJCT') return answer;
        throw new Refusal(404, 'not found');
      },
    }),
  },
  'refusal-forgotten': {
    title: 'a payment that was rejected is absent when it is asked for',
    spoil: (core) => ({
      readPayment: async (asked) => {
        const answer = await core.readPayment(asked);
        if (answer.status !== 'RJCT') return answer;
        throw new Refusal(404, 'not found');
      },
    }),
  },
  'no-funds-is-an-error': {
    title: 'a payment without funds is answered with an error instead of RJCT',
    spoil: (core) => ({
      executePayment: async (asked) => {
        const answer = await core.executePayment(asked);
        if (answer.status !== 'RJCT') return answer;
        throw new Refusal(422, 'no funds');
      },
    }),
  },
  'unknown-payment-pending': {
    title: 'a payment that never arrived is told to be under way',
    spoil: (core) => ({
      readPayment: (asked) =>
        where(
          404,
          () => core.readPayment(asked),
          async () => ({
            paymentId: asked.params.paymentId,
            status: 'PDNG' as never,
            reason: null,
            lookAgainAt: instantText(asked.at + MINUTE),
          }),
        ),
    }),
  },
  'final-state-goes-back': {
    title: 'a payment that was settled is under way again when it is asked for',
    spoil: (core) => ({
      readPayment: async (asked) => {
        const answer = await core.readPayment(asked);
        if (answer.status !== 'ACSC') return answer;
        return { ...answer, status: 'ACSP' as never, lookAgainAt: instantText(asked.at + MINUTE) };
      },
    }),
  },
  'payment-id-of-body-ignored': {
    title: 'the id in the body need not be the one of the path',
    spoil: (core) => ({
      executePayment: (asked) =>
        core.executePayment({ ...asked, body: { ...asked.body, paymentId: asked.params.paymentId } }),
    }),
  },
  'charge-not-debited': {
    title: 'the payer pays the amount without its charge',
    spoil: (core) => ({
      executePayment: (asked) => {
        const { charge } = asked.body;
        return core.executePayment({
          ...asked,
          body: { ...asked.body, charge: { ...charge, amount: '0.00' } },
        });
      },
    }),
  },
  'late-payment-executed': {
    title: 'a payment that came too late is refused, and carried out',
    spoil: (core) => ({
      executePayment: async (asked) => {
        if (asked.isLate) await core.executePayment({ ...asked, isLate: false });
        return core.executePayment(asked);
      },
    }),
  },
  'payment-not-echoed': {
    title: 'an accepted payment is answered with another id',
    spoil: answering('executePayment', (answer) => ({ ...answer, paymentId: newId() })),
  },
  'good-transfer-refused': {
    title: 'the terms of a good transfer have a fault',
    spoil: answering('quoteTransfer', (answer) => ({
      ...answer,
      faults: [{ member: 'chargeBearer' as never, message: 'SLEV' }],
    })),
  },
  'rate-inverted': {
    title: 'the rate of a quote is that of the other direction',
    spoil: answering('quoteTransfer', ({ quote, ...answer }) => ({
      ...answer,
      quote: quote && { ...quote, rate: (1 / Number(quote.rate)).toFixed(6) },
    })),
  },
  'charge-not-held': {
    title: 'the charge is another each time it is asked for',
    spoil: answering('quoteTransfer', (answer, _asked, count) => ({
      ...answer,
      charge: { ...answer.charge, amount: `${count % 100}.00` },
    })),
  },
} as const satisfies Record<string, Defect>;
