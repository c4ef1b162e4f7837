/** A bank that wants to know of consents: the last state of each reaches it, whatever breaks, and nothing waits for it. */
import { afterEach, describe, expect, it } from 'vitest';
import type { ConsentChange } from '../../src/bank/consent-note.js';
import { HOUR, MINUTE } from '../../src/lib/clock.js';
import type { ConsentId } from '../../src/model/ids.js';
import { bankWith } from '../bank/banks.js';
import { approved, decide, stage } from '../payment/support.js';
import { done } from '../support/client.js';
import { engines } from '../support/engines.js';
import { account, FINANCE, psuId } from '../support/operations.js';
import { startService } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';

/** Keeps the highest revision of each consent, as the contract says. */
class Register {
  readonly calls: ConsentChange[] = [];
  readonly states = new Map<string, ConsentChange>();
  isWanted = true;
  /** What happens before, or instead of, keeping a state. */
  meet: (change: ConsentChange) => Promise<void> = async () => undefined;

  readonly bank = bankWith({
    wantsConsents: async () => this.isWanted,
    consentChanged: async (change) => {
      this.calls.push(change);
      await this.meet(change);
      if ((this.states.get(change.consentId)?.revision ?? 0) < change.revision)
        this.states.set(change.consentId, change);
      return this.states.get(change.consentId)?.revision ?? change.revision;
    },
  });

  statusOf = (id: string): string | undefined => this.states.get(id)?.status;
}

