/** Three cores of others, written from the contract in styles of their own: what they offer passes, and nothing they do is accused. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { cases } from '../../../packages/core-kit/src/core-check/cases.js';
import { CoreClient } from '../../../packages/core-kit/src/core-check/client.js';
import { demandUsable } from '../../../packages/core-kit/src/core-check/preflight.js';
import { isGood, type Result, runCases } from '../../../packages/core-kit/src/core-check/run.js';
import { type Subject, subjectFaults } from '../../../packages/core-kit/src/core-check/subject.js';
import { openTestCore } from '../../bank/http/raw-core.js';
import { TestClock } from '../../support/service.js';
import { Books } from './cores/books.js';
import { legacyCore, legacySubject } from './cores/legacy.js';
import { minimalCore, minimalSubject } from './cores/minimal.js';
import { strictCore, strictSubject } from './cores/strict.js';

const clock = new TestClock();
const now = (): number => clock.now();
const running: Server[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const listening = async (server: Server): Promise<string> => {
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const tryCore = async (server: Server, subject: Subject, token?: string): Promise<readonly Result[]> => {
  expect(subjectFaults(subject)).toBeUndefined();
  const url = await listening(server);
  const core = new CoreClient({ url, timeoutMs: 20_000, token });
  try {
    await demandUsable(core, url);
    return await runCases(cases, { core, subject, allowsPayments: true, now });
  } finally {
    await core.close();
  }
};

const skippedIn = (results: readonly Result[]): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    results.filter(({ verdict }) => verdict === 'skipped').map(({ id, reason }) => [id, reason]),
  );

const judged = (results: readonly Result[]) =>
  results.filter(({ verdict }) => verdict === 'failed' || verdict === 'blocked');

describe('a foreign core', () => {
  it('that checks every question against the document passes', async () => {
    const results = await tryCore(strictCore(new Books(now)), strictSubject);
    expect(judged(results)).toEqual([]);
    expect(isGood(results)).toBe(true);
    expect(skippedIn(results)).toMatchObject({
      'token-demanded': 'no token and no certificate was given',
      'consent-data-accepted': 'the core sends no Bank-Consent-Data',
      'cursor-tells-nothing': 'the accountId has fewer than 8 characters',
      'funds-closed': 'the subject has no closedAccount',
      'terms-quote': 'the subject has no foreignTransfer',
      'document-pdf': 'the newest statement has no document of yours',
    });
  });

  it('that does so against an older document passes, and its accounts are found', async () => {
    const books = new Books(now);
    const results = await tryCore(strictCore(books, { isOld: true }), strictSubject);
    expect(judged(results)).toEqual([]);
    const { bank, close, told } = openTestCore({ url: await listening(strictCore(books, { isOld: true })) });
    const { psuId, accountId } = strictSubject;
    for (const filter of [{ balances: true }, {}, { accountId }, { bban: 'BANK7001' }])
      expect((await bank.accountsOf(psuId, filter)).map(({ id }) => id)).toContain(accountId);
    expect(told.map(({ outcome }) => outcome)).toEqual([
      'ok',
      ...['refused-query', 'ok'],
      ...['refused-query', 'ok'],
      ...['refused-query', 'ok'],
    ]);
    await close();
  });

  it('of an old system passes, with its numbers, half months, screens and limits', async () => {
    const results = await tryCore(legacyCore(new Books(now)), legacySubject);
    expect(judged(results)).toEqual([]);
    expect(isGood(results)).toBe(true);
    const skipped = skippedIn(results);
    expect(skipped['payment-no-funds']).toMatch(
      /more than one transfer may be .*choose a poorer payerAccountId/,
    );
    expect(skipped['code-once']).toBe('the core sends no more codes to this person now (429)');
    expect(skipped['funds-closed']).toBe('the core no longer knows the account as one of this person');
    expect(results.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(70);
  });

  it('that offers only what is required passes', async () => {
    const results = await tryCore(minimalCore(new Books(now, false), 'token'), minimalSubject, 'token');
    expect(judged(results)).toEqual([]);
    expect(isGood(results)).toBe(true);
    const skipped = skippedIn(results);
    expect(skipped['statements-periods']).toBe('the account has fewer than 1 statements in these days');
    expect(skipped['balances-newest']).toBe('the transactions have no running balance');
    expect(skipped['code-once']).toBe('the core shows no demoCode, so codes cannot be tried');
  });

  it('without its token is one sentence', async () => {
    const server = minimalCore(new Books(now, false), 'token');
    await expect(tryCore(server, minimalSubject)).rejects.toThrow('refuses us (status 401 for /health)');
  });
});
