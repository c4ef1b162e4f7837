/**
 * From an older version to this one: a kept store and dump of it in every run, a rolling upgrade under load in `npm run prove -- upgrade`.
 * TEST_UPGRADE is for how many seconds both versions serve, or `write` for new fixtures.
 */
import { decodeProtectedHeader } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { migrations } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { cleanUp, runCommand } from '../cli/program.js';
import { bothEngines } from '../support/engines.js';
import { FUNDS, psuId } from '../support/operations.js';
import { startService, testSecret } from '../support/service.js';
import { giver, openFixture, question, writeFixtures } from './fixtures.js';
import { rollUpgrade } from './rolling.js';

afterAll(cleanUp);

const { TEST_UPGRADE } = process.env;
if (TEST_UPGRADE === 'write') await writeFixtures();

const GIVEN = `select id from consents where psu_id = ? and client_id = ? order by created_at desc`;
const KEYS = `select kid from signing_keys order by created_at`;
const NEWEST = `select max(id) as id from migrations where id < 10000`;

const engines = bothEngines(
  'a store of the older version is a file of SQLite or a dump of PostgreSQL, and some migrations have a text for each',
);

describe.each(engines)('a store of the older version on %s', (engine) => {
  it('is brought up to date, and its keys and permissions are used', async () => {
    const database = await openFixture(engine);
    const before = await openDb(database.url, 1);
    const given = await before.one<{ id: string }>(GIVEN, [psuId(giver.psu), giver.application]);
    const keys = await before.all<{ kid: string }>(KEYS);
    expect(await before.one(NEWEST)).toEqual({ id: 46 });
    await before.close();

    const env = { DATABASE_URL: database.url, TRAPEZA_SECRET: testSecret };
    expect(await runCommand(['migrate'], { env })).toMatchObject({ code: 0 });
    const service = await startService({ databaseUrl: database.url, env: { TRAPEZA_DEMO_MONTHS: '1' } });
    const token = await service.token(giver);
    expect(keys.map(({ kid }) => kid)).toContain(decodeProtectedHeader(token).kid);
    const consent = await service.call({ path: `/piis/psd2/v1/consents/${given?.id}`, as: giver });
    expect(consent.json).toMatchObject({ id: given?.id, consentStatus: 'Valid' });
    const funds = await service.call({ method: 'POST', path: FUNDS, body: question, as: giver });
    expect([funds.status, funds.json]).toEqual([200, { fundsAvailable: true }]);
    const store = await openDb(database.url, 1);
    expect(await store.one(NEWEST)).toEqual({ id: migrations.at(-1)?.id });
    await store.close();
    expect(await runCommand(['audit', 'verify'], { env })).toMatchObject({ code: 0 });
    await service.close();
    await database.drop();
  });
});

if (Number(TEST_UPGRADE) > 0)
  describe('a rolling upgrade', () => {
    it('fails no call and loses nothing', async () => {
      const campaign = await rollUpgrade(Number(TEST_UPGRADE));
      campaign.expectRight();
      expect([...campaign.journal.unanswered]).toEqual([]);
    }, 1_800_000);
  });