describe.each(engines)('a bank that wants to know of consents, on %s', (engine) => {
  const register = new Register();
  const options = { engine, bank: register.bank };
  const use = useService(options);
  afterEach(() => {
    register.isWanted = true;
    register.meet = async () => undefined;
    register.calls.length = 0;
  });

  const staged = async (): Promise<string> =>
    (done(await stage(use())).json as { consentId: string }).consentId;
  const given = (): Promise<string> => approved(use());
  const untold = () =>
    withStore(use(), (db) =>
      db.all("select id from events where kind = 'consent' and bank_due_at is not null"),
    );

  it('is told when one was given and when it has ended, not when it is asked for', async () => {
    const id = await staged();
    await use().app.runJobs();
    expect(register.calls).toEqual([]);
    await decide(use(), id, 'approve');
    await use().app.runJobs();
    expect(register.calls).toEqual([
      {
        consentId: id,
        revision: expect.any(Number),
        kind: 'PaymentInitiation',
        status: 'Valid',
        reason: null,
        at: expect.any(Number),
        psuId: psuId('eleni'),
        accountIds: [account('eleni', 101).id],
        clientId: FINANCE,
        thirdParty: { name: expect.any(String), registration: expect.stringContaining('PSDGR') },
        validUntil: expect.any(Number),
      },
    ]);
    await decide(use(), id, 'revoke');
    await use().app.runJobs();
    await use().app.runJobs();
    expect(register.calls).toHaveLength(2);
    expect(register.states.get(id)).toMatchObject({ status: 'RevokedByPsu', reason: 'withdrawn' });
  });

  it('that does not want to know is not called, and hears of it once it does', async () => {
    register.isWanted = false;
    const id = await given();
    await use().app.runJobs();
    expect(register.calls).toEqual([]);
    register.isWanted = true;
    await use().app.runJobs();
    expect(register.statusOf(id)).toBe('Valid');
  });

  it('is told again by another node if one dies after the call; what arrives late changes nothing', async () => {
    const id = await given();
    let arrive: () => void = () => undefined;
    register.meet = () =>
      new Promise((resolve) => {
        arrive = resolve;
      });
    const dying = use().app.runJobs();
    await expect.poll(() => register.calls.length).toBe(1);
    register.meet = async () => undefined;
    await decide(use(), id, 'revoke');
    const other = await startService({ ...options, databaseUrl: use().databaseUrl });
    try {
      await other.app.runJobs();
      expect(register.statusOf(id)).toBe('RevokedByPsu');
      arrive();
      await dying;
      await Promise.all([use(), other].map(({ app }) => app.runJobs()));
      expect(register.statusOf(id)).toBe('RevokedByPsu');
      expect(await untold()).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('that knows a later state than the store keeps it: the loss is logged and counted, once', async () => {
    const [id, other] = [await given(), await given()];
    await use().app.runJobs();
    const [known] = register.calls.splice(0);
    // Further off than any loss: a core that counts something else proves nothing.
    const lost = { ...(known ?? expect.unreachable()), revision: 10_000_000_000, status: 'RevokedByPsu' };
    register.states.set(id, { ...lost, consentId: id as ConsentId });
    // As a store that has lost its last seconds.
    await withStore(use(), (db) =>
      db.run("update events set bank_due_at = 0 where kind = 'consent' and consent_id in (?, ?)", [
        id,
        other,
      ]),
    );
    for (const _ of [1, 2]) await use().app.runJobs();
    expect(register.calls.map(({ consentId }) => consentId).sort()).toEqual([id, other].sort());
    expect(register.statusOf(id)).toBe('RevokedByPsu');
    const metrics = await (await fetch(`${use().app.managementUrl}/metrics`)).text();
    expect(metrics).toContain('trapeza_core_consents_ahead_total 1\n');
    const told = use().logs.filter((line) => line.includes('a later state of this consent'));
    expect(told.map((line) => JSON.parse(line) as object)).toMatchObject([{ consent: id }]);
    expect(await untold()).toEqual([]);
  });

  it('that is away for hours is told the last state of each, and one that fails keeps no other waiting', async () => {
    const [ended, ...kept] = [await given(), await given(), await given()];
    register.meet = () => Promise.reject(new Error('away'));
    await use().app.runJobs();
    await decide(use(), ended, 'revoke');
    use().clock.advance(6 * HOUR);
    await use().app.runJobs();
    register.meet = async ({ consentId }) => {
      if (consentId === ended) throw new Error('only this one');
    };
    for (const _ of [1, 2]) {
      use().clock.advance(15 * MINUTE);
      await use().app.runJobs();
    }
    expect([ended, ...kept].map(register.statusOf)).toEqual([undefined, 'Valid', 'Valid']);
    register.meet = async () => undefined;
    register.calls.length = 0;
    use().clock.advance(15 * MINUTE);
    await use().app.runJobs();
    expect(register.calls).toMatchObject([{ consentId: ended, status: 'RevokedByPsu' }]);
    expect(await untold()).toEqual([]);
  });
});

describe('a bank that knows more than the store ever had', () => {
  const register = new Register();
  const use = useService({ bank: register.bank });

  it('proves a loss: nothing is answered until an operator accepts it', async () => {
    const id = await approved(use());
    await use().app.runJobs();
    const [known] = register.calls.splice(0);
    const told = known ?? expect.unreachable();
    const last = await withStore(use(), (db) =>
      db.one<{ last: number }>('select last from event_positions where client_id = ?', [told.clientId]),
    );
    const revision = (last?.last ?? 0) + 3;
    register.states.set(id, { ...told, revision, status: 'RevokedByPsu', consentId: id as ConsentId });
    await withStore(use(), (db) =>
      db.run("update events set bank_due_at = 0 where kind = 'consent' and consent_id = ?", [id]),
    );
    await use()
      .app.runJobs()
      .catch(() => undefined);
    expect(use().app.readiness()).toMatchObject({ ready: false, reasons: { store: 'forgot' } });
    await use().app.admin.acceptStore();
    await expect.poll(() => use().app.readiness().checks.store).toBe('ok');
    // Whatever happens to the consent from here on has a number that the core takes.
    await decide(use(), id, 'revoke');
    await use().app.runJobs();
    expect(register.calls.at(-1)?.revision).toBeGreaterThan(revision);
  });
});
