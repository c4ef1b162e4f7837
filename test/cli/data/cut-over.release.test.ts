/** The cut-over from another gateway: every fault is reported, nothing is written with one, and what is written is used at once. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { CutOverReport } from '../../../src/admin/cut-over/cut-over.js';
import { systemClock } from '../../../src/lib/clock.js';
import { bothEngines } from '../../support/engines.js';
import { FUNDS, fundsBody } from '../../support/operations.js';
import { ownNotes } from '../../support/own-notes.js';
import { testSecret } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';
import { cleanUp, jsonOf, runCommand, startTrapeza, tempFolder } from '../program.js';
import { consentId, keyOf, makeFiles, plantFaults, writeFiles } from './cut-over-files.js';
import { rowsOf } from './rows.js';

afterAll(cleanUp);
const [PARTIES = 20, CONSENTS = 500] = process.env.TEST_CUT_OVER?.split('/').map(Number) ?? [];
const LIMIT_MS = PARTIES > 20 ? 1_800_000 : 120_000;
const COUNT = 'select count(*) as n from consents';

const engines = bothEngines(
  'an import that is killed leaves what its engine has committed, and the next one completes it',
);

describe.each(engines)('a cut-over on %s', (engine) => {
  const service = useService({ engine });
  const folder = tempFolder();
  const env = () => ({ DATABASE_URL: service().databaseUrl, TRAPEZA_SECRET: testSecret });
  const run = (...flags: string[]) => runCommand(['import', folder, '--json', ...flags], { env: env() });
  const count = () => withStore(service(), async (db) => (await db.one<{ n: number }>(COUNT))?.n ?? 0);

  it(
    'reports each of ten faults with file, line, reason and remedy, and writes nothing',
    async () => {
      const files = makeFiles(PARTIES, CONSENTS);
      const places = plantFaults(files);
      writeFiles(folder, files);
      const before = await count();
      const { code, stdout } = await run('--apply');
      const { faults, isApplied } = JSON.parse(stdout) as CutOverReport;
      expect(faults.map(({ file, line, field }) => `${file}:${line} ${field}`).toSorted()).toEqual(
        places.toSorted(),
      );
      for (const { reason, remedy } of faults) expect([reason, remedy]).not.toContain('');
      expect({ code, isApplied }).toEqual({ code: 1, isApplied: false });
      expect(await count()).toBe(before);
    },
    LIMIT_MS,
  );

  it(
    'writes nothing without --apply, completes what was killed, and changes nothing the second time',
    async () => {
      writeFiles(folder, makeFiles(PARTIES, CONSENTS));
      const before = await count();
      const fresh = { thirdParties: PARTIES, applications: PARTIES, keys: PARTIES, consents: CONSENTS };
      expect(jsonOf(await run())).toMatchObject({ fresh, faults: [], isApplied: false });
      expect(await count()).toBe(before);
      const begunAt = systemClock.elapsed();
      const program = startTrapeza(['import', folder, '--apply'], { env: env() });
      while ((await count()) === before && program.child.exitCode === null);
      await program.stop('SIGKILL');
      expect(jsonOf(await run('--apply'))).toMatchObject({ isApplied: true });
      process.stderr.write(
        `${engine}: ${Math.round(systemClock.elapsed() - begunAt)} ms for ${CONSENTS} consents\n`,
      );
      expect(await count()).toBe(before + CONSENTS);
      const rows = PARTIES > 20 ? {} : await rowsOf(service().databaseUrl);
      for (const name of [...ownNotes, 'settings']) delete rows[name];
      const none = { thirdParties: 0, applications: 0, keys: 0, consents: 0 };
      expect(jsonOf(await run('--apply'))).toMatchObject({ fresh: none, faults: [] });
      if (PARTIES <= 20) expect(await rowsOf(service().databaseUrl)).toMatchObject(rows);
    },
    LIMIT_MS,
  );

  it('lets a third party go on with its key and its consent', async () => {
    const call = async () =>
      service().call({
        method: 'POST',
        path: FUNDS,
        headers: {
          'Ocp-Apim-Subscription-Key': keyOf(0),
          Authorization: `Bearer ${await service().token({ psu: 'eleni', application: 'app-0' })}`,
        },
        body: fundsBody(),
      });
    // Every node notices the new third parties within five seconds.
    await expect.poll(async () => (await call()).status).toBe(200);
    const steps = await withStore(service(), (db) =>
      db.all(
        'select to_status as status, changed_by as by, reason from consent_history where consent_id = ?',
        [consentId(0)],
      ),
    );
    expect(steps).toEqual([
      { status: 'Received', by: 'tpp', reason: 'imported' },
      { status: 'Valid', by: 'psu', reason: 'approved' },
    ]);
  });
});

describe('a file of a cut-over', () => {
  const refusal = async (name: string, text: string): Promise<string> => {
    const file = join(tempFolder(), name);
    writeFileSync(file, text);
    const url = `sqlite:${join(tempFolder(), 'x.db')}`;
    const env = { DATABASE_URL: url, TRAPEZA_SECRET: testSecret };
    await runCommand(['migrate'], { env });
    const path = name.endsWith('.json') ? file : join(file, '..');
    const { stdout, stderr } = await runCommand(['import', path], { env });
    return stdout + stderr;
  };

  it('may be JSON, and is refused with a word if it cannot be read', async () => {
    const party = { registration: 'PSDGR-BOG-1', name: 'One', roles: ['PSP_AI'] };
    expect(await refusal('a.json', JSON.stringify({ thirdParties: [party] }))).toContain(
      'New: 1 thirdParties',
    );
    expect(await refusal('b.json', '{"thirdParties": [')).toContain('b.json is not JSON');
    expect(await refusal('third-parties.csv', 'registration,nam\n')).toContain('has a column "nam"');
    expect(await refusal('third-parties.csv', 'registration,name,roles\nx,"y,z\n')).toContain('is not CSV');
    expect(await refusal('third-parties.csv', 'registration,name,roles\nx,y\n')).toContain(
      '2 values for 3 columns',
    );
    expect(await refusal('other.csv', 'a\n')).toContain('has none of third-parties.csv');
  });
});
