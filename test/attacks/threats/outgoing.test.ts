/** Requests to addresses that strangers chose: who makes them, and that none reaches the machine or the network of a hosted service. */
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configuredPorts } from '../../../src/app/reach.js';
import { readConfig } from '../../../src/config/config.js';
import { Sender } from '../../../src/events/delivery/sender.js';
import type { Reach } from '../../../src/lib/net/strangers.js';
import { ask, metadata, newParty, sealOf } from '../../api/registration/support.js';
import { openReceiver, type Receiver } from '../../events/receiver.js';
import { askConsent, decide, newConsent, registerWebhook } from '../../events/support.js';
import { codeOf, filesUnder } from '../../lib/source.js';
import { made } from '../../sandbox/developers-support.js';
import { done, send } from '../../support/client.js';
import { type Service, startService, testSecret } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';

/** Every file that opens a connection of its own, and who has chosen where it leads. */
const chosenBy: Readonly<Record<string, 'the bank' | 'ourselves' | 'strangers'>> = {
  'src/events/delivery/sender.ts': 'strangers',
  // Its addresses stand in certificates; the hosts are those that the bank has named.
  'src/certificate/revocation/fetch.ts': 'the bank',
  'src/bank/http/client.ts': 'the bank',
  'src/bank/openid/openid-login.ts': 'the bank',
  'src/cli/doctor/reach.ts': 'the bank',
  'src/lib/net/egress-proxy.ts': 'the bank',
  'src/oauth/access-token.ts': 'the bank',
  'src/observe/trace/exporter.ts': 'the bank',
  'src/store/postgres/connection.ts': 'the bank',
  'src/store/postgres/open.ts': 'the bank',
  'packages/sandbox/src/developers/portal-pages.ts': 'ourselves',
  'packages/sandbox/src/preview/preview.ts': 'ourselves',
  'packages/sandbox/src/preview/visitor.ts': 'ourselves',
  'packages/sandbox/src/tpp/wire/wire.ts': 'ourselves',
};

