/** The console of a service with several processes: one session on all of them, the calls of all of them, and a worker may die. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { demoApplications } from '../../packages/sandbox/src/applications.js';
import { cleanUp, startSandbox, tempFolder } from '../cli/program.js';
import { sandboxToken } from '../support/client.js';
import { Visitor } from './visitor.js';

afterAll(cleanUp);

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

/** The shown figures of a row, by how it begins. */
const rowOf = (body: string, name: string): readonly string[] => {
  const row = body.split('<tr').find((each) => each.includes(name)) ?? '';
  return [...row.matchAll(/<td[^>]*>([^<]*)</g)].map(([, text = '']) => text);
};

it('with two workers: logs in, acts, counts the calls of both, and outlives one of them', async () => {
  const env = { TRAPEZA_WORKERS: '2' };
  const { program, url, managementUrl } = await startSandbox({ cwd: tempFolder(), env });
  const visitor = new Visitor(managementUrl);
  const page = await visitor.get('/operator/login');
  const [name, passphrase, code] = [...page.body.matchAll(/<code>([^<]+)<\/code>/g)].map(([, text]) => text);
  const { status, location } = await visitor.logIn({ name, passphrase, code });
  expect([status, location]).toEqual([303, '/operator']);

  const Authorization = `Bearer ${await sandboxToken(url)}`;
  const key = demoApplications[0]?.subscriptionKey ?? '';
  // Each on a connection of its own, so that the workers take turns.
  const call = async (headers: Record<string, string>): Promise<number> =>
    (
      await fetch(`${url}/psd2/v1/opendata/atm`, {
        headers: { 'X-Request-ID': randomUUID(), Connection: 'close', ...headers },
      })
    ).status;
  for (let index = 0; index < 20; index += 1)
    expect(await call({ 'Ocp-Apim-Subscription-Key': key, Authorization })).toBe(200);
  for (let index = 0; index < 5; index += 1)
    expect(await call({ 'Ocp-Apim-Subscription-Key': key })).toBe(401);
  const calls = async () => (await visitor.get('/operator/calls')).body;
  await expect.poll(async () => rowOf(await calls(), 'Agora Finance')).toEqual(['25', '5', '0', '20%']);
  expect(rowOf(await calls(), 'token-missing').slice(0, 2)).toEqual(['401', '5']);

  const party = /\/operator\/parties\/([\w-]+)/.exec(await calls())?.[1] ?? '';
  const suspend = () => visitor.press(`/operator/parties/${party}/suspend`, { reason: 'asked by phone' });
  expect((await suspend()).location).toContain('?done=suspended');
  expect((await visitor.get('/assets/none.css')).status).toBe(404);

  const [first = 0] = childrenOf(program.pid);
  process.kill(first, 'SIGKILL');
  await expect.poll(() => childrenOf(program.pid)).not.toContain(first);
  await expect.poll(async () => (await visitor.get('/operator/audit')).status).toBe(200);
  expect((await visitor.get('/operator/audit')).body).toContain('tpp.suspend');
});
