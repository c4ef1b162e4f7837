/** The statuses that the interface lists for every operation, on every read of account data. */
import { describe, expect, it } from 'vitest';
import { demoResourceId } from '../../../packages/sandbox/src/demo-consents.js';
import { slugOf } from '../../support/client.js';
import { account, psuId } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import { useService } from '../../support/use-service.js';
import { type Asked, impatientService, statusBlocks } from '../common-statuses.js';
import { wrongHeaders } from '../consent-reads.js';
import { historyBank } from './history-bank.js';
import { attended, pathOf, type ReadId, readIds } from './support.js';

const bank = historyBank();
const service = useService({ bank });
const short = impatientService({ bank });

/** As the seeded consent of the first application names the first account. */
const resourceOf = (world: Service): string => {
  const { application } = world.consent('AccountAccess');
  const accountId = account('eleni', 101).id;
  return demoResourceId({ clientId: application, psuId: psuId('eleni'), accountId });
};

const askedOf = (id: ReadId): Asked => ({
  area: 'ais',
  allowed: 'GET, HEAD',
  isList: ['getAccounts', 'getTransactions', 'getStatements'].includes(id),
  good: (world) => ({
    method: 'GET',
    path: pathOf(id, resourceOf(world)),
    headers: { 'Consent-ID': world.consent('AccountAccess').id, ...attended },
  }),
});

describe.each(readIds)('%s', (id) => {
  const asked = askedOf(id);
  const { good } = asked;

  describe('200 OK', () => {
    it('answers HEAD like GET, without the body, and is never cached', async () => {
      const get = await service().call(good(service()));
      const head = await service().call({ ...good(service()), method: 'HEAD' });
      expect([get.status, head.status, head.text]).toEqual([200, 200, '']);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
      expect(get.headers['cache-control']).toBe('no-store');
    });
  });

  describe('400 Bad Request', () => {
    it.each(wrongHeaders)('names %s: %s', async (name, value) => {
      const { headers, ...rest } = good(service());
      const answer = await service().call({ ...rest, headers: { ...headers, [name]: value } });
      expect([answer.status, slugOf(answer)]).toEqual([400, 'invalid-header']);
      expect(Object.keys((answer.json as { errors: object }).errors)).toEqual([`header.${name}`]);
    });
  });

  statusBlocks(asked, service, short);
});
