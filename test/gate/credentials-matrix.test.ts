/** Scope × role × operation, from one table: what an area demands, and nothing besides, decides. */
import { beforeAll, describe, expect, it } from 'vitest';
import { roleOf, roles, type Scope, scopeOf, scopes } from '../../src/model/caller.js';
import { createApplication, createTpp } from '../../src/tpp/registry.js';
import { type Answer, slugOf } from '../support/client.js';
import { areaOf, goodRequest, type OperationId, operationIds } from '../support/operations.js';
import { subscribe } from '../support/registry.js';
import { useService, withStore } from '../support/use-service.js';
import { type Forge, openForge, signed } from './tables/forged-tokens.js';

const subsets = <T>(all: readonly T[]): T[][] =>
  all.reduce<T[][]>((found, each) => found.concat(found.map((subset) => [...subset, each])), [[]]);

/** A third party cannot be registered without a role. */
const roleSets = subsets(roles).filter((held) => held.length > 0);
const scopeSets: readonly (readonly Scope[])[] = subsets(scopes);

const service = useService();
const keys = new Map<string, string>();
let forge: Forge;

/** An application whose third party holds these roles and whose subscription has every product. */
const clientOf = (held: readonly string[]): string => `matrix-${held.join('-')}`;

beforeAll(async () => {
  forge = await openForge(service(), '');
  for (const held of roleSets) {
    const clientId = clientOf(held);
    await withStore(service(), (db) =>
      db.transaction(async (tx) => {
        const tppId = await createTpp(tx, { name: clientId, registration: clientId, roles: held }, 0);
        await createApplication(tx, { clientId, tppId, name: clientId, redirectUris: [] }, 0);
      }),
    );
    const products = ['piis', 'opendata', 'ais', 'pis'] as const;
    keys.set(clientId, (await subscribe(service(), { application: clientId, products })).key);
  }
  forge = await openForge(service(), '');
});

/** The applications of this test have no consents, so a call that is let through ends at its lookup. */
const letThrough: Readonly<Record<OperationId, string>> = {
  confirmFunds: '403 consent-required',
  getAtms: '200',
  getConsentStatus: '404 resource-not-found',
  getPaymentConsent: '404 resource-not-found',
  getEvents: '200',
};

const expected = (id: OperationId, held: readonly string[], granted: readonly string[]): string => {
  const scope = scopeOf[areaOf[id]];
  const role = roleOf[areaOf[id]];
  if (scope !== undefined && !granted.includes(scope)) return '403 insufficient-scope';
  return role !== undefined && !held.includes(role) ? '403 role-not-permitted' : letThrough[id];
};

const verdict = (answer: Answer): string =>
  answer.status === 200 ? '200' : `${answer.status} ${slugOf(answer)}`;

const call = (id: OperationId, held: readonly string[], scope: string): Promise<Answer> =>
  service().call({
    ...goodRequest(service(), id),
    headers: {
      'Ocp-Apim-Subscription-Key': keys.get(clientOf(held)),
      Authorization: `Bearer ${signed(forge, { client_id: clientOf(held), scope })}`,
    },
  });

describe.each(operationIds)('%s', (id) => {
  it.each(roleSets.map((held) => [held.join(' '), held] as const))(
    'with the roles %s is open to the scopes of its area alone',
    async (_roles, held) => {
      for (const granted of scopeSets) {
        const answer = await call(id, held, granted.join(' '));
        expect([granted, verdict(answer)]).toEqual([granted, expected(id, held, granted)]);
      }
    },
  );

  it.each([
    'PIIS AIS PIS',
    'piis,ais,pis',
    'piisaispis',
    'xpiis xais xpis',
    'piis.read ais.read pis.read',
    '*',
  ])('takes the scope "%s" for none of its own', async (scope) => {
    const answer = await call(id, roles, scope);
    expect(verdict(answer)).toBe(expected(id, roles, []));
  });
});
