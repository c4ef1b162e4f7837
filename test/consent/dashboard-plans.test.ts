/** The lists of the dashboard are read by an index on the embedded engine, whose planner is not helped by statistics. */
import { expect, it } from 'vitest';
import { waitingOnes } from '../../src/consent/listed.js';
import { findLines } from '../../src/consent/lists.js';
import { partiesOf, standingsOf } from '../../src/consent/parties.js';
import { accessesOf, fundsAnswersOf, useOf } from '../../src/consent/uses.js';
import type { Db, Value } from '../../src/store/db.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase } from '../support/database.js';

/** As the database, but it notes how each statement is carried out. */
const watched = (db: Db, plans: string[]): Db => {
  const all = async <T>(sql: string, params: readonly Value[] = []): Promise<T[]> => {
    const plan = await db.all<{ detail: string }>(`explain query plan ${sql}`, params);
    plans.push(...plan.map(({ detail }) => detail));
    return db.all<T>(sql, params);
  };
  const one = async <T>(sql: string, params?: readonly Value[]) => (await all<T>(sql, params))[0];
  return {
    ...db,
    all,
    one,
    batchedReads: { all, one },
  };
};

it('no list of the dashboard reads a whole table, and a person’s many records are not sorted', async () => {
  const database = await createDatabase('sqlite');
  const db = await openDb(database.url, 1);
  try {
    await migrate(db, 1);
    const plans: string[] = [];
    const tests: string[] = [];
    const store = watched(db, plans);
    const psuId = 'person';
    const spots = [{}, { after: { at: 5, id: 'x' } }, { before: { at: 5, id: 'x' } }];
    await partiesOf(store, psuId, 1);
    const party = { clientId: 'app', applicationName: '', tppId: '', tppName: '', registration: '' };
    await standingsOf(store, psuId, 1, [{ ...party, isActive: true }]);
    await waitingOnes(store, psuId, 1, 20);
    await useOf(store, 'permission', psuId, 'app');
    for (const spot of spots) {
      for (const clientId of [undefined, 'app']) {
        for (const list of ['permissions', 'payments'] as const) {
          await findLines(store, { list, psuId, filter: { clientId }, spot, size: 20 });
          const isWanted = () => true;
          await findLines(watched(db, tests), {
            list,
            psuId,
            filter: { clientId, isWanted },
            spot,
            size: 20,
          });
        }
        for (const read of [fundsAnswersOf, accessesOf]) await read(store, psuId, { clientId }, spot, 25);
      }
      for (const read of [fundsAnswersOf, accessesOf])
        await read(store, psuId, { consentId: 'permission' }, spot, 25);
    }
    expect(plans.length).toBeGreaterThan(100);
    const ofApp: string[] = [];
    for (const spot of spots) await fundsAnswersOf(watched(db, ofApp), psuId, { clientId: 'app' }, spot, 25);
    expect(ofApp.filter((plan) => plan.startsWith('SEARCH f '))).toHaveLength(8);
    expect(
      ofApp.filter((plan) => /SEARCH f (?!.* \(psu_id=\? AND client_id=\? AND asked_at)/.test(plan)),
    ).toEqual([]);
    const lists = [...plans, ...tests];
    expect(lists.filter((plan) => /^SCAN (?!party|counted|tested|l$|t$|CONSTANT)/.test(plan))).toEqual([]);
    expect(plans.filter((plan) => plan === 'USE TEMP B-TREE FOR ORDER BY')).toEqual([]);
    expect(tests.filter((plan) => plan.startsWith('SEARCH c'))).toEqual(
      tests.filter((plan) => / USING INDEX consents_(permissions|payments|of_psu|of_person)/.test(plan)),
    );
  } finally {
    await db.close();
    await database.drop();
  }
});
