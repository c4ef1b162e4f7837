/** Questions about funds that wait for each other: one call, and each its own answer; never one for another. */
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Behaviour, behaves, json, openTestCore, RawCore, type Seen } from './raw-core.js';

interface Asked {
  readonly id: string;
  readonly accountId: string;
  readonly currency: string;
  readonly headers: Readonly<Record<string, string>>;
}
type Reply = Readonly<Record<string, unknown>>;

const core = new RawCore();
beforeAll(() => core.up());
afterAll(() => core.down());

let adapter: ReturnType<typeof openTestCore>;
let kept: string[] = [];
beforeEach(() => {
  kept = [];
  adapter = openTestCore(core, {
    maxCalls: 64,
    connections: 64,
    keep: async ({ id }, bankData) => void kept.push(`${id} ${bankData}`),
  });
});
afterEach(() => adapter.close());

const calls = (): string[] => core.seen.map(({ path }) => path).filter((path) => path.endsWith('/funds'));
const askedIn = (seen: Seen): readonly Asked[] => (seen.body as { questions: readonly Asked[] }).questions;
const replyTo = ({ id, accountId, currency }: Asked, changes: Reply = {}): Reply => ({
  id,
  status: 200,
  answer: { accountId, currency, fundsAvailable: accountId.endsWith('1') },
  ...changes,
});

/** A core that has the operation, as far as its health says so. */
const together =
  (
    answer: (asked: readonly Asked[], response: ServerResponse) => unknown,
    operations?: readonly string[],
  ): Behaviour =>
  (seen, response) => {
    if (seen.path === '/core/health')
      return json(response, {
        status: 'ok',
        operations: operations ?? ['ping', 'hasFunds', 'hasFundsOfMany'],
      });
    if (seen.path === '/core/funds') return answer(askedIn(seen), response);
    return behaves(seen, response);
  };
const replies = (change: (all: readonly Reply[]) => readonly Reply[]): Behaviour =>
  together((asked, response) => json(response, { replies: change(asked.map((each) => replyTo(each))) }));

const ask = (accountId: string): Promise<boolean> =>
  adapter.bank.hasFunds({
    accountId,
    currency: 'EUR',
    amountMinor: 100n,
    context: { psuId: 'p', consent: { id: `consent-${accountId}`, clientId: 'app', bankData: 'old' } },
  });
const askAll = (count: number) =>
  Promise.allSettled(Array.from({ length: count }, (_, at) => ask(`a-${at}`)));
const outcomes = (settled: Awaited<ReturnType<typeof askAll>>): unknown[] =>
  settled.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).name));

/** Two questions that wait for each other let the adapter look at the core's health. */
const noticeOffer = async (): Promise<void> => {
  await Promise.all([ask('first-1'), ask('second-1')]);
  await expect.poll(() => adapter.told.map(({ operation }) => operation)).toContain('ping');
  core.seen.length = 0;
  adapter.told.length = 0;
};

