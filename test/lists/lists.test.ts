/** Page, file and search of every list: the rows over all its pages are those of its files, and each is found by what it shows. */
import { beforeAll, describe, expect, test } from 'vitest';
import { DAY } from '../../src/lib/clock.js';
import { dateAt } from '../../src/lib/day.js';
import { enter } from '../account-pages/dashboard/support.js';
import { filesUnder } from '../lib/source.js';
import { enrolOperator } from '../operator/support.js';
import { portalOptions, VISITOR } from '../portal/support.js';
import { send } from '../support/client.js';
import { psuId } from '../support/operations.js';
import { inTier } from '../support/tier.js';
import { useService, withStore } from '../support/use-service.js';
import { contradictionsOf } from './contradictions.js';
import { dashboardLists } from './dashboard.js';
import { consoleLists, developerLists, publicLists } from './elsewhere.js';
import type { List } from './list.js';
import { addPast, PERSON } from './past.js';

const USED = 'select consent_id as id from funds_confirmations where psu_id = ? limit 1';
const READ = 'select consent_id as id from data_accesses where psu_id = ? limit 1';

/** Combinations of filters of a list: some have thousands. */
const MOST = inTier(24, 500);

describe('every list', () => {
  const service = useService(portalOptions);
  const lists: List[] = [];

  beforeAll(async () => {
    const [first] = await addPast(service());
    const { tppId = '', clientId = '' } = first ?? {};
    const [funds = '', accesses = ''] = await withStore(service(), (db) =>
      Promise.all(
        [USED, READ].map(async (sql) => (await db.one<{ id: string }>(sql, [psuId(PERSON)]))?.id ?? ''),
      ),
    );
    const visitor = await enter(service(), PERSON);
    const day = dateAt(service().clock.now() - 4 * DAY, 'Europe/Athens');
    const get = (path: string) =>
      send(service().url, {
        path,
        headers: { 'Accept-Language': 'en', Cookie: `${VISITOR}=${tppId}` },
        outsideContract: true,
      });
    const calls = developerLists(get, clientId);
    lists.push(
      ...dashboardLists({ visitor, day, clientId, used: { funds, accesses } }),
      ...consoleLists(await enrolOperator(service(), 'reader', 'admin'), calls, tppId),
      calls,
      ...publicLists(get),
    );
  });

  test('shows over its pages what its files have and its search finds', async () => {
    const found: string[] = [];
    for (const list of lists) found.push(...(await contradictionsOf(list, MOST)));
    expect(found).toEqual([]);
    // Some thousand pages, one after the other.
  }, 600_000);

  test('with a form is among them', () => {
    const forms = filesUnder('src').filter(({ text }) => text.includes('method="get"'));
    expect([...new Set(lists.flatMap(({ form }) => form ?? []))].toSorted()).toEqual(
      forms.map(({ path }) => path).toSorted(),
    );
  });
});
