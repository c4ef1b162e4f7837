/** A call that was answered with 408 has no effect, also where the effect is the whole sandbox. */
import { expect, it } from 'vitest';
import { slugOf } from '../support/client.js';
import { hasPostgres } from '../support/engines.js';
import { askForReset, FINANCE } from '../support/operations.js';
import { useService, withStore } from '../support/use-service.js';
import { attackVolume } from './volume.js';

const use = useService({ engine: 'postgres', env: { TRAPEZA_DEADLINE_MS: '1000' } });

it.runIf(hasPostgres)('code M5: a reset that took too long has changed nothing', async () => {
  const service = use();
  for (let round = 0; round < attackVolume(1, 5); round += 1)
    await withStore(service, async (db) => {
      await db.run('update applications set name = ? where client_id = ?', [`kept ${round}`, FINANCE]);
      const late = await db.transaction(async (tx) => {
        await tx.run('lock table psu_sessions in share mode');
        return askForReset(service);
      });
      expect([late.status, slugOf(late)]).toEqual([408, 'processing-timeout']);
      // Waits for the reset, which goes on as soon as it can.
      const name = await db.exclusive((tx) =>
        tx.one('select name from applications where client_id = ?', [FINANCE]),
      );
      expect(name).toEqual({ name: `kept ${round}` });
    });
});
