/** What `serve` loads and which tables it makes: nothing of the sandbox or the core kit. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { builtFile } from '../lib/build.js';
import { createDatabase } from '../support/database.js';
import { engines } from '../support/engines.js';
import { testSecret } from '../support/service.js';
import { cleanUp, startTrapeza, tempFolder } from './program.js';

afterAll(cleanUp);

const TABLES = {
  sqlite: `select name from sqlite_master where type in ('table', 'view')`,
  postgres: `select table_name as name from information_schema.tables where table_schema = current_schema()`,
};

describe.each(engines)('on %s', (engine) => {
  it('a production database has no table of the demo bank, the sandbox or the simulator', async () => {
    const database = await createDatabase(engine);
    const db = await openDb(database.url, 1);
    await migrate(db, 1);
    const names = (await db.all<{ name: string }>(TABLES[engine])).map(({ name }) => name);
    expect(names).toContain('consents');
    expect(names.filter((name) => /demo|sandbox|simulator|_here$/.test(name))).toEqual([]);
    await db.close();
    await database.drop();
  });
});

/** Writes down each module that the process loads. */
const HOOKS = `
  import { appendFileSync } from 'node:fs';
  export const load = (url, context, next) => {
    appendFileSync(process.env.LOADED, url + '\\n');
    return next(url, context);
  };`;

it('serve listens on the port of its command line, and loads no file of another package of ours', async () => {
  const folder = tempFolder();
  const [hooks, register, loaded] = ['hooks.mjs', 'register.mjs', 'loaded.txt'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(hooks, HOOKS);
  writeFileSync(
    register,
    `import { register } from 'node:module'; register(${JSON.stringify(pathToFileURL(hooks).href)});`,
  );
  const bank = new URL('../../docs/examples/bank.js', import.meta.url).pathname;
  const program = startTrapeza(['serve', '--port', '0'], {
    cwd: folder,
    env: {
      PORT: '8080',
      TRAPEZA_MANAGEMENT_PORT: '0',
      BASE_URL: 'https://bank.example',
      DATABASE_URL: `sqlite:${join(folder, 'bank.db')}`,
      TRAPEZA_SECRET: testSecret,
      TRAPEZA_ISSUER: 'https://login.bank.example',
      TRAPEZA_BANK_MODULE: bank,
      NODE_OPTIONS: `--import ${pathToFileURL(register).href}`,
      LOADED: loaded,
    },
  });
  const [, port] = await program.until(/"listening":"[^"]+:(\d+)",.*"msg":"started"/);
  expect(port).not.toBe('8080');
  await program.stop();
  const files = readFileSync(loaded, 'utf8').split('\n');
  expect(files).toContain(pathToFileURL(builtFile('main.js')).href);
  expect(files.filter((url) => url.includes('/packages/') || url.includes('@trapeza'))).toEqual([]);
});
