/**
 * A company with 100,000 accounts: third parties that name accounts get through, those that do not let their person choose among
 * the first ones, and the core is asked for a handful of accounts at a time.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { MANY_ACCOUNTS } from '../../src/bank/bank.js';
import { addRequest, cardValues, stored, Visitor } from '../account-pages/approve-support.js';
import { addAccess, read } from '../api/ais/support.js';
import { json, RawCore } from '../bank/http/raw-core.js';
import { relay } from '../bank/http/relay.js';
import { useSimulators } from '../core-kit/simulator/use-simulator.js';
import { approved, orderIn, readOrder, stage, submit } from '../payment/support.js';
import { account, psuId } from '../support/operations.js';
import { type Service, startService } from '../support/service.js';

const COMPANY = psuId('eleni');
const simulators = useSimulators('sqlite');
/** In front of the simulator: it answers for the accounts of the company itself. */
const core = new RawCore();
let service: Service;
let simulatorUrl = '';
interface Listed {
  readonly id: string;
  readonly iban: string | null;
}
let held: readonly Listed[] = [];
let rows = 0;

const page = (search: URLSearchParams): { accounts: readonly Listed[]; next: string | null } => {
  const iban = search.get('iban');
  const id = search.get('accountId');
  const wanted = held.filter((each) => (id ?? each.id) === each.id && (iban ?? each.iban) === each.iban);
  const start = Number(search.get('after') ?? 0);
  const end = start + Math.min(50, Number(search.get('limit') ?? 1000));
  return { accounts: wanted.slice(start, end), next: end < wanted.length ? String(end) : null };
};

beforeAll(async () => {
  ({ url: simulatorUrl } = await simulators().start());
  const real = (await (await fetch(`${simulatorUrl}/account-holders/${COMPANY}/accounts`)).json()) as {
    accounts: readonly Listed[];
  };
  const [first] = real.accounts;
  const others = Array.from({ length: 100_000 }, (_, index) => ({
    ...first,
    id: `company-${index}`,
    iban: `GR00${String(index).padStart(23, '0')}`,
    name: `Branch ${index}`,
    balance: null,
  }));
  held = [...others.slice(0, 70_000), ...real.accounts, ...others.slice(70_000)];
  core.behave = (seen, response) => {
    const { pathname, searchParams } = new URL(seen.path, 'http://core');
    if (pathname.endsWith(`/${COMPANY}/accounts`)) {
      const found = page(searchParams);
      rows += found.accounts.length;
      return json(response, { psuId: COMPANY, ...found });
    }
    return relay(simulatorUrl, seen, response);
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
beforeEach(() => {
  core.seen.length = 0;
  rows = 0;
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
