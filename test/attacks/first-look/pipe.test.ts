/** A reader that stops early, as `| head` does: every command that prints ends quietly, without a stack trace. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cleanUp, Program, startSandbox, tempFolder, type Variables } from '../../cli/program.js';
import { builtFile } from '../../lib/build.js';
import { testSecret } from '../../support/service.js';
import { inTier } from '../../support/tier.js';

let env: Variables;
beforeAll(async () => {
  env = { DATABASE_URL: `sqlite:${join(tempFolder(), 'shared.db')}`, TRAPEZA_SECRET: testSecret };
  const { program } = await startSandbox({ env });
  await program.stop();
});
afterAll(cleanUp);

/** A document, a table, help. */
const ofEachKind = ['openapi', 'tpp list', '--help'];

it.each(
  inTier(ofEachKind, [
    ...ofEachKind,
    'atms export',
    'atms export --format csv',
    'psu export eleni',
    'psu export eleni --format csv',
    'doctor',
  ]),
)('ux 18: `trapeza %s | head` ends quietly', async (command) => {
  // The reader is gone before the program says anything.
  const pipe = `'${process.execPath}' '${builtFile('main.js')}' ${command} | true; exit "\${PIPESTATUS[0]}"`;
  const { code, stderr } = await new Program('bash', ['-c', pipe], { env }).finished;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
