/** The head of the audit log leaves the store every hour, by the schedule that a service keeps by itself. */
import { describe, expect, it } from 'vitest';
import { readHead } from '../../src/audit/audit-log.js';
import { HOUR } from '../../src/lib/clock.js';
import { useService, withStore } from '../support/use-service.js';

describe('the head of the audit log', () => {
  const service = useService();

  it('is in the log of the service once an hour, as the chain has it then', async () => {
    const lines = () =>
      service()
        .logs.map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ msg }) => msg === 'audit head');
    // A job that is new has its first turn after its interval: the service has looked for due jobs once.
    const isKnown = () =>
      withStore(
        service(),
        async (db) => (await db.all("select 1 from jobs where name = 'audit head'")).length,
      );
    await expect.poll(isKnown).toBe(1);
    for (const hours of [1, 2]) {
      const [tpp] = await service().app.admin.tpps();
      await service().app.admin.setUnattended(tpp?.id ?? '', { perDay: hours });
      service().clock.advance(HOUR);
      await expect.poll(() => lines().length).toBe(hours);
      const { position, hash } = await withStore(service(), readHead);
      expect(lines().at(-1)).toMatchObject({ position, head: hash });
    }
    expect(lines().map(({ position }) => position)).toEqual([1, 2]);
  });
});