describe('questions that wait for each other', () => {
  it('travel in one call, each with its own headers and its own outcome, in whatever order', async () => {
    core.behave = together((asked, response) =>
      json(response, {
        replies: asked
          .map((each) => {
            if (each.accountId === 'a-2') return { id: each.id, status: 404 };
            if (each.accountId === 'a-3') return { id: each.id, status: 503, retryAfter: 60 };
            if (each.accountId === 'a-4') return replyTo(each, { answer: { fundsAvailable: true } });
            return replyTo(each, { consentData: `note-of-${each.accountId}` });
          })
          .toReversed(),
      }),
    );
    await noticeOffer();
    expect(outcomes(await askAll(6))).toEqual([false, true, 'NoSuchAccount', 'Problem', 'Problem', false]);
    expect(calls()).toEqual(['/core/funds']);
    const [seen] = core.seen;
    const [first] = seen ? askedIn(seen) : [];
    expect(first).toMatchObject({
      accountId: 'a-0',
      amount: '1.00',
      headers: { 'PSU-ID': 'p', 'Consent-ID': 'consent-a-0', 'Bank-Consent-Data': 'old' },
    });
    expect(kept.toSorted()).toEqual(['a-0', 'a-1', 'a-5'].map((id) => `consent-${id} note-of-${id}`));
    const told = adapter.told.map(({ operation, outcome }) => `${operation} ${outcome}`);
    expect(told.toSorted()).toEqual([
      ...['hasFunds absent', 'hasFunds garbage', 'hasFunds maintenance'],
      ...['hasFunds ok', 'hasFunds ok', 'hasFunds ok'],
    ]);
    // By its id each is found in the log of the core.
    expect(adapter.told.map(({ coreRequestId }) => coreRequestId)).toContain(first?.id);
  });

  it('wait for those that are on their way, and a lone one for nothing', async () => {
    core.behave = replies((all) => all);
    await noticeOffer();
    expect(await ask('a-1')).toBe(true);
    expect(calls()).toEqual(['/core/accounts/a-1/funds']);
    core.seen.length = 0;
    let held: (() => unknown)[] = [];
    const answer = core.behave;
    core.behave = (seen, response) => held.push(() => answer(seen, response));
    const first = ask('a-1');
    await expect.poll(() => core.seen).toHaveLength(1);
    const others = askAll(3);
    // A call that takes long holds up nobody: the others leave before the first is answered.
    await expect.poll(() => core.seen).toHaveLength(2);
    for (const go of held.splice(0)) go();
    held = [];
    expect(await first).toBe(true);
    expect(outcomes(await others)).toEqual([false, true, false]);
    expect(calls()).toEqual(['/core/accounts/a-1/funds', '/core/funds']);
  });

  it('are at most a hundred in one call', async () => {
    adapter = openTestCore(core, { maxCalls: 300, connections: 4 });
    core.behave = replies((all) => all);
    await noticeOffer();
    const settled = outcomes(await askAll(250));
    expect(settled.filter((each) => each === 'Problem')).toEqual([]);
    expect(core.seen.map((seen) => askedIn(seen).length)).toEqual([100, 100, 50]);
  });

  const wrong: Readonly<Record<string, readonly [(all: readonly Reply[]) => readonly Reply[], unknown[]]>> = {
    'an id that comes twice': [(all) => [...all, ...all.slice(0, 1)], ['Problem', 'Problem', 'Problem']],
    'an id that was not asked for': [
      (all) => all.map((each, at) => (at === 1 ? { ...each, id: crypto.randomUUID() } : each)),
      ['Problem', 'Problem', 'Problem'],
    ],
    'a reply that is missing': [(all) => all.slice(1), ['Problem', true, false]],
    'answers under the ids of others': [
      (all) => all.map((each, at) => ({ ...each, answer: all[(at + 1) % all.length]?.answer })),
      ['Problem', 'Problem', 'Problem'],
    ],
    'a member that nobody knows': [
      (all) => all.map((each) => ({ ...each, x: 1 })),
      ['Problem', 'Problem', 'Problem'],
    ],
  };
  it.each(Object.entries(wrong))('%s is nobody’s answer', async (_name, [change, expected]) => {
    core.behave = replies((all) => all);
    await noticeOffer();
    core.behave = replies(change);
    expect(outcomes(await askAll(3))).toEqual(expected);
  });
});

describe('a core', () => {
  const faults: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
    '500': (response) => response.writeHead(500).end(),
    'a page of HTML': (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>'),
    'half an answer': (response) => response.writeHead(200).write('{"replies":[') && core.cut(),
    nothing: () => core.cut(),
  };
  it.each(Object.entries(faults))(
    'that answers a call with %s has answered none of its questions',
    async (_name, fault) => {
      core.behave = replies((all) => all);
      await noticeOffer();
      core.behave = together((_asked, response) => fault(response));
      expect(outcomes(await askAll(3))).toEqual(['Problem', 'Problem', 'Problem']);
      core.behave = replies((all) => all);
      expect(outcomes(await askAll(3))).toEqual([false, true, false]);
    },
  );

  it('that does not name the operation is never asked so', async () => {
    core.behave = together((_asked, response) => response.writeHead(500).end(), ['ping', 'hasFunds']);
    await noticeOffer();
    expect(outcomes(await askAll(3))).toEqual([true, true, true]);
    expect(calls()).not.toContain('/core/funds');
  });

  it.each([400, 404, 405, 413, 501])('that refuses with %i is asked question by question', async (status) => {
    core.behave = together((_asked, response) => response.writeHead(status).end());
    await noticeOffer();
    for (const _ of [1, 2]) expect(outcomes(await askAll(3))).toEqual([true, true, true]);
    expect(calls().filter((path) => path === '/core/funds')).toHaveLength(1);
  });

  it('that is down for several questions at once opens the breaker, and no answer is guessed', async () => {
    core.behave = together((asked, response) =>
      json(response, { replies: asked.map(({ id }) => ({ id, status: 500 })) }),
    );
    await noticeOffer();
    expect(outcomes(await askAll(20))).toEqual(Array.from({ length: 20 }, () => 'Problem'));
    core.seen.length = 0;
    expect(outcomes(await askAll(2))).toEqual(['Problem', 'Problem']);
    expect(adapter.told.at(-1)?.outcome).toBe('open');
    expect(core.seen).toEqual([]);
  });
});
