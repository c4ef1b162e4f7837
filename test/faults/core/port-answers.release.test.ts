/** The faults of the core simulator in what no caller of the interface asks for: the port is asked, and the next right answer counts. */
import { describe, expect, it } from 'vitest';
import { type FaultKind, faultKinds, isSeenIn } from '../../../packages/core-kit/src/simulator/faults.js';
import type { ConsentChange } from '../../../src/bank/consent-note.js';
import { newId } from '../../../src/lib/id.js';
import { openTestCore } from '../../bank/http/raw-core.js';
import { send, useSimulators } from '../../core-kit/simulator/use-simulator.js';

const simulators = useSimulators('sqlite');
const lateKinds: readonly FaultKind[] = ['late', 'half-open', 'slow-bytes'];
const slugOf = (kind: FaultKind): string =>
  lateKinds.includes(kind) ? 'processing-timeout' : 'dependency-unavailable';
const kindsOf = (operation: 'ping' | 'putConsent'): FaultKind[] =>
  (Object.keys(faultKinds) as FaultKind[]).filter((kind) => isSeenIn(kind, operation));

const open = async (kind: FaultKind, operation: 'ping' | 'putConsent') => {
  const { url } = await simulators().start({ faults: [{ kind, operation }] });
  const core = openTestCore({ url });
  const behave = async (): Promise<void> => {
    expect((await send(url, 'PUT', '/simulator/faults', [])).status).toBe(200);
  };
  return { ...core, url, behave };
};

describe('ping', () => {
  it.each(kindsOf('ping'))('integrator S1: %s is no sign of a core that works', async (kind) => {
    const { bank, behave, close } = await open(kind, 'ping');
    await expect(bank.ping()).rejects.toMatchObject({ slug: slugOf(kind) });
    if (kind !== 'maintenance')
      await expect(bank.wantsConsents?.()).rejects.toMatchObject({ slug: slugOf(kind) });
    else expect(await bank.wantsConsents?.()).toBe(false);
    await behave();
    await bank.ping();
    expect(await bank.wantsConsents?.()).toBe(true);
    await close();
  });
});

const change: Omit<ConsentChange, 'consentId'> = {
  revision: 5,
  kind: 'AccountAccess',
  status: 'Valid',
  reason: null,
  at: Date.UTC(2026, 10, 15),
  psuId: 'customer-4711',
  accountIds: ['GR-101-EUR'],
  clientId: 'shop-checkout',
  thirdParty: { name: 'Agora Pay', registration: 'PSDGR-BOG-12345' },
  validUntil: null,
};

describe('putConsent', () => {
  it.each(kindsOf('putConsent'))('%s is no answer, and a repetition is one', async (kind) => {
    const { bank, behave, url, close } = await open(kind, 'putConsent');
    const consentId = newId();
    await expect(bank.consentChanged?.({ ...change, consentId })).rejects.toMatchObject({
      slug: slugOf(kind),
    });
    await behave();
    await bank.consentChanged?.({ ...change, consentId });
    await bank.consentChanged?.({ ...change, consentId, revision: 4, status: 'Expired' });
    const { json } = await send(url, 'GET', '/simulator/consents');
    const listed = json as { consents: { consentId: string; status: string }[] };
    expect(listed.consents.filter((each) => each.consentId === consentId)).toMatchObject([
      { status: 'Valid', revision: 5, applicationId: 'shop-checkout', changedAt: '2026-11-15T00:00:00.000Z' },
    ]);
    await bank.consentChanged?.({ ...change, consentId, revision: 6, status: 'RevokedByPsu' });
    expect(await bank.consentChanged?.({ ...change, consentId, revision: 3 })).toMatchObject({ revision: 6 });
    expect(await bank.consentChanged?.({ ...change, consentId, revision: 7 })).toMatchObject({ revision: 7 });
    const after = (await send(url, 'GET', '/simulator/consents')).json as typeof listed;
    expect(after.consents.find((each) => each.consentId === consentId)?.status).toBe('RevokedByPsu');
    await close();
  });
});
