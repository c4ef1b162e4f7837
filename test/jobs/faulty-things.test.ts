/** Jobs that walk over many things: one that cannot be read or has changed meanwhile keeps no other waiting. */
import { describe, expect, it } from 'vitest';
import { Admin } from '../../src/admin/admin.js';
import { resumeParties } from '../../src/jobs/resume-parties.js';
import { sumOfEach } from '../../src/jobs/slices.js';
import { withdrawRegistrations } from '../../src/jobs/withdraw-registrations.js';
import { DAY, HOUR } from '../../src/lib/clock.js';
import { resumeOverdue } from '../../src/tpp/overdue-suspensions.js';
import { testAudit } from '../support/audit.js';
import { engines } from '../support/engines.js';
import { useService, withStore } from '../support/use-service.js';
import { register } from '../tpp/support.js';

describe.each(engines)('a job on %s', (engine) => {
  const use = useService({ engine });

  it('withdraws whose certificates have expired, also beside certificates that cannot be read', async () => {
    const { clock } = use();
    const warnings: object[] = [];
    await withStore(use(), async (db) => {
      const parties = [await register(db), await register(db), await register(db)];
      const [broken, expired, another] = parties.map(({ tppId }) => tppId);
      const add = (tppId: string | undefined, fingerprint: string, notAfter: number) =>
        db.run(
          `insert into tpp_certificates (tpp_id, fingerprint, use, subject, pem, not_after, added_at) values (?, ?, 'seal', 'CN', ?, ?, 1)`,
          [tppId ?? '', fingerprint, 'not a certificate', notAfter],
        );
      const later = clock.now() + 300 * DAY;
      for (let index = 0; index < 25; index += 1) await add(broken, `00${index}`, later);
      await add(expired, 'aa', clock.now() - DAY);
      await add(another, 'bb', clock.now() - DAY);
      for (const { tppId } of parties)
        await db.run("update tpps set registered_by = 'certificate' where id = ?", [tppId]);
      const job = withdrawRegistrations({
        ...{ db, clock, audit: testAudit },
        log: { warn: (fields: object) => void warnings.push(fields) } as never,
        certificates: { verify: () => Promise.reject(new Error('never reached')) } as never,
      });
      while ((await job.step()) > 0);
      const states = await db.all<{ id: string; status: string }>(
        "select id, status from tpps where registered_by = 'certificate'",
      );
      expect(new Map(states.map(({ id, status }) => [id, status]))).toEqual(
        new Map([
          [broken, 'active'],
          [expired, 'suspended'],
          [another, 'suspended'],
        ]),
      );
      expect(warnings.filter((fields) => 'certificate' in fields)).toHaveLength(25);
    });
  });

  it('resumes no third party that was suspended anew meanwhile', async () => {
    const { clock } = use();
    await withStore(use(), async (db) => {
      const { tppId } = await register(db);
      const context = { ...use().app, db, clock, audit: testAudit } as never;
      const admin = new Admin(context);
      await admin.suspendTpp(tppId, { until: clock.now() + HOUR });
      clock.advance(2 * HOUR);
      const statusOf = async () =>
        (await db.one<{ status: string }>('select status from tpps where id = ?', [tppId]))?.status;
      const job = resumeParties(db, clock, async (id) => {
        await admin.suspendTpp(id);
        return resumeOverdue(context, id);
      });
      expect([await job.step(), await statusOf()]).toEqual([0, 'suspended']);
      await admin.suspendTpp(tppId, { until: clock.now() - 1 });
      expect([
        await resumeParties(db, clock, (id) => resumeOverdue(context, id)).step(),
        await statusOf(),
      ]).toEqual([1, 'active']);
    });
  });
});

it('what fails is told only if nothing else was done', async () => {
  const work = async (each: number): Promise<number> => {
    if (each === 2) throw new Error('two');
    return 1;
  };
  expect(await sumOfEach([1, 2, 3], work)).toBe(2);
  await expect(sumOfEach([2], work)).rejects.toThrow('two');
});