const connects = (code: string, text: string): boolean =>
  /(?:await|return|=>?)\s*fetch\(|\bcreateRemoteJWKSet\(|\bnew (Socket|Client|Pool|Agent)\(|\bdiscovery\(/.test(
    code,
  ) || /import \{[^}]*\b(request|connect)\b[^}]*\} from '(node:(https?|net|tls)|undici)'/.test(text);

describe('requests that leave the service', () => {
  const senders = ['src', 'packages/sandbox/src']
    .flatMap(filesUnder)
    .filter((file) => connects(codeOf(file), file.text));

  it('are made by these files alone', () => {
    expect(senders.map(({ path }) => path).toSorted()).toEqual(Object.keys(chosenBy).toSorted());
  });

  it('go through one function if strangers chose the address', () => {
    for (const { path, text } of senders.filter((each) => chosenBy[each.path] === 'strangers'))
      expect(text, path).toContain('connectToStranger(');
  });
});

/** A listener of the host that no stranger may reach. */
const openTrap = async (): Promise<{
  readonly port: number;
  connections: number;
  readonly server: Server;
}> => {
  const server = createServer((socket) => {
    trap.connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const trap = { port: (server.address() as AddressInfo).port, connections: 0, server };
  return trap;
};

describe('a hosted sandbox', () => {
  let trap: Awaited<ReturnType<typeof openTrap>>;
  const use = useService({ env: { BASE_URL: 'https://sandbox.bank.example', TRAPEZA_DEMO_MONTHS: '1' } });
  /** As the machine itself sees it: its public name leads nowhere here. */
  const service = (): Service => ({ ...use(), url: use().app.listenUrl });
  beforeAll(async () => {
    trap = await openTrap();
  });
  afterAll(() => new Promise((closed) => trap.server.close(closed)));

  const targets = (): string[] =>
    [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
      '2130706433',
      '169.254.169.254',
    ].flatMap((host) => [`http://${host}:${trap.port}/x`, `https://${host}:${trap.port}/x`]);

  it('takes no webhook of this machine for an application, neither in the common sandbox nor in one of a developer', async () => {
    const { baseUrl } = await made(service(), 'scanner');
    for (const place of ['', new URL(baseUrl).pathname])
      for (const webhook of targets()) {
        const body = { name: 'Scan', webhook };
        const path = `${place}/sandbox/applications`;
        const answer = await send(service().app.listenUrl, {
          method: 'POST',
          path,
          body,
          outsideContract: true,
        });
        expect([answer.status, webhook]).toEqual([400, webhook]);
      }
    expect(trap.connections).toBe(0);
  });

  it('takes no notification address of it either, though the host is that of a registered webhook', async () => {
    for (const target of targets()) {
      await registerWebhook(service(), URL.parse(target)?.protocol === 'http:' ? target : `${target}/`).catch(
        () => undefined,
      );
      expect([(await askConsent(service(), { notificationUri: target })).status, target]).toEqual([
        400,
        target,
      ]);
    }
    await registerWebhook(service(), null);
    expect(trap.connections).toBe(0);
  });

  it('does not deliver to one that a store of an earlier time has', async () => {
    await registerWebhook(service(), `http://127.0.0.1:${trap.port}/x`);
    await decide(service(), await newConsent(service()), 'approve');
    await service().app.runJobs();
    const outcomes = () =>
      withStore(service(), (db) =>
        db.all<{ outcome: string | null }>("select outcome from deliveries where target like '%/x'"),
      );
    await expect.poll(outcomes).toEqual([{ outcome: 'not reached' }]);
    expect(service().logs.join('')).toContain('"outcome":"forbidden address"');
    expect(trap.connections).toBe(0);
  });
});

/** Ports on which this process listens. */
const listeningPorts = (): ReadonlySet<number> => {
  const { libuv } = process.report.getReport() as unknown as {
    readonly libuv: readonly { type: string; localEndpoint?: { port: number }; remoteEndpoint?: unknown }[];
  };
  const listeners = libuv.filter(({ type, remoteEndpoint }) => type === 'tcp' && !remoteEndpoint);
  return new Set(listeners.flatMap(({ localEndpoint }) => localEndpoint?.port ?? []));
};

describe('a sandbox on a loopback address', () => {
  let service: Service;
  let receiver: Receiver;
  let reach: Reach | undefined;
  let own: readonly number[];
  beforeAll(async () => {
    receiver = await openReceiver();
    const before = listeningPorts();
    service = await startService({
      env: { TRAPEZA_DEMO_MONTHS: '1' },
      extend: (base) => {
        reach = base.reach;
        return {};
      },
    });
    own = [...listeningPorts()].filter((port) => !before.has(port));
  });
  afterAll(async () => {
    await service.close();
    await receiver.close();
  });

  it('sends to receivers of this machine', async () => {
    const sender = new Sender({ reach: reach ?? expect.fail() });
    expect(await sender.send(receiver.url, {}, '{}')).toMatchObject({ isDelivered: true });
  });

  it('never to a port of its own, whatever it listens on', async () => {
    const sender = new Sender({ reach: reach ?? expect.fail() });
    expect(own.length).toBeGreaterThanOrEqual(2);
    for (const port of own)
      for (const host of ['127.0.0.1', 'localhost', '[::1]'])
        expect([(await sender.send(`http://${host}:${port}/x`, {}, '{}')).cause, port]).toEqual([
          'forbidden address',
          port,
        ]);
  });

  it('but to its own third party, as it does on every public address', async () => {
    const sender = new Sender({ reach: reach ?? expect.fail() });
    const { cause } = await sender.send(`${service.url}/sandbox/tpp/webhook`, {}, '{}');
    expect(cause).toMatch(/^status /);
  });

  it('fetches nothing that a registration names', async () => {
    const before = receiver.connections;
    const address = `${receiver.url}/keys`;
    const seal = await sealOf(service, newParty());
    const keys = await ask(service, seal, { body: { ...metadata, jwks_uri: address } });
    expect([keys.status, keys.text]).toEqual([400, expect.stringContaining('jwks_uri')]);
    const named = [
      'logo_uri',
      'client_uri',
      'policy_uri',
      'tos_uri',
      'sector_identifier_uri',
      'initiate_login_uri',
    ];
    const body = { ...metadata, ...Object.fromEntries(named.map((name) => [name, address])) };
    done(await ask(service, seal, { body }));
    expect(receiver.connections).toBe(before);
  });
});

describe('what the service works with on this machine', () => {
  it.each([
    [{ DATABASE_URL: 'postgres://trapeza@127.0.0.1/trapeza' }, 5432],
    [{ DATABASE_URL: 'postgres://trapeza@localhost:6432/trapeza' }, 6432],
    [{ DATABASE_URL: 'postgres:///trapeza?host=/run/postgresql' }, 5432],
    [{ TRAPEZA_CORE_URL: 'http://[::1]:9100', TRAPEZA_CORE_TOKEN: 'x'.repeat(40) }, 9100],
    [{ PORT: '8181' }, 8181],
    [{ TRAPEZA_MANAGEMENT_PORT: '9191' }, 9191],
    [{ BASE_URL: 'http://localhost:8282' }, 8282],
  ])('%j is out of reach', (env, port) => {
    const config = readConfig({ TRAPEZA_SECRET: testSecret, ...env });
    expect(configuredPorts(config)).toContain(port);
  });

  it('and a database elsewhere is not on this machine', () => {
    const config = readConfig({
      TRAPEZA_SECRET: testSecret,
      DATABASE_URL: 'postgres://trapeza@10.0.0.7/trapeza',
    });
    expect(configuredPorts(config)).not.toContain(5432);
  });
});
