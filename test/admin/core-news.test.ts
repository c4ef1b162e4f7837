/** News from the core: a reason to ask it, never an answer; private, and the same however often it comes. */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { Bank } from '../../src/bank/bank.js';
import { MINUTE } from '../../src/lib/clock.js';
import type { AccountId } from '../../src/model/ids.js';
import { addAccess, addAccesses, pathOf, read } from '../api/ais/support.js';
import { readFeed } from '../events/support.js';
import { TestCore } from '../payment/remote/core.js';
import { approved, orderIn, readOrder, submit } from '../payment/support.js';
import { engines, hasPostgres } from '../support/engines.js';
import { account, psuId } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { useService, useTwoNodes, withStore } from '../support/use-service.js';

const TOKEN = 'news-token-of-this-test-0123456789';
const env = { TRAPEZA_CORE_NEWS_TOKEN: TOKEN };

interface Reply {
  readonly status: number;
  readonly results: readonly { readonly id: string; readonly result: string }[];
}

const post = (service: Service, body: unknown, token: string | undefined = TOKEN): Promise<Response> =>
  fetch(`${service.app.managementUrl}/core/news`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const tell = async (service: Service, ...items: readonly object[]): Promise<Reply> => {
  const answer = await post(service, { news: items.map((item) => ({ id: randomUUID(), ...item })) });
  return { status: answer.status, ...((await answer.json()) as Pick<Reply, 'results'>) };
};
const resultsOf = ({ results }: Reply): string[] => results.map(({ result }) => result);

const { id: accountId } = account('eleni', 101);
const closed = { kind: 'account-closed', accountId };
const removed = { kind: 'holder-removed', accountId, psuId: psuId('eleni') };

const standing = (service: Service, id: string) =>
  withStore(service, (db) =>
    db.one('select status, end_reason as "reason" from consents where id = ?', [id]),
  );

const settling = { status: 'ACSP', lookAgainAt: Number.MAX_SAFE_INTEGER } as const;

describe.each(engines)('news from the core on %s', (engine) => {
  const core = new TestCore();
  const [first] = core.held;
  const second = { ...first, id: account('eleni', 102).id, iban: account('eleni', 102).iban } as typeof first;
  const use = useService({ engine, bank: core.bank, env });
  afterEach(() => {
    core.play();
    core.held = [first, second].flatMap((each) => each ?? []);
  });
  const access = (...accounts: readonly (readonly [string, number])[]) =>
    addAccess(use(), { accounts: accounts.map(([name, number]) => account(name, number)) });

  it('asks for a payment at once, and believes the core alone', async () => {
    core.play(settling, settling, { status: 'ACSC' });
    const consent = await approved(use());
    const { paymentId } = orderIn(await submit(use(), consent));
    await use().app.runJobs();
    const status = async () => (await readOrder(use(), consent)).transactionStatus;
    expect(await status()).toBe('ACSP');
    const calls = core.calls.length;
    expect(resultsOf(await tell(use(), { kind: 'payment-changed', paymentId }))).toEqual(['done']);
    await use().app.runJobs();
    expect([await status(), core.calls.length]).toEqual(['ACSP', calls + 1]);
    expect(resultsOf(await tell(use(), { kind: 'payment-changed', paymentId }))).toEqual(['done']);
    await use().app.runJobs();
    expect(await status()).toBe('ACSC');
    expect(resultsOf(await tell(use(), { kind: 'payment-changed', paymentId }))).toEqual(['nothing']);
    expect(resultsOf(await tell(use(), { kind: 'payment-changed', paymentId: randomUUID() }))).toEqual([
      'nothing',
    ]);
  });

  it('ends consents for an account that is closed, if the core says so too, and no others', async () => {
    const [alone, both] = [await access(['eleni', 101]), await access(['eleni', 101], ['eleni', 102])];
    core.held = [first, second].flatMap((each) => each ?? []);
    expect(resultsOf(await tell(use(), closed))).toEqual(['unconfirmed']);
    expect(await standing(use(), alone.id)).toEqual({ status: 'Valid', reason: null });
    core.held = second ? [second] : [];
    expect(resultsOf(await tell(use(), closed))).toEqual(['done']);
    expect(await standing(use(), alone.id)).toEqual({ status: 'Expired', reason: 'ended-by-bank' });
    expect(await standing(use(), both.id)).toEqual({ status: 'Valid', reason: null });
    expect(resultsOf(await tell(use(), { ...closed, accountId: 'of-nobody' }))).toEqual(['nothing']);
    const told = JSON.stringify(await readFeed(use()));
    expect(told).toContain(alone.id);
  });

  it('ends the consents of every holder of an account that is closed, each with its row in the audit log', async () => {
    const many = { ...account('eleni', 101), id: 'of-150-people' as AccountId };
    const holders = Array.from({ length: 150 }, () => ({ accounts: [many] }));
    const made = (await addAccesses(use(), holders)).map(({ id }) => id);
    await withStore(use(), async (db) => {
      for (const [index, id] of made.entries())
        await db.run('update consents set psu_id = ? where id = ?', [`holder-${index}`, id]);
    });
    const ended = () =>
      withStore(use(), async (db) => ({
        open: await db.all(
          "select id from consents where status = 'Valid' and id in (select consent_id from consent_accounts where account_id = ?)",
          [many.id],
        ),
        audited: await db.all<{ subject: string }>(
          "select subject from audit_log where actor = 'core' and act = 'consent.end' and reason like '%closed%'",
        ),
      }));
    const before = (await ended()).audited.length;
    const { accountsOf } = core.bank;
    const broken: Bank['accountsOf'] = async (person) => {
      if (person === 'holder-7') throw new Error('down');
      return [];
    };
    Object.assign(core.bank, { accountsOf: broken });
    const news = { ...closed, accountId: many.id };
    expect(resultsOf(await tell(use(), news))).toEqual(['failed']);
    expect((await ended()).open).toHaveLength(1);
    Object.assign(core.bank, { accountsOf: async () => [] });
    expect(resultsOf(await tell(use(), news))).toEqual(['done']);
    Object.assign(core.bank, { accountsOf });
    const { open, audited } = await ended();
    expect(open).toEqual([]);
    expect(audited).toHaveLength(before + 150);
    expect(new Set(audited.map(({ subject }) => subject))).toEqual(
      new Set([...made.map((id) => `consent:${id}`), ...audited.slice(0, before).map((row) => row.subject)]),
    );
  });

  it('closes an account to a person who holds it no more, before the minute is over', async () => {
    const both = await access(['eleni', 101], ['eleni', 102]);
    const balances = () => read(use(), both, pathOf('getBalances', both.first));
    expect((await balances()).status).toBe(200);
    core.held = second ? [second] : [];
    expect((await balances()).status).toBe(200);
    expect(resultsOf(await tell(use(), removed))).toEqual(['done']);
    expect((await balances()).status).toBe(404);
    expect(await standing(use(), both.id)).toEqual({ status: 'Valid', reason: null });
  });

  it('ends a consent once, whatever is repeated, and keeps why', async () => {
    const { id } = await access(['eleni', 101]);
    const news = { id: randomUUID(), kind: 'consent-ended', consentId: id, reason: 'death' };
    expect(resultsOf(await tell(use(), news, news))).toEqual(['done', 'nothing']);
    expect(await standing(use(), id)).toEqual({ status: 'Expired', reason: 'ended-by-bank' });
    expect(resultsOf(await tell(use(), { ...news, consentId: randomUUID() }))).toEqual(['nothing']);
    const notes = await withStore(use(), (db) =>
      db.all<{ note: string }>('select note from consent_history where consent_id = ? and note is not null', [
        id,
      ]),
    );
    expect(notes).toEqual([{ note: 'core: death' }]);
  });

  it('that cannot be checked now has failed, and the rest is done', async () => {
    const { id } = await access(['eleni', 101]);
    const { accountsOf } = core.bank;
    Object.assign(core.bank, { accountsOf: () => Promise.reject(new Error('down')) });
    const ended = { kind: 'consent-ended', consentId: (await access(['eleni', 102])).id, reason: 'court' };
    const reply = await tell(use(), removed, ended).finally(() => Object.assign(core.bank, { accountsOf }));
    expect(resultsOf(reply)).toEqual(['failed', 'done']);
    expect(await standing(use(), id)).toEqual({ status: 'Valid', reason: null });
  });

  it('is refused without its token, in a flood too, and if it is no news', async () => {
    const { id } = await access(['eleni', 101]);
    const news = [{ id: randomUUID(), kind: 'consent-ended', consentId: id, reason: 'fraud' }];
    const lines = use().logs.length;
    for (const token of [undefined, 'x', `${TOKEN}x`, TOKEN.toUpperCase()])
      for (let times = 0; times < 50; times += 1)
        expect((await post(use(), { news }, token ?? '')).status).toBe(401);
    expect(use().logs.length - lines).toBeLessThan(50);
    for (const body of [
      'x',
      '{}',
      { news: [] },
      { news: [{ ...news[0], more: 1 }] },
      { news: [{ ...news[0], kind: 'other' }] },
      { news: Array.from({ length: 101 }, () => news[0]) },
    ])
      expect((await post(use(), body)).status).toBe(400);
    expect((await post(use(), ' '.repeat(1_000_000))).status).toBe(400);
    expect((await fetch(`${use().url}/core/news`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${use().app.managementUrl}/core/news`)).status).toBe(404);
    expect(await standing(use(), id)).toEqual({ status: 'Valid', reason: null });
    expect(use().logs.join('')).not.toContain(TOKEN);
  });
});

describe('without a token', () => {
  const use = useService();

  it('there is no such path', async () => {
    expect((await post(use(), { news: [] })).status).toBe(404);
  });
});

describe.runIf(hasPostgres)('two nodes', () => {
  const core = new TestCore();
  const nodes = useTwoNodes(() => ({ bank: core.bank, env: { ...env, BASE_URL: 'http://127.0.0.1:1' } }));

  it('see the end of a consent at once, and who holds what within a minute', async () => {
    const [here, there] = nodes as [Service, Service];
    const ended = await addAccess(here, { accounts: [account('eleni', 101)] });
    const kept = await addAccess(here, { accounts: [account('eleni', 101), account('eleni', 102)] });
    const balances = () => read(there, kept, pathOf('getBalances', kept.first));
    expect((await balances()).status).toBe(200);
    core.held = core.held.map((each) => ({ ...each, id: account('eleni', 102).id as AccountId }));
    expect(resultsOf(await tell(here, removed))).toEqual(['done']);
    expect((await read(there, ended, pathOf('getBalances', ended.first))).status).toBe(403);
    there.clock.advance(MINUTE);
    expect((await balances()).status).toBe(404);
  });
});
