/** `doctor` tries everything that the configuration names, tells all that is wrong at once, and prints no secret. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawCore } from '../../bank/http/raw-core.js';
import { cleanUp, type Finished, trapeza } from '../../cli/program.js';
import { createDatabase, type TestDatabase, testSecret } from '../../support/service.js';

describe('faults 12: doctor', () => {
  const core = new RawCore();
  let database: TestDatabase;
  beforeAll(async () => {
    await core.up();
    database = await createDatabase('sqlite');
    await trapeza(['migrate'], { env: { DATABASE_URL: database.url } });
  });
  afterAll(async () => {
    await core.down();
    await database.drop();
    await cleanUp();
  });
  const doctor = (env: Record<string, string>): Promise<Finished> =>
    trapeza(['doctor'], { env: { DATABASE_URL: database.url, TRAPEZA_SECRET: testSecret, ...env } });

  it('tells every file and host that cannot be used, with its remedy, and ends with 1', async () => {
    const { code, stdout, stderr } = await doctor({
      TRAPEZA_TRUST_ANCHORS: '/nope',
      TRAPEZA_BANK_MODULE: '/nope.js',
      TRAPEZA_ISSUER: 'http://127.0.0.1:1/',
      REDIS_URL: 'redis://user:hidden-word@127.0.0.1:1',
    });
    expect(code).toBe(1);
    for (const variable of ['TRAPEZA_TRUST_ANCHORS', 'TRAPEZA_BANK_MODULE', 'TRAPEZA_ISSUER', 'REDIS_URL'])
      expect(stdout).toMatch(new RegExp(`^failed +${variable} .*: .+`, 'm'));
    expect(stdout).toMatch(/^ok +TRAPEZA_DATA +\d+ MB free/m);
    expect(stdout + stderr).not.toContain('hidden-word');
  });

  it('is content with a core that answers, and tells one that does not', async () => {
    const env = { TRAPEZA_CORE_URL: core.url, TRAPEZA_CORE_TOKEN: 'hidden-word' };
    const good = await doctor(env);
    expect(good.stdout).toMatch(/^ok +TRAPEZA_CORE_URL /m);
    expect(good.code).toBe(0);
    core.behave = (_seen, response) => response.writeHead(401).end();
    const bad = await doctor(env);
    expect(bad.stdout).toMatch(/^failed +TRAPEZA_CORE_URL .*check the credentials/m);
    expect(bad.code).toBe(1);
    expect(good.stdout + bad.stdout).not.toContain('hidden-word');
  });
});
