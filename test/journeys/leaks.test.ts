/** Nothing that identifies a person or opens an account reaches a log or a metric, whatever is sent and whatever breaks. */
import { randomUUID } from 'node:crypto';
import { composeIBAN } from 'ibantools';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOfLine } from '../../src/observe/log-lines.js';
import { bankWith } from '../bank/banks.js';
import { type Answer, done, send, sendRaw } from '../support/client.js';
import { hasPostgres } from '../support/engines.js';
import { leaksIn } from '../support/leaks.js';
import {
  ATMS,
  account,
  FUNDS,
  type FundsBody,
  fundsBody,
  goodRequest,
  ibanOf,
  operationIds,
  paymentPath,
  statusPath,
} from '../support/operations.js';
import { type Service, startService } from '../support/service.js';

/** Right in every digit, so that each of them would be found by its shape alone. */
const canary = {
  iban: composeIBAN({ countryCode: 'GR', bban: '99900010000000000777777' }) ?? '',
  card: '4242424242424242',
  key: `canary-key-${'k'.repeat(32)}`,
  token: `eyJhbGciOiJub25lIn0.${'t'.repeat(40)}.canary`,
  payee: 'Canary & Daughters',
  phone: '+306977777777',
} as const;
const inOne = Object.values(canary).join(' ');

/** A core that fails with everything it knows in its message. */
const talkativeBank = bankWith({
  name: 'talkative',
  hasFunds: async () => {
    const { iban, card, token, phone } = canary;
    throw new Error(`no answer for ${iban} ${ibanOf('eleni', 101)} ${card} ${phone} with ${token}`, {
      cause: new Error(`row ${iban}, card ${card}`),
    });
  },
});

const nodes: Service[] = [];
const sent = new Map<string, number>();
let output: { logs: string; metrics: string };

/** A call whose line must be in the log, with this status. */
const recorded = async (service: Service, wanted: Parameters<Service['call']>[0]): Promise<Answer> => {
  const requestId = randomUUID();
  const answer = await service.call({ ...wanted, headers: { ...wanted.headers, 'X-Request-ID': requestId } });
  sent.set(requestId, answer.status);
  return answer;
};

const ask = (service: Service, body: Partial<FundsBody> | string, headers = {}): Promise<Answer> =>
  recorded(service, {
    method: 'POST',
    path: FUNDS,
    body: typeof body === 'string' ? body : fundsBody(body),
    headers,
  });

const goodCalls = async (service: Service): Promise<void> => {
  for (const id of operationIds) await recorded(service, goodRequest(service, id));
  for (const psu of ['nikos', 'sofia', 'kostas'])
    await recorded(service, { method: 'POST', path: FUNDS, body: fundsBody(), as: { psu } });
  await ask(service, { payee: canary.payee, cardNumber: account('eleni', 101).cardNumber });
  await ask(service, { account: { msisdn: '+306900000101' } });
  done(await send(service.url, { path: '/sandbox/credentials' }));
  done(await send(service.url, { method: 'POST', path: '/sandbox/tokens', body: { psu: 'eleni' } }));
};

const refusedCalls = async (service: Service): Promise<void> => {
  const { iban, card, key, token, phone } = canary;
  await ask(service, { account: { iban }, cardNumber: card, payee: canary.payee });
  await ask(service, { account: { iban: `${iban}1` } });
  await ask(service, { account: { msisdn: phone }, payee: inOne.repeat(2) });
  await ask(service, JSON.stringify({ [iban]: card, account: { [card]: inOne } }));
  await ask(service, `{"account":"${inOne}`);
  await ask(service, inOne.repeat(200));
  await recorded(service, { path: ATMS, headers: { 'Ocp-Apim-Subscription-Key': key } });
  await recorded(service, { path: ATMS, headers: { Authorization: `Bearer ${token}` } });
  await recorded(service, { path: ATMS, headers: { Authorization: `Basic ${card}`, [card]: iban } });
  for (const id of [iban, card, token, encodeURIComponent(inOne)]) {
    await recorded(service, {
      path: paymentPath(id),
      headers: { 'PSU-IP-Address': iban, 'PSU-User-Agent': card },
    });
    await recorded(service, { path: statusPath(id) });
    await recorded(service, { path: `/${id}/${id}` });
    await recorded(service, {
      path: `${ATMS}?if_None_Match=${id}&${id}=${id}&subscription-key=${service.keyOf()}`,
    });
  }
  await service.call({
    path: paymentPath(randomUUID()),
    headers: { 'X-Request-ID': iban, 'Consent-ID': card },
  });
};

