/** The statuses of the four operations on a payment order, from one table: each on each operation, or the reason why not. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorStatuses } from '../../src/http/operation.js';
import { type Answer, slugOf, type Wanted } from '../support/client.js';
import { engines } from '../support/engines.js';
import { BUDGET } from '../support/operations.js';
import { subscribe, suspend } from '../support/registry.js';
import { type Use, useService } from '../support/use-service.js';
import { approved, OTHER_BANK, readOrder, submit } from './support.js';

const operations = {
  confirmPaymentFunds: { method: 'GET', end: 'funds-confirmation', allow: 'GET, HEAD' },
  submitPayment: { method: 'POST', end: 'payment', allow: 'POST, GET, HEAD, DELETE' },
  getPayment: { method: 'GET', end: 'payment', allow: 'POST, GET, HEAD, DELETE' },
  cancelPayment: { method: 'DELETE', end: 'payment', allow: 'POST, GET, HEAD, DELETE' },
} as const;
type OrderOperation = keyof typeof operations;
const ids = Object.keys(operations) as OrderOperation[];

/** A consent for which the operation would answer well: the open one is never really submitted here. */
interface Prepared {
  open: string;
  submitted: string;
  booked: string;
}

interface Case {
  readonly status: (typeof errorStatuses)[number];
  readonly slug: string;
  readonly change: (good: Wanted, use: Use, prepared: Prepared) => Wanted | Promise<Wanted>;
  readonly as?: { psu?: string; application?: string; scope?: string };
  /** Why it does not exist on this operation. */
  readonly except?: Partial<Record<OrderOperation, string>>;
}

const withHeaders =
  (headers: Record<string, string | undefined>): Case['change'] =>
  (good) => ({
    ...good,
    headers: { ...good.headers, ...headers },
  });
const at =
  (path: (end: string) => string): Case['change'] =>
  (good) => ({
    ...good,
    path: path(good.path.split('/').at(-1) ?? ''),
  });

const cases: readonly Case[] = [
  { status: 400, slug: 'invalid-header', change: withHeaders({ 'X-Request-ID': 'no-uuid' }) },
  { status: 400, slug: 'invalid-header', change: withHeaders({ 'PSU-IP-Address': '256.1.1.1' }) },
  {
    status: 401,
    slug: 'subscription-key-missing',
    change: withHeaders({ 'Ocp-Apim-Subscription-Key': undefined }),
  },
  { status: 401, slug: 'token-missing', change: withHeaders({ Authorization: undefined }) },
  { status: 403, slug: 'insufficient-scope', change: (good) => good, as: { scope: 'ais piis' } },
  {
    status: 403,
    slug: 'product-not-subscribed',
    change: async (good, use) => {
      const { key } = await subscribe(use(), { products: ['ais'] });
      return { ...good, headers: { 'Ocp-Apim-Subscription-Key': key } };
    },
  },
  {
    status: 403,
    slug: 'access-blocked',
    change: async (good, use) => {
      const { key, keyId } = await subscribe(use());
      await suspend(use(), 'key', keyId);
      return { ...good, headers: { 'Ocp-Apim-Subscription-Key': key } };
    },
  },
  { status: 404, slug: 'resource-not-found', change: at((end) => `/pis/psd2/v1/${randomUUID()}/${end}`) },
  { status: 404, slug: 'resource-not-found', change: at((end) => `/pis/psd2/v1/no-uuid/${end}`) },
  { status: 404, slug: 'resource-not-found', change: (good) => good, as: { psu: 'nikos' } },
  { status: 404, slug: 'resource-not-found', change: (good) => good, as: { application: BUDGET } },
  {
    status: 404,
    slug: 'route-not-found',
    change: (good) => ({ ...good, path: good.path.replace('/v1', '/v2') }),
  },
  { status: 405, slug: 'method-not-allowed', change: (good) => ({ ...good, method: 'PUT' }) },
  { status: 406, slug: 'not-acceptable', change: withHeaders({ Accept: 'text/html' }) },
  { status: 408, slug: 'processing-timeout', change: withHeaders({ 'Sandbox-Scenario': 'core-timeout' }) },
  {
    status: 409,
    slug: 'payment-already-submitted',
    change: (good, _use, { submitted }) => ({
      ...good,
      path: `/pis/psd2/v1/${submitted}/${good.path.split('/').at(-1)}`,
    }),
    except: {
      getPayment: 'an order can be read in every state',
      cancelPayment: 'only what was submitted can be cancelled',
    },
  },
  {
    status: 409,
    slug: 'payment-executed',
    change: (good, _use, { booked }) => ({ ...good, path: `/pis/psd2/v1/${booked}/payment` }),
    except: {
      confirmPaymentFunds: 'nothing is called back',
      submitPayment: 'nothing is called back',
      getPayment: 'nothing is called back',
    },
  },
  {
    status: 415,
    slug: 'unsupported-media-type',
    change: (good) => ({ ...good, body: '{}', headers: { 'Content-Type': 'text/plain' } }),
  },
  {
    status: 429,
    slug: 'quota-exceeded',
    change: async (good, use) => {
      const { key } = await subscribe(use(), { quotaPerMinute: 1 });
      const headers = { 'Ocp-Apim-Subscription-Key': key };
      await use().call({ path: '/psd2/v1/opendata/atm', headers });
      return { ...good, headers };
    },
  },
  { status: 500, slug: 'internal-error', change: withHeaders({ 'Sandbox-Scenario': 'internal-error' }) },
  { status: 503, slug: 'dependency-unavailable', change: withHeaders({ 'Sandbox-Scenario': 'core-down' }) },
  { status: 503, slug: 'overloaded', change: withHeaders({ 'Sandbox-Scenario': 'overloaded' }) },
];

