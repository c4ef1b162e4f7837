/** What is wrong with `authorization_details` is said in words, before anybody is asked to log in. */
import * as client from 'openid-client';
import { describe, expect, test } from 'vitest';
import { ACCOUNTS, CARD, FINANCE } from '../../support/operations.js';
import { useService } from '../../support/use-service.js';
import { applicationOf, authorize, Browser, discover, postToken, redemptionOf } from '../provider-journey.js';
import {
  accessDetail,
  approve,
  ask,
  begunConsents,
  fundsDetail,
  paymentDetail,
  toApproval,
} from './journey.js';

interface Fault {
  readonly what: string;
  readonly details: unknown;
  readonly says: RegExp;
  readonly application?: string;
}

const nested = (levels: number): string =>
  `[{"type":"funds_confirmation","account":${'['.repeat(levels)}${']'.repeat(levels)}}]`;

const faults: readonly Fault[] = [
  { what: 'text that is no JSON', details: '[{', says: /parse/ },
  { what: 'an object instead of a list', details: JSON.stringify(accessDetail), says: /array/ },
  { what: 'an empty list', details: '[]', says: /exactly one entry/ },
  { what: 'two entries', details: [accessDetail, fundsDetail], says: /exactly one entry/ },
  { what: 'the same entry twice', details: [accessDetail, accessDetail], says: /exactly one entry/ },
  { what: 'an entry that is no object', details: ['account_access'], says: /object/ },
  { what: 'an entry without type', details: [{ permissions: ['Balances'] }], says: /type/ },
  { what: 'an unknown type', details: { type: 'openid_credential' }, says: /unsupported/ },
  { what: 'a type of Object.prototype', details: { type: 'constructor' }, says: /unsupported/ },
  { what: 'an unknown member', details: { ...accessDetail, x: 1 }, says: /x is not a member/ },
  { what: 'a member of another type', details: { ...fundsDetail, permissions: [] }, says: /not a member/ },
  { what: 'a status of its own', details: { ...accessDetail, consentStatus: 'Valid' }, says: /not a member/ },
  { what: 'a consent id of its own', details: { ...accessDetail, consentId: 'x' }, says: /not a member/ },
  {
    what: 'a polluting member',
    details: '[{"type":"account_access","permissions":["Balances"],"__proto__":{"x":1}}]',
    says: /not a member/,
  },
  { what: 'a missing member', details: { type: 'funds_confirmation' }, says: /account is required/ },
  { what: 'an unknown permission', details: { ...accessDetail, permissions: ['All'] }, says: /one of/ },
  {
    what: 'an IBAN with a wrong checksum',
    details: { ...fundsDetail, account: { iban: 'GR0599900010000000000000102' } },
    says: /account\.iban must be an IBAN/,
  },
  { what: 'an account without number', details: { ...fundsDetail, account: {} }, says: /account must have/ },
  { what: 'a date that is none', details: { ...accessDetail, expirationDate: '2027-02-30' }, says: /date/ },
  { what: 'a date in the past', details: { ...accessDetail, expirationDate: '2020-01-01' }, says: /past/ },
  { what: 'a past proposal', details: { ...fundsDetail, expirationDate: '2020-01-01' }, says: /past/ },
  {
    what: 'a history that ends before it begins',
    details: { ...accessDetail, transactionFrom: '2026-02-01', transactionTo: '2026-01-01' },
    says: /transactionTo must not be before/,
  },
  {
    what: 'too many decimals',
    details: { ...paymentDetail, instructedAmount: { currency: 'EUR', amount: 1.234 } },
    says: /instructedAmount\.amount has more decimals/,
  },
  {
    what: 'an amount of nothing',
    details: { ...paymentDetail, instructedAmount: { currency: 'EUR', amount: 0 } },
    says: /greater than 0/,
  },
  { what: 'too many reads', details: { ...accessDetail, frequencyPerDay: 5 }, says: /must be at most 4/ },
  { what: 'no product', details: { ...paymentDetail, paymentProduct: undefined }, says: /paymentProduct/ },
  { what: 'an unknown product', details: { ...paymentDetail, paymentProduct: 'sepa' }, says: /domestic/ },
  {
    what: 'a NUL in a text',
    details: { ...paymentDetail, remittanceInformation: 'a\u0000b' },
    says: /NUL/,
  },
  { what: 'deep nesting', details: nested(500), says: /nested/ },
  { what: 'a role of others (payments)', details: paymentDetail, application: CARD, says: /not allowed/ },
  { what: 'a role of others (accounts)', details: accessDetail, application: CARD, says: /not allowed/ },
  { what: 'a role of others (funds)', details: fundsDetail, application: ACCOUNTS, says: /not allowed/ },
];