const rawCalls = async (service: Service): Promise<void> => {
  await sendRaw(service.url, `${inOne}\r\n\r\n`);
  await sendRaw(
    service.url,
    `GET /${canary.iban} HTTP/1.1\r\nHost: x\r\nBad Header ${canary.card}: x\r\n\r\n`,
  );
  await sendRaw(service.url, `GET /${canary.iban.repeat(1000)} HTTP/1.1\r\n\r\n`);
};

const brokenCalls = async (service: Service, talkative: Service): Promise<void> => {
  for (const scenario of ['internal-error', 'core-down', 'overloaded'])
    for (const id of operationIds)
      await recorded(service, { ...goodRequest(service, id), headers: { 'Sandbox-Scenario': scenario } });
  expect((await ask(talkative, { payee: canary.payee })).status).toBe(503);
};

beforeAll(async () => {
  const [service, talkative] = [
    await startService({ engine: 'postgres' }),
    await startService({ bank: talkativeBank }),
  ];
  nodes.push(service, talkative);
  await goodCalls(service);
  await refusedCalls(service);
  await rawCalls(service);
  await brokenCalls(service, talkative);
  const metrics = await Promise.all(
    nodes.map(async ({ app }) => (await fetch(`${app.managementUrl}/metrics`)).text()),
  );
  output = { logs: nodes.map(({ logs }) => logs.join('')).join(''), metrics: metrics.join('\n') };
});
afterAll(async () => {
  for (const node of nodes) await node.close();
});

interface Line {
  readonly msg: string;
  readonly requestId?: string;
  readonly status?: number;
  readonly operation?: string;
  readonly level: number;
  readonly stack?: string;
}

const lines = (): Line[] =>
  output.logs
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

describe.runIf(hasPostgres)('logs and metrics', () => {
  it('hold no secret and nobody’s data', () => {
    expect(leaksIn(output.logs)).toEqual([]);
    expect(leaksIn(output.metrics)).toEqual([]);
  });

  it.each(Object.entries(canary))('do not hold the canary %s', (_name, value) => {
    for (const text of [output.logs, output.metrics]) {
      expect(text).not.toContain(value);
      expect(text).not.toContain(encodeURIComponent(value));
      expect(text).not.toContain(Buffer.from(value).toString('base64'));
    }
  });

  it('have a line for every call, with its status', () => {
    const byId = new Map(lines().map((line) => [line.requestId, line]));
    const logged = [...sent.keys()].map((id) => [id, byId.get(id)?.status]);
    expect(logged).toEqual([...sent]);
    expect(sent.size).toBeGreaterThan(40);
  });

  it('are one JSON object on each line, made of known members alone', () => {
    expect(lines().flatMap((line) => faultsOfLine({ ...line }))).toEqual([]);
  });

  it('tell where a bug is, without what it was about', () => {
    const faults = lines().filter(({ status }) => status === 500);
    expect(faults.length).toBeGreaterThanOrEqual(5);
    for (const fault of faults) {
      expect(fault.level).toBe(50);
      expect(fault.stack).toContain(' at ');
    }
  });

  it('count the calls by operation, status, problem and cause alone', () => {
    const labels = [...output.metrics.matchAll(/^trapeza_requests_total\{([^}]*)\}/gm)].map(
      ([, found]) => found ?? '',
    );
    expect(labels.length).toBeGreaterThan(20);
    for (const label of labels)
      expect(label).toMatch(/^operation="\w+",status="\d+",problem="[a-z-]*",cause="[a-z-]*"$/);
  });
});
