/**
 * A company with 100,000 accounts: third parties that name accounts get through, those that do not let their person choose among
 * the first ones, and the core is asked for a handful of accounts at a time.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { MANY_ACCOUNTS } from '../../src/bank/bank.js';
import { addRequest, cardValues, stored, Visitor } from '../account-pages/approve-support.js';
import { addAccess, read } from '../api/ais/support.js';
import { behaves, json, RawCore } from '../bank/http/raw-core.js';
import { relay } from '../bank/http/relay.js';
import { useSimulators } from '../core-kit/simulator/use-simulator.js';
import { approved, orderIn, readOrder, stage, submit } from '../payment/support.js';
import { account, psuId } from '../support/operations.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

const COMPANY = psuId('eleni');
const OF_ELENI = account('eleni', 101);
const BBAN = '99900010000000000000101';
const simulators = useSimulators('sqlite');
/** In front of the simulator: it answers for the accounts of the company itself. */
const core = new RawCore();
let service: Service;
let simulatorUrl = '';
interface Listed {
  readonly id: string;
  readonly iban: string | null;
  readonly bban: string | null;
  readonly msisdn: string | null;
}
let held: readonly Listed[] = [];
let rows = 0;
let largestPage = 50;
let ignoresFilters = false;

const page = (search: URLSearchParams): { accounts: readonly Listed[]; next: string | null } => {
  const id = search.get('accountId');
  const wanted = held.filter(
    (each) =>
      ignoresFilters ||
      ((id ?? each.id) === each.id &&
        (['iban', 'bban', 'msisdn'] as const).every(
          (name) => (search.get(name) ?? each[name]) === each[name],
        )),
  );
  const start = Number(search.get('after') ?? 0);
  const end = start + Math.min(largestPage, Number(search.get('limit') ?? 1000));
  return { accounts: wanted.slice(start, end), next: end < wanted.length ? String(end) : null };
};

beforeAll(async () => {
  ({ url: simulatorUrl } = await simulators().start());
  const real = (await (await fetch(`${simulatorUrl}/account-holders/${COMPANY}/accounts`)).json()) as {
    accounts: readonly Listed[];
  };
  const named = real.accounts.map((each) => (each.iban === OF_ELENI.iban ? { ...each, bban: BBAN } : each));
  const [first] = named;
  const others = Array.from({ length: 100_000 }, (_, index) => ({
    ...first,
    id: `company-${index}`,
    iban: `GR00${String(index).padStart(23, '0')}`,
    name: `Branch ${index}`,
    msisdn: null,
    bban: null,
    balance: null,
  }));
  held = [...others.slice(0, 70_000), ...named, ...others.slice(70_000)];
  core.behave = (seen, response) => {
    const { pathname, searchParams } = new URL(seen.path, 'http://core');
    if (pathname.endsWith(`/${COMPANY}/accounts`)) {
      const found = page(searchParams);
      rows += found.accounts.length;
      return json(response, { psuId: COMPANY, ...found });
    }
    // The simulator knows none of the company's accounts, and no question is asked about several at once.
    const isOwn = pathname === '/core/health' || pathname.includes('/accounts/company-');
    return isOwn ? behaves(seen, response) : relay(simulatorUrl, seen, response);
  };
  await core.up();
  service = await startService({
    env: {
      TRAPEZA_CORE_URL: core.url,
      TRAPEZA_CORE_TIMEOUT_MS: '5000',
      TRAPEZA_CORE_NEWS_TOKEN: 'news-token-of-a-large-company',
    },
  });
});
afterAll(async () => {
  await service.close();
  await core.down();
});

const lists = () =>
  core.seen.filter(({ path }) => path.includes('/account-holders/') && path.includes('accounts'));
beforeEach(async () => {
  // A page does not wait for a late answer, and who asked for it counts in the test before.
  await until(() => core.open === 0);
  core.seen.length = 0;
  rows = 0;
  largestPage = 50;
  ignoresFilters = false;
});

const approve = async (id: string): Promise<string> => {
  const visitor = new Visitor(service);
  const form = await visitor.open(id);
  expect(form.status).toBe(200);
  expect(Buffer.byteLength(form.text)).toBeLessThan(100_000);
  const [value = ''] = cardValues(form.text);
  expect((await visitor.decide(id, form, { account: [value] })).status).toBe(303);
  return form.text;
};

