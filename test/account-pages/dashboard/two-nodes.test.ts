/** A permission that is withdrawn on one node is refused by every other from the next request on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slugOf } from '../../support/client.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { engines } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';
import { askForFunds, DASHBOARD, enter } from './support.js';

describe.each(engines)('two nodes on one %s', (engine) => {
  let database: TestDatabase;
  let first: Service;
  let second: Service;
  beforeAll(async () => {
    database = await createDatabase(engine);
    first = await startService({ databaseUrl: database.url });
    // One service in two processes: the same address in its tokens and links.
    second = await startService({ databaseUrl: database.url, env: { BASE_URL: first.url } });
  });
  afterAll(async () => {
    await second.close();
    await first.close();
    await database.drop();
  });

  it('refuse a withdrawn consent together, at once', async () => {
    const { id } = first.consent('ConfirmationOfFunds', 'Valid', { psu: 'eleni' });
    for (const node of [first, second]) expect((await askForFunds(node, 1)).status).toBe(200);
    const visitor = await enter(first);
    expect((await visitor.withdraw(id)).headers.location).toBe(`${DASHBOARD}/permissions/${id}?tried=yes`);
    for (const node of [second, first]) {
      const answer = await askForFunds(node, 1);
      expect([answer.status, slugOf(answer)]).toEqual([403, 'consent-not-valid']);
      expect(answer.json).toMatchObject({ extensions: { consent: { status: 'RevokedByPsu' } } });
    }
  });
});
