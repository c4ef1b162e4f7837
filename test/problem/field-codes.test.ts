/** Codes of members: what a form or a program reads beside the sentences, for every kind of fault, through real calls. */
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/http/operation.js';
import { fieldCodes } from '../../src/problem/field.js';
import type { Wanted } from '../support/client.js';
import { ATMS } from '../support/operations.js';
import { useService } from '../support/use-service.js';

const service = useService();

const transfer = {
  creditAccount: { iban: 'GR6899900010000000000001101' },
  creditorName: 'Vasilis',
  instructedAmount: { currency: 'EUR', amount: 10 },
};
const staged = (change: object): Wanted => ({
  method: 'POST',
  path: '/pis/psd2/v1/transfers/domestic',
  body: { ...transfer, ...change },
});
const abroad = (change: object): Wanted => ({
  ...staged(change),
  path: '/pis/psd2/v1/transfers/international',
});
const access = (body: object): Wanted => ({ method: 'POST', path: '/ais/psd2/v1/consents', body });
const read = (query: string): Wanted => ({ path: `${ATMS}?${query}` });
const events = (query: string): Wanted => ({ path: `/events/psd2/v1?${query}` });
const sent = (name: string, value: string | undefined): Wanted => ({
  ...events(''),
  headers: { [name]: value },
});

const creditAccount = 'creditAccount';
const amount = 'instructedAmount.amount';

const cases: readonly (readonly [string, Wanted, Readonly<Record<string, readonly object[]>>])[] = [
  ['a missing member', staged({ creditorName: undefined }), { creditorName: [{ code: 'required' }] }],
  ['a missing header', sent('X-Request-ID', undefined), { 'header.X-Request-ID': [{ code: 'required' }] }],
  ['a reference to nothing', staged({ creditAccount: {} }), { creditAccount: [{ code: 'required' }] }],
  ['an unknown member', staged({ colour: 'red' }), { colour: [{ code: 'unknown' }] }],
  [
    'a misspelt parameter',
    read('if_none_match=x'),
    { 'query.if_none_match': [{ code: 'unknown', nearest: 'if_None_Match' }] },
  ],
  [
    'a member twice',
    { ...staged({}), body: '{"creditAccount":{"iban":1,"iban":2}}' },
    { 'creditAccount.iban': [{ code: 'duplicate' }] },
  ],
  ['a repeated parameter', events('limit=1&limit=2'), { 'query.limit': [{ code: 'repeated' }] }],
  [
    'an entry twice',
    access({ permissions: ['AccountsBasic', 'AccountsBasic'] }),
    { permissions: [{ code: 'repeated' }] },
  ],
  ['another type', staged({ creditorName: 7 }), { creditorName: [{ code: 'type', expected: ['string'] }] }],
  [
    'a malformed IBAN',
    staged({ creditAccount: { iban: 'GR00' } }),
    { [`${creditAccount}.iban`]: [{ code: 'format', format: 'iban' }] },
  ],
  [
    'a malformed id',
    sent('X-Request-ID', 'seven'),
    { 'header.X-Request-ID': [{ code: 'format', format: 'uuid' }] },
  ],
  [
    'a malformed time',
    read('if_Modified_Since=yesterday'),
    { 'query.if_Modified_Since': [{ code: 'format', format: 'date-time' }] },
  ],
  [
    'none of the values',
    staged({ chargeBearer: 'me' }),
    { chargeBearer: [{ code: 'not-allowed', allowed: ['sha', 'our', 'ben'] }] },
  ],
  [
    'an address of somebody else',
    { ...staged({}), headers: { 'TPP-Redirect-URI': 'https://elsewhere.example/' } },
    { 'header.TPP-Redirect-URI': [{ code: 'not-registered' }] },
  ],
  ['an empty text', staged({ creditorName: '' }), { creditorName: [{ code: 'too-short', min: 1 }] }],
  [
    'a long text',
    staged({ creditorName: 'x'.repeat(71) }),
    { creditorName: [{ code: 'too-long', max: 70 }] },
  ],
  ['a short list', access({ permissions: [] }), { permissions: [{ code: 'too-few', min: 1 }] }],
  [
    'many parameters',
    read(Array.from({ length: 21 }, (_, index) => `p${index}=1`).join('&')),
    {
      ...Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [
          `query.p${index}`,
          [expect.objectContaining({ code: 'unknown' })],
        ]),
      ),
      query: [{ code: 'too-many', max: 20 }],
    },
  ],
  [
    'nothing to pay',
    staged({ instructedAmount: { currency: 'EUR', amount: 0 } }),
    { [amount]: [{ code: 'too-small', above: 0 }] },
  ],
  ['a small number', events('limit=0'), { 'query.limit': [{ code: 'too-small', min: 1 }] }],
  [
    'a large number',
    access({ permissions: ['AccountsBasic'], recurring: true, frequencyPerDay: 5 }),
    { frequencyPerDay: [{ code: 'too-large', max: 4 }] },
  ],
  [
    'a large amount',
    staged({ instructedAmount: { currency: 'EUR', amount: 1e9 } }),
    { [amount]: [{ code: 'too-large', max: 999_999_999.99 }] },
  ],
  [
    'many decimals',
    staged({ instructedAmount: { currency: 'EUR', amount: 0.001 } }),
    { [amount]: [{ code: 'too-precise' }] },
  ],
  [
    'many digits',
    staged({ instructedAmount: { currency: 'EUR', amount: 0.1 + 0.2 } }),
    { [amount]: [{ code: 'too-precise', digits: 15 }] },
  ],
  [
    'days backwards',
    access({ permissions: ['AccountsBasic'], transactionFrom: '2026-02-01', transactionTo: '2026-01-01' }),
    { transactionTo: [{ code: 'out-of-range', from: '2026-02-01' }] },
  ],
  [
    'a bank in another country',
    abroad({ creditorAgent: { bic: 'BOFAUS3N', country: 'DE' } }),
    { 'creditorAgent.country': [{ code: 'conflict', with: 'bic' }] },
  ],
  [
    'the same account twice',
    staged({ debitAccount: transfer.creditAccount }),
    { creditAccount: [{ code: 'conflict', with: 'debitAccount' }] },
  ],
  [
    'an event that is not there',
    events('after=7a1f0c52-6f8e-4b0f-9a35-0f3f3a1d2b11'),
    { 'query.after': [{ code: 'not-found' }] },
  ],
  [
    'what the bank does not do',
    staged({ instructedAmount: { currency: 'USD', amount: 5 } }),
    { 'instructedAmount.currency': [{ code: 'refused' }] },
  ],
];

