/** The faults that other tests rest on happen as they are called. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { FaultyProxy } from '../faulty-proxy.js';
import { faultVolume } from '../volume.js';

let echo: Server;
let proxy: FaultyProxy;
let clients: Socket[] = [];

beforeAll(async () => {
  echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
});
afterAll(() => echo.close());
beforeEach(async () => {
  proxy = await FaultyProxy.before((echo.address() as AddressInfo).port);
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  clients = [];
  await proxy.close();
});

const open = async (): Promise<Socket> => {
  const client = connect(proxy.port, '127.0.0.1');
  clients.push(client);
  await once(client, 'connect');
  client.setEncoding('utf8');
  return client;
};

const echoed = async (client: Socket, text: string): Promise<string> => {
  client.write(text);
  const [answer] = (await once(client, 'data')) as [string];
  return answer;
};

it('resets every connection, as often as it is told to', async () => {
  for (let count = 0; count < faultVolume(3, 50); count += 1) {
    const client = await open();
    expect(await echoed(client, 'hello')).toBe('hello');
    const ended = once(client, 'error');
    expect(proxy.reset()).toBe(1);
    const [error] = (await ended) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
  }
});

it('makes connections half-open: no byte and no end comes through, while new ones work', async () => {
  const client = await open();
  expect(await echoed(client, 'before')).toBe('before');
  expect(proxy.silence()).toBe(1);
  let heard = '';
  client.on('data', (text: string) => {
    heard += text;
  });
  client.on('end', () => {
    heard += 'end';
  });
  client.write('lost');
  expect(await echoed(await open(), 'new')).toBe('new');
  expect(heard).toBe('');
  await proxy.restore();
  client.write('still lost');
  expect(await echoed(await open(), 'new')).toBe('new');
  expect(heard).toBe('');
});

it('refuses and swallows new connections, keeps the old ones, and restores', async () => {
  const old = await open();
  expect(await echoed(old, 'first')).toBe('first');
  proxy.refuse();
  await expect(open()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await proxy.restore();
  proxy.swallow();
  const swallowed = await open();
  let heard = '';
  swallowed.on('data', (text: string) => {
    heard += text;
  });
  swallowed.write('lost');
  proxy.delay(20);
  expect(await echoed(old, 'late')).toBe('late');
  expect(heard).toBe('');
  await proxy.restore();
  expect(await echoed(await open(), 'new')).toBe('new');
});