/** RFC 6749, 4.1.2.1. */
const DESCRIPTION = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/;

describe('refused', () => {
  const use = useService();

  test.each(faults)('in a plain request, with words at the application: $what', async (fault) => {
    const service = use();
    const configuration = await discover(service, fault.application ?? FINANCE);
    const { url, state } = await ask(service, configuration, { details: fault.details });
    const { leftTo } = await new Browser(service.url).visit(url.href);
    expect(`${leftTo?.origin}${leftTo?.pathname}`).toBe(
      applicationOf(service, fault.application ?? FINANCE).redirectUri,
    );
    const told = Object.fromEntries(leftTo?.searchParams ?? []);
    expect(told).toMatchObject({ error: 'invalid_authorization_details', state, iss: service.url });
    expect(told.error_description).toMatch(fault.says);
    expect(told.error_description).toMatch(DESCRIPTION);
    expect(told).not.toHaveProperty('code');
  });

  test.each(faults)('in a pushed request, with 400: $what', async (fault) => {
    const configuration = await discover(use(), fault.application ?? FINANCE);
    await expect(ask(use(), configuration, { details: fault.details, withPar: true })).rejects.toMatchObject({
      status: 400,
      error: 'invalid_authorization_details',
      error_description: expect.stringMatching(fault.says),
    });
  });

  test('a repeated parameter is refused', async () => {
    const service = use();
    const { url } = await ask(service, await discover(service), { details: accessDetail });
    url.searchParams.append('authorization_details', '[]');
    const { leftTo } = await new Browser(service.url).visit(url.href);
    expect(leftTo?.searchParams.get('error')).toBe('invalid_request');
  });

  test('a request with prompt=none is never granted silently, not even for who is logged in', async () => {
    const service = use();
    const configuration = await discover(service);
    const { browser } = await approve(await toApproval(service, configuration, { details: accessDetail }));
    const { url } = await ask(service, configuration, { details: accessDetail, more: { prompt: 'none' } });
    const { leftTo } = await browser.visit(url.href);
    expect(leftTo?.searchParams.get('error')).toBe('login_required');
  });

  test('a bad redirect address is told on our page, whatever the entry is', async () => {
    const service = use();
    const { url } = await ask(service, await discover(service), {
      details: [],
      more: { redirect_uri: 'https://evil.example/' },
    });
    const { page, leftTo } = await new Browser(service.url).visit(url.href);
    expect(leftTo).toBeUndefined();
    expect(page.status).toBe(400);
  });

  test('the token endpoint takes no entries: what was approved is what is granted', async () => {
    const service = use();
    const authorized = await authorize(service, await discover(service));
    const form = redemptionOf(service, authorized);
    const answer = await postToken(service, {
      ...form,
      authorization_details: JSON.stringify([accessDetail]),
    });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: 'invalid_authorization_details' });
  });

  test('leaves no consent and no trace of account numbers', async () => {
    const service = use();
    const configuration = await discover(service);
    const before = await begunConsents(service);
    const details = { ...paymentDetail, creditAccount: { iban: 'GR0599900010000000000000102' } };
    const failed = await ask(service, configuration, { details, withPar: true }).catch((error) => error);
    expect(failed).toBeInstanceOf(client.ResponseBodyError);
    expect(JSON.stringify((failed as client.ResponseBodyError).cause)).not.toContain('GR05');
    expect(service.logs.join('')).not.toContain('GR05');
    expect(await begunConsents(service)).toEqual(before);
  });
});
