/** Notifications through the bank's own proxy: it gets the address that was checked, and TLS goes through it to the host. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Fetcher } from '../../../src/certificate/revocation/fetch.js';
import { Sender } from '../../../src/events/delivery/sender.js';
import type { Resolved } from '../../../src/lib/net/checked-connect.js';
import { pem } from '../../bank/http/raw-core.js';
import { ManualClock } from '../../lib/manual-clock.js';
import { openReceiver, type Receiver } from '../receiver.js';
import { hosted, local } from './reaches.js';

const PUBLIC = '93.184.215.14';
const resolve = async (host: string): Promise<Resolved[]> => [
  { address: host === 'public.example' ? PUBLIC : '10.0.0.7', family: 4 },
];
const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

describe('the proxy for outgoing connections', () => {
  const asked: { authority: string; headers: IncomingHttpHeaders }[] = [];
  const sockets = new Set<Socket>();
  let status = 200;
  let target = 0;
  let proxy: Server;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await openReceiver();
    proxy = createServer().on('connect', (request, socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      asked.push({ authority: request.url ?? '', headers: request.headers });
      if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      // Whatever was asked for: there is no internet here.
      const onward = connect(target, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      sockets.add(onward);
      onward.on('error', () => socket.destroy());
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => proxy.close(done));
    await receiver.close();
  });
  beforeEach(() => {
    asked.length = 0;
    status = 200;
    target = Number(new URL(receiver.url).port);
  });
  const sender = (allowsLoopback: boolean, credentials = ''): Sender =>
    new Sender({
      reach: allowsLoopback ? local : hosted,
      resolve,
      proxy: `http://${credentials}127.0.0.1:${portOf(proxy)}`,
    });

  it('carries a notification, with its credentials if it has some', async () => {
    const attempt = await sender(true, 'node:s%40fe@').send('http://127.0.0.1:7/hook', {}, '{}');
    expect(attempt).toMatchObject({ isDelivered: true, outcome: 'status 204' });
    expect(asked).toEqual([
      {
        authority: '127.0.0.1:7',
        headers: expect.objectContaining({
          'proxy-authorization': `Basic ${Buffer.from('node:s@fe').toString('base64')}`,
        }),
      },
    ]);
  });

  it('gets the checked address instead of the name, and the host is held to its own certificate', async () => {
    const names: string[] = [];
    const host = createTlsServer({
      cert: pem('server'),
      key: pem('server.key'),
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    }).on('tlsClientError', () => undefined);
    await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
    target = portOf(host);
    const attempt = await sender(false).send('https://public.example/hook', {}, '{}');
    await new Promise((done) => host.close(done));
    expect(asked.map(({ authority }) => authority)).toEqual([`${PUBLIC}:443`]);
    expect(names).toEqual(['public.example']);
    expect(attempt).toMatchObject({ isDelivered: false, outcome: expect.stringMatching(/CERT|SIGNATURE/) });
  });

  it('is never asked for an address that is not public', async () => {
    const attempt = await sender(false).send('https://inside.example/', {}, '{}');
    expect([attempt.cause, asked]).toEqual(['forbidden address', []]);
  });

  it.each([403, 407, 502])('that answers %d fails the attempt and is named', async (refused) => {
    status = refused;
    const attempt = await sender(false).send('https://public.example/', {}, '{}');
    expect(attempt).toMatchObject({ isDelivered: false, outcome: `PROXY_${refused}` });
  });

  it('that is not there fails the attempt', async () => {
    const gone = new Sender({ reach: local, resolve, proxy: 'http://127.0.0.1:1' });
    expect(await gone.send(receiver.url, {}, '{}')).toMatchObject({
      isDelivered: false,
      cause: 'ECONNREFUSED',
    });
  });

  it('carries questions about revoked certificates too', async () => {
    const fetcher = new Fetcher({
      clock: new ManualClock(),
      hosts: () => ['public.example'],
      resolve,
      proxy: `http://127.0.0.1:${portOf(proxy)}`,
    });
    const question = { contentType: 'application/ocsp-request', body: Buffer.from('{}') };
    await expect(fetcher.fetch('http://public.example/ocsp', question)).rejects.toThrow('status 204');
    expect(asked.map(({ authority }) => authority)).toEqual([`${PUBLIC}:80`]);
  });
});
