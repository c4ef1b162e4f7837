/** An error that nobody caught: it is told without secrets and counted, the node leaves in order, and its supervisor sees why. */
import { writeFileSync } from 'node:fs';
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
