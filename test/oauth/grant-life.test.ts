/** How long a login for an application lasts: by the clock of the bank, and at least as long as a Valid funds consent needs it. */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/lib/clock.js';
import { addFundsConsent } from '../support/consents.js';
import { engines } from '../support/engines.js';
import { account, FINANCE, moveBankClock, resetSandbox } from '../support/operations.js';
import { useService, withStore } from '../support/use-service.js';
import { discover, obtainTokens, postToken } from './provider-journey.js';

describe.each(engines)('a login on %s', (engine) => {
  const use = useService({ engine, env: { TRAPEZA_GRANT_DAYS: '400' } });

  const login = async (): Promise<() => Promise<number>> => {
    const { refresh_token: refreshToken = '' } = await obtainTokens(use(), await discover(use()));
    return async () => {
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
      return (await postToken(use(), form)).status;
    };
  };
  const forget = (): Promise<number> =>
    withStore(use(), (db) =>
      db.run(
        "update consents set status = 'RevokedByPsu' where kind = 'ConfirmationOfFunds' and client_id = ?",
        [FINANCE],
      ),
    );

  it('ends by the clock of the bank, counted from its last use', async () => {
    await forget();
    const refresh = await login();
    await moveBankClock(use(), 'P399D');
    expect(await refresh()).toBe(200);
    await moveBankClock(use(), 'P399D');
    expect(await refresh()).toBe(200);
    await moveBankClock(use(), 'P401D');
    expect(await refresh()).toBe(400);
    await resetSandbox(use());
  });

  it.each([
    ['with an end', 900],
    ['until it is withdrawn', undefined],
  ])('lives as long as a funds consent %s, also when it is swept', async (_how, days) => {
    await forget();
    const refresh = await login();
    const idle = await login();
    await addFundsConsent(use(), {
      psu: 'eleni',
      accounts: [account('eleni', 101)],
      status: 'Valid',
      ...(days === undefined ? {} : { expiresInMs: days * DAY }),
    });
    await moveBankClock(use(), 'P401D');
    await use().app.runJobs();
    expect(await refresh()).toBe(200);
    await moveBankClock(use(), 'P401D');
    expect([await idle(), await refresh()]).toEqual([200, 200]);
    await forget();
    await moveBankClock(use(), 'P901D');
    await use().app.runJobs();
    expect([await idle(), await refresh()]).toEqual([400, 400]);
    await resetSandbox(use());
  });
});
