/** Acts that need two people: one proposes, another one decides, within a day, and the audit log has both. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Proposed } from '../../src/acts/proposals.js';
import { Admin } from '../../src/admin/admin.js';
import { readConfig } from '../../src/config/config.js';
import { DAY, MINUTE } from '../../src/lib/clock.js';
import { quartersUntil } from '../../src/statistics/quarters.js';
import type { Db } from '../../src/store/db.js';
import { testAudit } from '../support/audit.js';
import { type Service, startService } from '../support/service.js';
import { withStore } from '../support/use-service.js';
import { openStore } from '../tpp/support.js';
import { enrolOperator, insertPayment, UNRESOLVE } from './support.js';
import type { Visitor } from './visitor.js';

describe('acts that need two people', () => {
  let service: Service;
  let anna: Visitor;
  let vasilis: Visitor;
  let sofia: Visitor;
  let tppId = '';
  let paymentId = '';
  const admin = () => service.app.admin;
  const rows = async (count: number) =>
    (await admin().audit({}, count)).map(({ actor, act, subject, reason }) =>
      [actor, act, subject, reason].join(' '),
    );
  const idOf = async (): Promise<string> => (await admin().proposals()).at(-1)?.id ?? '';
  const statusOf = async () => (await admin().tpps(tppId))[0]?.status;
  const paymentStatus = () =>
    withStore(
      service,
      async (db) =>
        (await db.one<{ status: string }>('select status from payment_orders where id = ?', [paymentId]))
          ?.status,
    );

  beforeAll(async () => {
    service = await startService({ env: { TRAPEZA_TWO_PEOPLE: 'on' } });
    anna = await enrolOperator(service, 'anna', 'admin');
    vasilis = await enrolOperator(service, 'vasilis', 'admin');
    sofia = await enrolOperator(service, 'sofia', 'compliance');
    [tppId = ''] = (await admin().tpps()).map(({ id }) => id);
    paymentId = await insertPayment(service);
    await withStore(service, (db) => db.run(UNRESOLVE, [paymentId]));
  });
  afterAll(() => service.close());

  it('are not done by one, and done when another one confirms', async () => {
    const settle = { reason: 'asked the core', outcome: 'settled' };
    const asked = await anna.press(`/operator/payments/${paymentId}/settle`, settle);
    expect(asked.location).toContain('done=proposed');
    expect(await paymentStatus()).toBe('RCVD');
    const id = await idOf();
    expect((await anna.press(`/operator/proposals/${id}/confirm`, { reason: 'me too' })).location).toContain(
      'done=own',
    );
    expect((await anna.get('/operator/proposals')).body).not.toContain(`${id}/confirm`);
    // Who may not do the act may not decide on it.
    expect((await sofia.get('/operator/proposals')).body).not.toContain(id);
    expect((await sofia.press(`/operator/proposals/${id}/confirm`, { reason: 'x' })).location).toContain(
      'done=gone',
    );
    expect(await paymentStatus()).toBe('RCVD');
    expect((await vasilis.press(`/operator/proposals/${id}/confirm`, { reason: '' })).status).toBe(400);
    expect(
      (await vasilis.press(`/operator/proposals/${id}/confirm`, { reason: 'seen it' })).location,
    ).toContain('done=confirmed');
    expect(await paymentStatus()).toBe('ACSC');
    const subject = `payment:${paymentId}`;
    expect(await rows(3)).toEqual([
      `operator:vasilis payment.settle ${subject} seen it`,
      `operator:vasilis proposal.confirm ${subject} seen it`,
      `operator:anna proposal.make ${subject} asked the core`,
    ]);
    expect(
      (await vasilis.press(`/operator/proposals/${id}/confirm`, { reason: 'again' })).location,
    ).toContain('done=gone');
  });

  it('are refused with a reason, also by the proposer', async () => {
    for (const visitor of [vasilis, anna]) {
      await anna.press(`/operator/parties/${tppId}/suspend`, { reason: 'fraud' });
      const id = await idOf();
      expect((await visitor.press(`/operator/proposals/${id}/refuse`, { reason: 'no' })).location).toContain(
        'done=refused',
      );
      expect((await vasilis.press(`/operator/proposals/${id}/confirm`, { reason: 'x' })).location).toContain(
        'done=gone',
      );
      expect(await statusOf()).toBe('active');
    }
  });

  it('are decided by nobody whose role may not do them, whoever asks', async () => {
    await anna.press(`/operator/parties/${tppId}/suspend`, { reason: 'fraud' });
    const id = await idOf();
    const before = await rows(1);
    for (const role of ['service', 'customers', 'compliance', undefined] as const) {
      const other = admin().as({ actor: 'operator:other', role, reason: 'x' });
      expect([role, await other.confirmProposal(id), await other.refuseProposal(id)]).toEqual([
        role,
        'gone',
        'gone',
      ]);
    }
    expect(await rows(1)).toEqual(before);
    expect(await admin().as({ actor: 'cli:root', reason: 'at the machine' }).refuseProposal(id)).toBe(
      'refused',
    );
  });

  it('leave a suspension with an end to one person: an emergency does not wait', async () => {
    const until = new Date(service.clock.now() + 3 * DAY).toISOString().slice(0, 10);
    expect(
      (await anna.press(`/operator/parties/${tppId}/suspend`, { reason: 'fraud', until })).location,
    ).toContain('done=suspended');
    expect(await statusOf()).toBe('suspended');
    await anna.press(`/operator/parties/${tppId}/resume`, { reason: 'cleared' });
  });

  it('are decided once, however many confirm at the same time', async () => {
    await anna.press(`/operator/parties/${tppId}/suspend`, { reason: 'licence lost' });
    const id = await idOf();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => vasilis.press(`/operator/proposals/${id}/confirm`, { reason: 'seen' })),
    );
    expect(answers.filter(({ location }) => location?.includes('done=confirmed'))).toHaveLength(1);
    expect(await statusOf()).toBe('suspended');
    expect(await rows(1)).toEqual([`operator:vasilis tpp.suspend tpp:${tppId} seen`]);
    await anna.press(`/operator/parties/${tppId}/resume`, { reason: 'done' });
  });

  it('are proposed by a command, which never confirms', async () => {
    const by = { actor: 'cli:root', reason: 'at the machine' };
    await withStore(service, async (db) => {
      const { clock } = service;
      const config = { fapi2Only: 'off', twoPeople: 'on', timeZone: 'UTC' } as const;
      const root = new Admin({ db, audit: testAudit, clock, bankTime: async () => clock.now(), config, by });
      const [, quarter = ''] = quartersUntil(clock.now(), 'UTC', 2);
      const alive = `insert into statistics_spans (kind, node, first_at, last_at) values ('beat', 'test', ?, ?)`;
      await db.run(alive, [1, clock.now()]);
      await expect(root.publishStatistics(quarter)).rejects.toThrow(Proposed);
      await expect(root.confirmProposal(await idOf())).rejects.toThrow('in the console');
    });
    const id = await idOf();
    expect(
      (await sofia.press(`/operator/proposals/${id}/confirm`, { reason: 'checked' })).location,
    ).toContain('done=confirmed');
    expect((await rows(1))[0]).toContain('operator:sofia statistics.publish quarter:');
  });

  it('of a shell are not confirmed in the console by a login of the same name', async () => {
    const by = { actor: 'cli:anna', reason: 'from my machine' };
    await withStore(service, async (db) => {
      const { clock } = service;
      const config = { fapi2Only: 'off', twoPeople: 'on', timeZone: 'UTC' } as const;
      const shell = new Admin({ db, audit: testAudit, clock, bankTime: async () => clock.now(), config, by });
      await expect(shell.suspendTpp(tppId)).rejects.toThrow(Proposed);
    });
    const id = await idOf();
    const own = await anna.press(`/operator/proposals/${id}/confirm`, { reason: 'the same person' });
    expect(own.location).toContain('done=own');
    expect((await anna.get('/operator/proposals')).body).not.toContain(`${id}/confirm`);
    expect(await statusOf()).toBe('active');
    await vasilis.press(`/operator/proposals/${id}/refuse`, { reason: 'not needed' });
  });

  it('are void after a day', async () => {
    await anna.press(`/operator/parties/${tppId}/suspend`, { reason: 'late' });
    const id = await idOf();
    service.clock.advance(DAY + MINUTE);
    const late = await enrolOperator(service, 'late', 'admin');
    expect((await late.press(`/operator/proposals/${id}/confirm`, { reason: 'x' })).location).toContain(
      'done=gone',
    );
    expect(await statusOf()).toBe('active');
  });

  it('are the default of every store but that of a sandbox', async () => {
    const by = { actor: 'operator:anna', role: 'admin', reason: 'a bank that has set nothing' } as const;
    const settle = (db: Db): Promise<boolean> => {
      const { clock } = service;
      const parts = { db, audit: testAudit, clock, bankTime: async () => clock.now(), by };
      const admin = new Admin({ ...parts, config: readConfig({}) });
      return admin.settlePayment('unknown', { outcome: { status: 'ACSC' }, by: 'anna', isForced: false });
    };
    const bank = await openStore('sqlite');
    await expect(settle(bank.db)).rejects.toThrow(Proposed);
    await bank.close();
    const refusal = await withStore(service, settle).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Error);
    expect(refusal).not.toBeInstanceOf(Proposed);
  });
});
