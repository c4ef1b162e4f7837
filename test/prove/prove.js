/** `npm run prove`: lists the long proofs, or runs one. Plain JavaScript, because Node 20 runs nothing else. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCall } from './call.js';
import { meanings } from './parameters.js';
import { subjects } from './proofs.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const WIDTH = 16;

const list = () => {
  console.log('npm run prove -- NAME [PARAMETER=value …] [-- flags of vitest]');
  console.log('\nTimes are rough, and for two cores that do nothing else.');
  for (const [subject, proofs] of Object.entries(subjects)) {
    console.log(`\n${subject}`);
    for (const [name, { about, takes, parameters = {} }] of Object.entries(proofs)) {
      console.log(`  ${name.padEnd(WIDTH)}${about} (${takes})`);
      const values = Object.entries(parameters).map(([each, [, otherwise]]) =>
        otherwise === undefined ? each : `${each}=${otherwise}`,
      );
      if (values.length > 0) console.log(`  ${' '.repeat(WIDTH)}${values.join(' ')}`);
    }
  }
  console.log('\nParameters');
  for (const [name, meaning] of Object.entries(meanings)) console.log(`  ${name.padEnd(WIDTH)}${meaning}`);
};

/** @type {(command: string[], environment: Record<string, string>) => Promise<number>} */
const run = async (command, environment) => {
  const values = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  console.log(`> ${[...values, ...command].join(' ')}`);
  const PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const [program = '', ...args] = command;
  const env = { ...process.env, ...environment, PATH };
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', env });
  const pass = () => child.kill('SIGTERM');
  process.on('SIGTERM', pass);
  const [code] = await once(child, 'close');
  process.off('SIGTERM', pass);
  return code ?? 1;
};

/** @type {(words: string[]) => Promise<number>} */
const prove = async (words) => {
  const { environment, commands } = readCall(words);
  for (const command of commands) {
    const code = await run(command, environment);
    if (code !== 0) return code;
  }
  return 0;
};

// The terminal sends it to the command as well, which ends what it has started and then itself.
process.on('SIGINT', () => undefined);
const words = process.argv.slice(2);
try {
  if (words.length === 0) list();
  else process.exitCode = await prove(words);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
