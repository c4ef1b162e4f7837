/** The Payment Services Regulation: the new authentication after 180 days is the third party's duty, and the bank refuses nothing for it. */
import { describe, expect, it } from 'vitest';
import { tellEnds } from '../../src/jobs/tell-ends.js';
import { DAY } from '../../src/lib/clock.js';
import { addAccess, pathOf, read } from '../api/ais/support.js';
import { engines } from '../support/engines.js';
import { useService, withStore } from '../support/use-service.js';

describe.each(engines)('under the PSR, on %s', (engine) => {
  const use = useService({ engine, env: { TRAPEZA_REGIME: 'psr' } });

  it('an authentication does not end: reads go on, nothing names an end, and no event announces one', async () => {
    const access = await addAccess(use(), { scaAgeMs: 400 * DAY });
    expect((await read(use(), access, pathOf('getBalances', access.first))).status).toBe(200);
    const record = await use().call({ path: `/ais/psd2/v1/consents/${access.id}`, as: access.as });
    expect(record.json).toMatchObject({ consentStatus: 'Valid' });
    expect(record.json).not.toHaveProperty('scaValidUntil');
    const now = async () => use().clock.now();
    await withStore(use(), async (db) => {
      expect(await tellEnds(db, now, 'psr').step()).toBe(0);
      expect(await tellEnds(db, now, 'psd2').step()).toBeGreaterThan(0);
    });
  });

  it('days before the last 90 still need an authentication', async () => {
    const access = await addAccess(use(), { scaAgeMs: 400 * DAY });
    const path = `${pathOf('getTransactions', access.first)}?dateFrom=2020-01-01`;
    expect((await read(use(), access, path)).json).toMatchObject({
      type: expect.stringContaining('history-needs-authentication'),
    });
  });

  it('the reference does not name what is never answered', async () => {
    const page = await (await fetch(`${use().url}/docs/ais/get-transactions`)).text();
    expect(page).toContain('history-needs-authentication');
    expect(page).not.toContain('sca-renewal-required');
  });
});
