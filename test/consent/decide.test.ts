/** What an account holder may decide about a consent, whichever page asks. */

import { describe, expect, it } from 'vitest';
import { findAsked, shownHash } from '../../src/consent/asked.js';
import { approveConsent } from '../../src/consent/decide.js';
import { Vault } from '../../src/lib/vault.js';
import { engines } from '../support/engines.js';
import { psuId } from '../support/operations.js';
import { testSecret } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';

describe.each(engines)('decisions on %s', (engine) => {
  const use = useService({ engine });

  it('the term of an account access is the third party’s', async () => {
    const body = { permissions: ['AccountsBasic'] };
    const created = await use().call({ method: 'POST', path: '/ais/psd2/v1/consents', body });
    const { consentId: id } = created.json as { consentId: string };
    await withStore(use(), async (db) => {
      const asked = await findAsked(db, id, psuId('eleni'));
      if (!asked) throw new Error('no consent');
      const term = { lastDay: null, timeZone: 'Europe/Athens' };
      const at = use().clock.now();
      const approval = {
        id,
        psuId: asked.psuId,
        shownHash: shownHash(asked),
        accounts: [],
        at,
        regime: 'psd2',
        vault: new Vault(testSecret),
      } as const;
      await expect(approveConsent(db, { ...approval, term })).rejects.toThrow('not chosen');
      expect(await findAsked(db, id, asked.psuId)).toMatchObject({ status: 'Received' });
      expect(await approveConsent(db, approval)).toBe('done');
      expect(await findAsked(db, id, asked.psuId)).toMatchObject({ expiresAt: asked.expiresAt });
    });
  });
});
