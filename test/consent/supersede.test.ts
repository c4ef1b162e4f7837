/** A newer recurring account access takes the place of an older one if they share an account, and only then. */

import { describe, expect, it } from 'vitest';
import { findAsked, shownHash } from '../../src/consent/asked.js';
import { approveConsent } from '../../src/consent/decide.js';
import { consentAccount } from '../../src/consent/record.js';
import { Vault } from '../../src/lib/vault.js';
import { readFeed } from '../events/support.js';
import { racingEngines } from '../support/engines.js';
import { account, approve, ibanOf, psuId } from '../support/operations.js';
import { testSecret } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';
import { created } from './kinds.js';

const engines = racingEngines(
  'two approvals at once: on PostgreSQL neither sees the other before it has ended, SQLite has one writer',
);

describe.each(engines)('superseding on %s', (engine) => {
  const use = useService({ engine });
  const ask = async (numbers: readonly number[] | undefined, recurring = true): Promise<string> => {
    const accounts = numbers?.map((number) => ({ iban: ibanOf('eleni', number) }));
    const body = { permissions: ['AccountsBasic'], recurring, ...(accounts ? { accounts } : {}) };
    return created(await use().call({ method: 'POST', path: '/ais/psd2/v1/consents', body })).consentId;
  };
  const approved = async (...[numbers, recurring]: Parameters<typeof ask>): Promise<string> => {
    const id = await ask(numbers, recurring);
    await approve(use(), id);
    return id;
  };
  const record = async (id: string) => (await use().call({ path: `/ais/psd2/v1/consents/${id}` })).json;

  it('an account in common ends the older one, which names its successor', async () => {
    const older = await approved([101]);
    const newer = await approved([101, 102]);
    const ended = { statusReason: 'superseded', supersededBy: newer };
    expect(await record(older)).toMatchObject({ consentStatus: 'TerminatedByTpp', ...ended });
    const { events } = await readFeed(use(), '?limit=500');
    expect(events.filter(({ consentId }) => consentId === older).at(-1)).toMatchObject(ended);
    const answer = await use().call({ path: '/ais/psd2/v1/accounts', headers: { 'Consent-ID': older } });
    expect(answer.json).toMatchObject({ extensions: { consent: { status: 'TerminatedByTpp', ...ended } } });
  });

  it('other accounts leave it as it is, and so does a one-off access', async () => {
    const first = await approved([101]);
    const second = await approved([102]);
    await approved([101], false);
    for (const id of [first, second]) expect(await record(id)).toMatchObject({ consentStatus: 'Valid' });
    // Picked at the bank: all accounts, so both end.
    const all = await approved(undefined);
    for (const id of [first, second]) expect(await record(id)).toMatchObject({ supersededBy: all });
  });

  it('what the page did not show is not ended: of two approvals at once the second asks again', async () => {
    const ids = [await ask([101]), await ask([101])];
    await withStore(use(), async (db) => {
      const asked = await Promise.all(ids.map((id) => findAsked(db, id, psuId('eleni'))));
      const outcomes = await Promise.all(
        asked.map((each) => {
          if (!each) throw new Error('no consent');
          return approveConsent(db, {
            id: each.id,
            psuId: each.psuId,
            shownHash: shownHash(each),
            accounts: [consentAccount(account('eleni', 101))],
            at: use().clock.now(),
            regime: 'psd2',
            vault: new Vault(testSecret),
          });
        }),
      );
      expect(outcomes.toSorted()).toEqual(['changed', 'done']);
      const late = ids[outcomes.indexOf('changed')] ?? '';
      const won = ids[outcomes.indexOf('done')] ?? '';
      const again = await findAsked(db, late, psuId('eleni'));
      expect(again?.older.map(({ id }) => id)).toContain(won);
    });
    const statuses = await Promise.all(
      ids.map(async (id) => ((await record(id)) as { consentStatus: string }).consentStatus),
    );
    expect(statuses.toSorted()).toEqual(['Received', 'Valid']);
  });
});
