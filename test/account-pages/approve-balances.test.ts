/** A core whose list of accounts has no balances: the approval page asks for those that it shows, and never waits long for them. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { demoPsus } from '../../packages/sandbox/src/bank/people.js';
import { minorText } from '../../src/account-pages/approve/format.js';
import { addAccess, read } from '../api/ais/support.js';
import { json, RawCore, type Seen } from '../bank/http/raw-core.js';
import { askSimulator, relay } from '../bank/http/relay.js';
import { useSimulators } from '../core-kit/simulator/use-simulator.js';
import { account, psuId } from '../support/operations.js';
import { type Service, startService } from '../support/service.js';
import { accessDetails, addRequest, cardValues, hiddenFields, Visitor } from './approve-support.js';

const simulators = useSimulators('sqlite');
const core = new RawCore();
let service: Service;
let simulatorUrl = '';
let answerBalances: (seen: Seen, response: ServerResponse) => unknown;
let most = 0;
let open = 0;

const withoutBalances = async (seen: Seen, response: ServerResponse): Promise<void> => {
  const answer = (await (await askSimulator(simulatorUrl, seen)).json()) as { accounts: object[] };
  json(response, { ...answer, accounts: answer.accounts.map((each) => ({ ...each, balance: null })) });
};

beforeAll(async () => {
  ({ url: simulatorUrl } = await simulators().start());
  core.behave = (seen, response) => {
    if (/\/account-holders\/.*\/accounts/.test(seen.path)) return withoutBalances(seen, response);
    if (!seen.path.endsWith('/balances')) return relay(simulatorUrl, seen, response);
    open += 1;
    most = Math.max(most, open);
    response.on('close', () => {
      open -= 1;
    });
    return answerBalances(seen, response);
  };
  await core.up();
  service = await startService({ env: { TRAPEZA_CORE_URL: core.url } });
});
afterAll(async () => {
  await service.close();
  await core.down();
});
beforeEach(() => {
  core.seen.length = 0;
  most = 0;
  answerBalances = (seen, response) => relay(simulatorUrl, seen, response);
});

const ofBalances = () => core.seen.filter(({ path }) => path.endsWith('/balances'));
const access = { kind: 'AccountAccess', details: accessDetails } as const;
const idOf = ({ path }: Seen): string => path.split('/').at(-2) ?? '';
const spaceless = (text: string): string => text.replace(/\s/g, ' ');

/** As the demo bank seeds it. */
const balanceText = (number: number): string => {
  const { bookedMinor, pendingMinor, currency } = account('eleni', number);
  return spaceless(minorText(bookedMinor - (pendingMinor ?? 0), currency, 'el-GR'));
};

it('shows the balance of each account that is offered, asked for once, for this person', async () => {
  const visitor = new Visitor(service);
  const id = await addRequest(service, access);
  const page = await visitor.open(id);
  expect(page.status).toBe(200);
  expect(spaceless(page.text)).toContain(balanceText(101));
  const lists = core.seen.filter(({ path }) => path.includes('/accounts') && path.includes('-holders/'));
  expect(lists.map(({ path }) => path)).toEqual([`/core/account-holders/${psuId('eleni')}/accounts`]);
  const asked = ofBalances().map(idOf);
  expect(new Set(asked).size).toBe(asked.length);
  const held = demoPsus.find(({ id: each }) => each === psuId('eleni'))?.accounts.map((each) => each.id);
  expect(asked.toSorted()).toEqual(held?.toSorted());
  expect(ofBalances().every(({ headers }) => headers['psu-id'] === psuId('eleni'))).toBe(true);
  expect(most).toBeLessThanOrEqual(8);
});

it('asks about no other account than the one that the third party named', async () => {
  const page = await new Visitor(service).open(
    await addRequest(service, { accounts: [account('eleni', 101)] }),
  );
  expect(spaceless(page.text)).toContain(balanceText(101));
  expect(ofBalances().map(idOf)).toEqual([account('eleni', 101).id]);
});

it('shows them again with what is wrong in the form', async () => {
  const visitor = new Visitor(service);
  const id = await addRequest(service, access);
  const page = await visitor.open(id);
  const again = await visitor.decide(id, page, { account: [], code: '' });
  expect(again.status).toBe(400);
  expect(spaceless(again.text)).toContain(balanceText(101));
});

it('shows the others if the core does not tell one of them', async () => {
  answerBalances = (seen, response) =>
    idOf(seen) === account('eleni', 101).id
      ? response.writeHead(500).end()
      : relay(simulatorUrl, seen, response);
  const page = await new Visitor(service).open(await addRequest(service, access));
  expect(page.status).toBe(200);
  expect(spaceless(page.text)).not.toContain(balanceText(101));
  expect(spaceless(page.text)).toContain(balanceText(102));
});

it('is shown without balances if the core is late, and can be approved', async () => {
  const impatient = await startService({ env: { TRAPEZA_CORE_URL: core.url, TRAPEZA_DEADLINE_MS: '5000' } });
  const waiting: ServerResponse[] = [];
  answerBalances = (_seen, response) => waiting.push(response);
  const visitor = new Visitor(impatient);
  const id = await addRequest(impatient, { accounts: [account('eleni', 101)] });
  const page = await visitor.open(id);
  expect(page.status).toBe(200);
  expect(spaceless(page.text)).not.toContain(balanceText(101));
  const [value = ''] = cardValues(page.text);
  expect(hiddenFields(page.text)).not.toEqual({});
  expect((await visitor.decide(id, page, { account: [value] })).status).toBe(303);
  for (const response of waiting) response.destroy();
  await impatient.close();
});

it('asks for the accounts in the language of their reader, on pages and for third parties', async () => {
  const languages = () =>
    core.seen.flatMap(({ path, headers }) =>
      /\/account-holders\/.*\/accounts/.test(path) ? headers['accept-language'] : [],
    );
  const visitor = new Visitor(service);
  const id = await addRequest(service, access);
  await visitor.open(id);
  expect(languages()).toEqual(['el']);
  core.seen.length = 0;
  await visitor.get(`/authorise/${id}?lang=en`);
  expect(languages()).toEqual(['en']);
  const given = await addAccess(service, { accounts: [account('eleni', 101)] });
  core.seen.length = 0;
  await read(service, given, '/ais/psd2/v1/accounts', {
    headers: { 'PSU-Accept-Language': 'en-GB', 'Accept-Language': 'el' },
  });
  expect(languages()).toEqual(['en']);
});