it('approves and reads a named account', async () => {
  const id = await addRequest(service, { accounts: [account('eleni', 101)] });
  await approve(id);
  expect((await stored(service, id)).status).toBe('Valid');
  const access = await addAccess(service, { accounts: [account('eleni', 101)] });
  for (const path of [
    '',
    `/${access.resourceIds[0]}`,
    `/${access.resourceIds[0]}/balances`,
    `/${access.resourceIds[0]}/transactions`,
  ])
    expect((await read(service, access, `/ais/psd2/v1/accounts${path}`)).status).toBe(200);
  expect(lists().length).toBeLessThan(12);
  expect(rows).toBeLessThan(12);
});

it('reads several accounts of a consent, wherever they are in the list', async () => {
  const access = await addAccess(service, { accounts: [account('eleni', 101), account('eleni', 102)] });
  const answer = await read(service, access, '/ais/psd2/v1/accounts');
  expect((answer.json as { accounts: object[] }).accounts).toHaveLength(2);
  expect(lists().length).toBeLessThan(8);
  expect(rows).toBeLessThan(3 * MANY_ACCOUNTS);
});

it('offers the first accounts where none is named, says so, and approves one of them', async () => {
  const id = await addRequest(service, { accounts: [] });
  const text = await approve(id);
  expect(cardValues(text)).toHaveLength(MANY_ACCOUNTS);
  expect(text).toContain(`οι πρώτοι ${MANY_ACCOUNTS}`);
  expect((await stored(service, id)).status).toBe('Valid');
  expect(rows).toBeLessThan(10 * MANY_ACCOUNTS);
  // The page, its form with an account, and the decision: each asks once about each account that it shows.
  const asked = core.seen
    .filter(({ path }) => path === '/core/transfer-terms')
    .flatMap(({ body }) => (body as { payerAccountId?: string }).payerAccountId ?? []);
  for (const id of new Set(asked)) {
    expect(Number(id.replace('company-', ''))).toBeLessThan(MANY_ACCOUNTS);
    expect(asked.filter((each) => each === id).length).toBeLessThanOrEqual(3);
  }
});

it('pays from a named account', async () => {
  const { iban } = account('eleni', 101);
  const consent = await approved(service, { body: { debitAccount: { iban } } });
  orderIn(await submit(service, consent));
  await service.app.runJobs();
  expect((await readOrder(service, consent)).transactionStatus).toMatch(/^AC/);
  expect((await stage(service, { body: { debitAccount: { iban } } })).status).toBe(201);
  expect(lists().length).toBeLessThan(12);
  expect(rows).toBeLessThan(12);
});

it('keeps its consents if news of the core speaks of an account that it still holds', async () => {
  const { id: accountId } = account('eleni', 101);
  const access = await addAccess(service, { accounts: [account('eleni', 101)] });
  const id = randomUUID();
  const news = [{ id, kind: 'holder-removed', accountId, psuId: COMPANY }];
  expect(await service.app.receiveNews({ news })).toEqual({ results: [{ id, result: 'unconfirmed' }] });
  expect((await stored(service, access.id)).status).toBe('Valid');
  expect(rows).toBeLessThan(3);
});

it.each([
  ['BBAN', { bban: BBAN }],
  ['phone number', { msisdn: OF_ELENI.msisdn }],
])('pays from an account that is named by its %s', async (_, debitAccount) => {
  const consent = await approved(service, { body: { debitAccount } });
  orderIn(await submit(service, consent));
  await service.app.runJobs();
  expect((await readOrder(service, consent)).transactionStatus).toMatch(/^AC/);
  const staged = await stage(service, { body: { debitAccount } });
  const { consentId } = staged.json as { consentId: string };
  expect(cardValues(await approve(consentId))).toEqual([OF_ELENI.id]);
  expect(rows).toBeLessThan(20);
});

it('finds an account in the pages of a core that does not follow the filter', async () => {
  ignoresFilters = true;
  largestPage = 1000;
  const whole = held;
  held = held.slice(65_000, 74_000);
  const staged = await stage(service, { body: { debitAccount: { bban: BBAN } } }).finally(() => {
    held = whole;
  });
  const { consentId } = staged.json as { consentId: string };
  expect((await stored(service, consentId)).accounts).toEqual([OF_ELENI.id]);
  expect(lists()).toHaveLength(9);
});

it('does not guess if such a core never comes to an end', async () => {
  ignoresFilters = true;
  largestPage = 1000;
  const staged = await stage(service, { body: { debitAccount: { bban: BBAN } } });
  expect(staged.status).toBe(503);
  expect(lists()).toHaveLength(10);
});
