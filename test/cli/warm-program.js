/**
 * Runs commands of the built program, one after the other, in one process that keeps what they have loaded. Questions are JSON lines
 * on descriptor 3, answers on 4. No module keeps state that decides anything, so a command finds what a process of its own would.
 */
import { createReadStream, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [, , program = ''] = process.argv;
const address = pathToFileURL(program).href;
const output = { stdout: '', stderr: '' };
/** @type {number | undefined} */
let exitCode;

for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
  const stream = process[name];
  stream.setMaxListeners(0);
  /** @type {(chunk: string | Uint8Array, ...rest: unknown[]) => boolean} */
  const write = (chunk, ...rest) => {
    // A process that has ended says nothing more.
    if (exitCode === undefined)
      output[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(() => done());
    return true;
  };
  stream.write = write;
}

process.exit = (code) => {
  exitCode ??= Number(code ?? process.exitCode ?? 0);
  throw new Error('the command has ended');
};

let count = 0;
for await (const line of createInterface({ input: createReadStream('', { fd: 3 }) })) {
  const { args, env, cwd } = JSON.parse(line);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, program, ...args];
  Object.assign(output, { stdout: '', stderr: '' });
  exitCode = undefined;
  process.exitCode = 0;
  count += 1;
  await (await import(`${address}?${count}`)).finished;
  writeSync(4, `${JSON.stringify({ code: exitCode ?? process.exitCode, signal: null, ...output })}\n`);
}