describe('the table', () => {
  it('has every status of the interface', () => {
    expect(new Set(cases.map(({ status }) => status))).toEqual(new Set(errorStatuses));
  });
});

describe.each(engines)('on %s', (engine) => {
  const use = useService({ engine, env: { TRAPEZA_DEADLINE_MS: '1500' } });
  const prepared: Prepared = { open: '', submitted: '', booked: '' };
  beforeAll(async () => {
    prepared.open = await approved(use());
    prepared.submitted = await approved(use(), { body: { creditAccount: { iban: OTHER_BANK } } });
    await submit(use(), prepared.submitted);
    prepared.booked = await approved(use());
    await submit(use(), prepared.booked);
  });

  const good = (id: OrderOperation): Wanted => {
    const { method, end } = operations[id];
    return {
      method,
      path: `/pis/psd2/v1/${['getPayment', 'cancelPayment'].includes(id) ? prepared.submitted : prepared.open}/${end}`,
    };
  };

  describe.each(ids)('%s', (id) => {
    it.each(cases.filter(({ except }) => except?.[id] === undefined))(
      'answers $status $slug',
      async ({ status, slug, change, as = {} }) => {
        const wanted = await change(good(id), use, prepared);
        const answer: Answer = await use().call({ ...wanted, as });
        expect([answer.status, slugOf(answer)], answer.text).toEqual([status, slug]);
        if (status === 405)
          expect(answer.headers.allow?.split(', ').sort()).toEqual(operations[id].allow.split(', ').sort());
      },
    );
  });

  it('has answered all of this without submitting anything', async () => {
    expect((await use().call({ path: `/pis/psd2/v1/${prepared.open}/payment` })).status).toBe(404);
    const answer = await submit(use(), prepared.open);
    expect(answer.status, answer.text).toBe(201);
  });

  it('has cancelled nothing either', async () => {
    const { transactionStatus } = await readOrder(use(), prepared.submitted);
    expect(transactionStatus).toMatch(/^ACS[PC]$/);
  });

  it('lets HEAD read an order, without a body', async () => {
    const answer = await use().call({ method: 'HEAD', path: `/pis/psd2/v1/${prepared.submitted}/payment` });
    expect([answer.status, answer.text]).toEqual([200, '']);
  });
});
