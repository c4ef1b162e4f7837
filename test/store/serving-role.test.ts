/** One role migrates, another serves, as docs/go-live.md has it: what is missing is named, and the command prints it. */
import { afterAll, describe, expect, it } from 'vitest';
import { migrations } from '../../src/store/migrate.js';
import { cleanUp, runCommand, tempFolder, trapeza, type Variables } from '../cli/program.js';
import { completeEnv } from '../cli/serve-support.js';
import { createDatabase } from '../support/database.js';
import { hasPostgres } from '../support/engines.js';
import { testSecret } from '../support/service.js';
import { createServingRole } from '../support/serving-role.js';

afterAll(cleanUp);

describe.runIf(hasPostgres)('the rights that are missing', () => {
  const doctor = async (env: Variables, ...flags: string[]) => {
    const { code, stdout } = await runCommand(['doctor', ...flags], { env, cwd: tempFolder() });
    return { code, text: stdout.replaceAll(/\n {10,}/g, ' ') };
  };

  it('are named by doctor and by serve, with the command that prints them', async () => {
    const role = await createServingRole();
    const env = { ...(await completeEnv('http://127.0.0.1:9')), DATABASE_URL: role.url };
    expect((await doctor(env, '--start')).text).toMatch(/^ok +database +postgres$/m);
    expect((await doctor(env)).text).toMatch(/^ok +migrations +up to date/m);
    await role.asOwner(
      `revoke insert on consents from ${role.name}; revoke execute on function add_funds_month from ${role.name}`,
    );
    const words = `the role ${role.name} of DATABASE_URL lacks insert on consents, execute on add_funds_month(bigint): run what trapeza migrate --grants ${role.name} prints`;
    for (const flags of [[], ['--start']]) {
      const { code, text } = await doctor(env, ...flags);
      expect(code).toBe(1);
      expect(text).toMatch(/^failed +database /m);
      expect(text).toContain(words);
    }
    expect((await trapeza(['serve'], { env })).stderr).toContain(words);
    const owner = { DATABASE_URL: role.ownerUrl, TRAPEZA_SECRET: testSecret };
    const printed = await runCommand(['migrate', '--grants', role.name], { env: owner });
    expect(printed.code).toBe(0);
    await role.asOwner(printed.stdout);
    expect((await doctor(env, '--start')).code).toBe(0);
    await role.drop();
  });

  it('are not taken for a database without tables, nor an old one for one that this role could migrate', async () => {
    const role = await createServingRole();
    const env = { DATABASE_URL: role.url, TRAPEZA_SECRET: testSecret };
    await role.asOwner(`revoke all on all tables in schema public from ${role.name}`);
    expect((await doctor(env)).text).toMatch(/^failed +database .*lacks select on migrations/m);
    await role.asOwner(
      `grant all on all tables in schema public to ${role.name}; delete from migrations where id = ${migrations.at(-1)?.id}`,
    );
    expect((await doctor(env)).text).toMatch(
      /^failed +database +the database lacks 1 migration\(s\), and the role .* may not run them/m,
    );
    await role.drop();
  });

  it('are printed of PostgreSQL alone, and once its tables are there', async () => {
    const embedded = await runCommand(['migrate', '--grants'], {
      env: { DATABASE_URL: `sqlite:${tempFolder()}/x.db` },
    });
    expect(embedded.stderr).toContain('the embedded store has no roles');
    const { url, drop } = await createDatabase('postgres');
    const early = await runCommand(['migrate', '--grants'], { env: { DATABASE_URL: url } });
    expect(early.stderr).toContain('run "trapeza migrate" first');
    await drop();
  });
});
