/** The statuses of a core over HTTP as our interface knows them. */
import { expect, it } from 'vitest';
import { coreExamples } from '../../../src/bank/http/contract/examples.js';
import { json, useTestCore } from './raw-core.js';

const { core, adapter } = useTestCore();

const reason = { code: 'DS0A', text: 'Another signature is needed.' };
const find = (changes: object) => {
  const { answer } = coreExamples.readPayment;
  core.behave = (_seen, response) => json(response, { ...answer, lookAgainAt: null, ...changes });
  const { payments } = adapter().bank;
  if (payments?.kind !== 'remote') throw new Error('a remote core');
  return payments.find((answer as { paymentId: string }).paymentId);
};

it.each([
  ['RCVD', 'PDNG'],
  ['PATC', 'PDNG'],
  ['PART', 'PDNG'],
  ['PDNG', 'PDNG'],
  ['ACCP', 'ACTC'],
  ['ACWC', 'ACTC'],
  ['ACWP', 'ACSP'],
])('%s is %s with its reason, and is asked about again', async (status, seen) => {
  expect(await find({ status, reason })).toEqual({ status: seen, reason, lookAgainAt: 0 });
  expect(await find({ status, reason: null })).toEqual({ status: seen, lookAgainAt: 0 });
});

it('a payment that has reached the payee is settled', async () => {
  for (const status of ['ACSC', 'ACCC'])
    expect(await find({ status, reason: null })).toEqual({ status: 'ACSC' });
});

it('a cancelled payment may say why, a rejected one must', async () => {
  expect(await find({ status: 'CANC', reason })).toEqual({ status: 'CANC', reason });
  expect(await find({ status: 'CANC', reason: null })).toEqual({ status: 'CANC' });
  expect(await find({ status: 'RJCT', reason })).toEqual({ status: 'RJCT', reason });
});

it.each([
  { status: 'RJCT', reason: null },
  { status: 'ACSC', reason },
  { status: 'ACCC', reason },
  { status: 'XXXX', reason: null },
])('%j is no answer', async (changes) => {
  await expect(find(changes)).rejects.toMatchObject({ slug: 'dependency-unavailable' });
  expect(adapter().told.at(-1)?.outcome).toBe('garbage');
});
