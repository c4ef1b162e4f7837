/** What operators do about notifications: register webhooks, see what is stuck, start it again, change the key. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answers, openReceiver, type Receiver } from '../events/receiver.js';
import { done, send } from '../support/client.js';
import type { Credentials } from '../support/service.js';
import { testSecret } from '../support/service.js';
import { cleanUp, jsonOf, type RunningService, runCommand, startSandbox, tempFolder } from './program.js';

const CLIENT = 'demo-finance-app';
const folder = tempFolder();
const env = {
  DATABASE_URL: `sqlite:${join(folder, 'trapeza.db')}`,
  TRAPEZA_SECRET: testSecret,
  TRAPEZA_LOG_LEVEL: 'silent',
};
let sandbox: RunningService;
let receiver: Receiver;
beforeAll(async () => {
  sandbox = await startSandbox({ env });
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver.close();
  await cleanUp();
});

const plain = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await runCommand(args, { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};
const json = async <T>(...args: string[]): Promise<T> =>
  jsonOf<T>(await runCommand([...args, '--json'], { env }));

/** A Received consent of the seed is refused: one event. */
const change = async (): Promise<void> => {
  const { consents } = done(await send(sandbox.url, { path: '/sandbox/credentials' })).json as Credentials;
  const found = consents.find(({ application, status }) => application === CLIENT && status === 'Received');
  const path = `/sandbox/consents/${found?.id}/decision`;
  expect((await send(sandbox.url, { method: 'POST', path, body: { decision: 'reject' } })).status).toBe(200);
};

interface Listed {
  readonly clientId: string;
  readonly webhookUrl: string | null;
}
const webhookOf = async (): Promise<string | null | undefined> =>
  (await json<Listed[]>('application', 'list')).find(({ clientId }) => clientId === CLIENT)?.webhookUrl;

describe('a webhook', () => {
  it('is set, listed, used by the running service, and removed', async () => {
    expect(await webhookOf()).toBeNull();
    await plain('application', 'webhook', CLIENT, receiver.url);
    expect(await webhookOf()).toBe(receiver.url);
    receiver.respond = answers(500);
    await change();
    await receiver.until(({ length }) => length === 1);
    const pending = await json<{ clientId: string; pending: number; givenUp: number }[]>('events', 'pending');
    expect(pending).toMatchObject([{ clientId: CLIENT, pending: 1, givenUp: 0 }]);
    receiver.respond = answers(200);
    expect(await json('events', 'retry', CLIENT)).toEqual({ due: 1 });
    await receiver.until(({ length }) => length === 2);
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
    const [event] = await json<{ id: string; outcome: string }[]>('events', 'list', CLIENT);
    await plain('events', 'redeliver', CLIENT, event?.id ?? '', '--reason', 'asked by phone');
    await receiver.until(({ length }) => length === 3);
    expect(receiver.received[2]?.body).toBe(receiver.received[0]?.body);
    const [row] = await json<{ act: string; reason: string }[]>('audit', 'list', '--limit', '1');
    expect(row).toMatchObject({ act: 'events.redeliver', reason: 'asked by phone' });
    await plain('application', 'webhook', CLIENT, '--remove');
    expect(await webhookOf()).toBeNull();
    const gone = await runCommand(['events', 'redeliver', CLIENT, event?.id ?? ''], { env });
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('has no address')]);
  });

  it.each([
    [[CLIENT], 'give either an address or --remove'],
    [[CLIENT, 'https://a.example/', '--remove'], 'give either an address or --remove'],
    [[CLIENT, 'http://a.example/'], 'the webhook address must be an https address'],
    [[CLIENT, 'http://10.0.0.1/'], 'the webhook address must be an https address'],
    [['nobody', 'https://a.example/'], 'there is no application nobody'],
  ])('%j is explained', async (args, words) => {
    const { code, stderr } = await runCommand(['application', 'webhook', ...args], { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
  });

  it('of a production store is never on this machine', async () => {
    const production = { ...env, DATABASE_URL: `sqlite:${join(folder, 'production.db')}` };
    await runCommand(['migrate'], { env: production });
    const tpp = await runCommand(
      ['tpp', 'create', '--name', 'A', '--registration', 'R', '--roles', 'PSP_IC', '--json'],
      { env: production },
    );
    const create = (url: string) =>
      runCommand(
        [
          'application',
          'create',
          '--tpp',
          jsonOf<{ id: string }>(tpp).id,
          '--name',
          'A',
          '--webhook',
          url,
          '--json',
        ],
        { env: production },
      );
    expect((await create('http://127.0.0.1:9000/')).stderr).toContain('must be an https address');
    expect((await create('https://127.0.0.1:9000/')).stderr).toContain('must lead to a public address');
    expect(jsonOf<{ webhook: string }>(await create('https://a.example/hook')).webhook).toBe(
      'https://a.example/hook',
    );
  });
});

describe('the signing key of notifications', () => {
  const kids = async (purpose: string): Promise<number> =>
    (await json<{ purpose: string }[]>('signing-key', 'list')).filter((key) => key.purpose === purpose)
      .length;

  it('is rolled without touching that of tokens', async () => {
    expect([await kids('token'), await kids('webhook')]).toEqual([1, 1]);
    expect(await json('signing-key', 'roll', '--purpose', 'webhook')).toMatchObject({ purpose: 'webhook' });
    expect([await kids('token'), await kids('webhook')]).toEqual([1, 2]);
  });

  it('is ES256 alone', async () => {
    const { code, stderr } = await runCommand(
      ['signing-key', 'roll', '--purpose', 'webhook', '--algorithm', 'PS256'],
      { env },
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('ES256 only')]);
  });
});