describe('extensions.errors', () => {
  it.each(cases)('of %s', async (_what, wanted, expected) => {
    const answer = await service().call(wanted);
    const { errors, extensions } = answer.json as {
      errors: Record<string, string[]>;
      extensions: { errors: unknown };
    };
    expect([answer.status, extensions.errors]).toEqual([400, expected]);
    expect(Object.keys(errors)).toEqual(Object.keys(expected));
  });

  it('shows every code of the list', () => {
    const shown = cases.flatMap(([, , errors]) => Object.values(errors).flat());
    const codes = new Set(shown.map((each) => (each as { code?: string }).code));
    expect(Object.keys(fieldCodes).filter((code) => !codes.has(code))).toEqual([]);
  });
});

/** Keywords whose faults have a code of their own; the others describe, or hold other schemas. */
const coded = [
  ...['type', 'format', 'enum', 'const', 'required', 'additionalProperties', 'uniqueItems', 'rule'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  ...['minimum', 'maximum', 'exclusiveMinimum'],
];
/** A pattern, and a choice of shapes, are formats without a name. */
const others = ['description', 'default', 'examples', 'pattern', 'anyOf', 'title', 'example'];

const keywordsOf = (schema: unknown): string[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const {
    properties = {},
    patternProperties = {},
    items,
    ...own
  } = schema as Readonly<Record<string, object | undefined>>;
  const within = [...Object.values(properties), ...Object.values(patternProperties), items];
  return [...Object.keys(own), ...within.flatMap(keywordsOf)];
};

it('bodies use only keywords whose faults have a code', () => {
  const bodies = service()
    .app.operations.filter((operation: Operation) => operation.body)
    .map(({ body }: Operation) => body);
  const used = new Set(bodies.flatMap(keywordsOf));
  expect([...used].filter((keyword) => !coded.includes(keyword) && !others.includes(keyword))).toEqual([]);
});
