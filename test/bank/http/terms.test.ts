/** The terms of a payment for a person, in front of a core over HTTP: what is sent, and what is taken for an answer. */
import { expect, it } from 'vitest';
import { coreOperations } from '../../../src/bank/http/contract/operations.js';
import { breachFinder } from '../../../src/http/validate.js';
import { json, useTestCore } from './raw-core.js';

const { core, adapter } = useTestCore();

const says = (changes: object): void => {
  core.behave = (_seen, response) => json(response, { faults: [], ...changes });
};
const question = {
  product: 'international',
  bearer: 'sha',
  creditAccount: { bban: '01-23' },
  creditorName: 'Μαρία Ε',
  currency: 'USD',
  amountMinor: 10_000,
} as const;
const person = { psuId: 'customer-4711', payerAccountId: 'GR-101-EUR', language: 'el' } as const;
const quote = {
  pay: { currency: 'EUR', amount: '92.13' },
  rate: '0.9213',
  charge: { currency: 'USD', amount: '13.03' },
};
const good = { charge: { currency: 'EUR', amount: '12.00' }, quote };
const pounds = { ...quote, pay: { currency: 'GBP', amount: '79.82' }, rate: '0.7982' };
const payCharge = { currency: 'GBP', amount: '10.40' };

it('are asked with person and account, and read with everything beside the price', async () => {
  says({
    ...good,
    quotes: [{ ...pounds, payCharge }],
    limit: { currency: 'USD', amount: '500.00' },
    payeeCheck: { result: 'close', name: 'Μαρία' },
    executionDate: '2026-11-20',
    cutOff: '2026-11-19T15:00:00+02:00',
    instant: false,
  });
  expect(await adapter().bank.termsFor({ ...question, ...person })).toMatchObject({
    limitMinor: 50_000,
    otherPrices: [{ charge: { currency: 'GBP', amountMinor: 1_040 }, quote: { payMinor: 7_982 } }],
    payeeCheck: { result: 'close', name: 'Μαρία' },
    executionDate: '2026-11-20',
    cutOff: Date.UTC(2026, 10, 19, 13),
    instant: false,
  });
  const { body, headers } = core.seen.at(-1) ?? expect.unreachable();
  const { psuId, payerAccountId, language } = person;
  expect(body).toMatchObject({ psuId, payerAccountId, creditorName: question.creditorName });
  expect(headers).toMatchObject({ 'psu-id': psuId, 'accept-language': language });
  expect(breachFinder(coreOperations.quoteTransfer.body)(body)).toBeUndefined();
});

it('name no person while a third party asks', async () => {
  says(good);
  await adapter().bank.termsFor(question);
  const { body, headers } = core.seen.at(-1) ?? expect.unreachable();
  expect(Object.keys(body as object)).not.toContain('psuId');
  expect(headers['psu-id']).toBeUndefined();
});

it.each([
  ['garbage', { quotes: [pounds] }],
  ['wrong-currency', { quotes: [{ ...pounds, payCharge: quote.pay }] }],
  ['garbage', { quotes: [{ ...quote, payCharge: good.charge }] }],
  ['wrong-currency', { limit: { currency: 'EUR', amount: '5.00' } }],
  ['garbage', { limit: { currency: 'USD', amount: '-5.00' } }],
  ['garbage', { cutOff: 'soon' }],
  ['garbage', { executionDate: '2026-02-30' }],
  ['garbage', { payeeCheck: { result: 'close' } }],
  ['garbage', { payeeCheck: { result: 'no-match', name: 'Μαρία' } }],
  ['garbage', { payeeCheck: { result: 'perhaps' } }],
])('are refused as %s: %j', async (kind, changes) => {
  says({ ...good, ...changes });
  await expect(adapter().bank.termsFor(question)).rejects.toMatchObject({ slug: 'dependency-unavailable' });
  expect(adapter().told.at(-1)?.outcome).toBe(kind);
});
