/** `trapeza serve` that cannot start says why, in words that an operator can act on. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, startSandbox, tempFolder, trapeza, type Variables } from './program.js';
import { BANK, completeEnv } from './serve-support.js';

/** No server listens there: the service stops before it asks its issuer. */
const ISSUER = 'http://127.0.0.1:9';

afterAll(cleanUp);

describe('serve that cannot start', () => {
  const refused = async (env: Variables): Promise<string> => {
    const { code, stdout, stderr } = await trapeza(['serve'], { env, cwd: tempFolder() });
    expect(code).toBe(1);
    expect(stderr + stdout).not.toContain('    at ');
    return stderr;
  };

  it('explains a bank module that is missing, broken, or has no createBank', async () => {
    const folder = tempFolder();
    const env = await completeEnv(ISSUER);
    const broken = join(folder, 'broken.mjs');
    writeFileSync(broken, 'export const createBank = (');
    const empty = join(folder, 'empty.mjs');
    writeFileSync(empty, 'export const other = 1;');
    expect(await refused({ ...env, TRAPEZA_BANK_MODULE: join(folder, 'none.mjs') })).toContain(
      'TRAPEZA_BANK_MODULE cannot be loaded',
    );
    expect(await refused({ ...env, TRAPEZA_BANK_MODULE: broken })).toContain(
      'TRAPEZA_BANK_MODULE cannot be loaded',
    );
    expect(await refused({ ...env, TRAPEZA_BANK_MODULE: empty })).toContain(
      'does not export a function createBank',
    );
  });

  it('names every method that the bank of a module lacks', async () => {
    const old = join(tempFolder(), 'old.mjs');
    writeFileSync(old, BANK.replace('termsFor: nothing, ', '').replace('balances: none, ', ''));
    const words = await refused({ ...(await completeEnv(ISSUER)), TRAPEZA_BANK_MODULE: old });
    for (const name of ['termsFor', 'balances']) expect(words).toContain(`bank.${name} is missing`);
    expect(words).not.toContain('bank.hasFunds');
  });

  it('refuses the database of a sandbox', async () => {
    const env = await completeEnv(ISSUER);
    const { DATABASE_URL = '', TRAPEZA_SECRET = '' } = env;
    const sandbox = await startSandbox({ env: { DATABASE_URL, TRAPEZA_SECRET } });
    await sandbox.program.stop();
    expect(await refused(env)).toContain('holds the demo data and public demo keys of the sandbox');
  });
});
