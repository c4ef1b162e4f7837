/** An error that nobody caught: it is told without secrets and counted, the node leaves in order, and its supervisor sees why. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cleanUp, type RunningService, startSandbox, tempFolder, type Variables } from '../../cli/program.js';

afterAll(cleanUp);

const IBAN = 'GR0599900010000000000000101';
/** SIGUSR2 drops a promise that fails, SIGURG throws where nobody catches. */
const PLANTED = `
  const error = () => new Error('planted: account ${IBAN}');
  process.on('SIGUSR2', () => { Promise.reject(error()); });
  process.on('SIGURG', () => { setImmediate(() => { throw error(); }); });`;

const start = (env: Variables): Promise<RunningService> => {
  const cwd = tempFolder();
  const file = join(cwd, 'planted.mjs');
  writeFileSync(file, PLANTED);
  return startSandbox({ cwd, env: { NODE_OPTIONS: `--import=${file}`, ...env } });
};

it.concurrent.each([
  ['SIGUSR2', 'unhandledRejection'],
  ['SIGURG', 'uncaughtException'],
] as const)(
  'faults 2: a node with an error by %s goes on while it is taken out of service, then ends',
  async (signal, origin) => {
    const { program, url, managementUrl } = await start({ TRAPEZA_DRAIN_DELAY_MS: '3000' });
    process.kill(program.pid, signal);
    const [line] = await program.until(/\{.*an error that nobody caught.*\}/);
    expect(JSON.parse(line)).toMatchObject({ origin, error: 'Error', level: 60 });
    expect((await fetch(`${managementUrl}/health/ready`)).status).toBe(503);
    const answer = await fetch(`${url}/sandbox/credentials`, { headers: { Accept: 'application/json' } });
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    const metrics = await (await fetch(`${managementUrl}/metrics`)).text();
    expect(metrics).toMatch(/^trapeza_unhandled_errors_total 1$/m);
    const { code, stdout, stderr } = await program.finished;
    expect(code).toBe(1);
    expect(stdout + stderr).not.toContain(IBAN);
  },
);

it('faults 2: a worker with such an error is replaced, and the service goes on', async () => {
  const { program, managementUrl } = await start({ TRAPEZA_WORKERS: '2' });
  const children = (): string[] =>
    readFileSync(`/proc/${program.pid}/task/${program.pid}/children`, 'utf8').trim().split(' ');
  const [victim = ''] = children();
  process.kill(Number(victim), 'SIGUSR2');
  await program.until(/"code":1,"signal":null,"msg":"worker died"/);
  await expect.poll(() => children().filter((pid) => pid !== victim).length).toBe(2);
  await expect.poll(async () => (await fetch(`${managementUrl}/health/ready`)).status).toBe(200);
  expect(await program.stop()).toMatchObject({ code: 0 });
});
