/** No notification ever reaches an address that is not public, whatever its name or spelling says. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sender } from '../../../src/events/delivery/sender.js';
import { targetFault } from '../../../src/events/target.js';
import type { Resolved } from '../../../src/lib/net/checked-connect.js';
import { answers, openReceiver, type Receiver } from '../receiver.js';
import { forbiddenHosts, forbiddenInSandbox, forbiddenNames } from './guard-corpus.js';
import { hosted, local } from './reaches.js';

const publicNames: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
};

const resolve = async (host: string): Promise<Resolved[]> =>
  (forbiddenNames[host] ?? publicNames[host] ?? []).map((address) => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));

/** Stands where sockets are opened, and opens none. */
const opened: (readonly Resolved[])[] = [];
const open = (
  addresses: readonly Resolved[],
  _options: unknown,
  callback: (error: Error, socket: null) => void,
) => {
  opened.push(addresses);
  callback(Object.assign(new Error('no network here'), { code: 'EOPENED' }), null);
};
beforeEach(() => {
  opened.length = 0;
});

const production = new Sender({ reach: hosted, resolve, open });
const sandbox = new Sender({ reach: local, resolve, open });

const outcomeOf = async (sender: Sender, url: string): Promise<string> => {
  if (!URL.canParse(url)) return 'no address';
  return (await sender.send(new URL(url).href, {}, '{}')).cause;
};

describe('outside the sandbox no socket is opened', () => {
  const hosts = [...forbiddenHosts, ...Object.keys(forbiddenNames)];

  it('is tried with more than 80 hosts', () => {
    expect(new Set(hosts).size).toBeGreaterThan(100);
  });

  it.each(hosts)('to https://%s/', async (host) => {
    for (const url of [`https://${host}/`, `https://${host}:8443/x?y`, `http://${host}/`])
      expect(['forbidden address', 'no address']).toContain(await outcomeOf(production, url));
    expect(opened).toEqual([]);
  });

  it.each(forbiddenHosts)('and https://%s/ cannot be registered either', (host) => {
    expect(targetFault(`https://${host}/`, false)).toBeDefined();
  });

  it('to a public name over plain http', async () => {
    expect(await outcomeOf(production, 'http://public.example/')).toBe('forbidden address');
    expect(opened).toEqual([]);
  });

  it('but to a public name, with exactly the addresses that were checked', async () => {
    expect(await outcomeOf(production, 'https://public.example/')).toBe('EOPENED');
    expect(opened.map((each) => each.map(({ address }) => address))).toEqual([publicNames['public.example']]);
  });
});

describe('in the sandbox', () => {
  it.each(forbiddenInSandbox)('%s stays forbidden', async (url) => {
    expect(await outcomeOf(sandbox, url)).toBe('forbidden address');
    expect(opened).toEqual([]);
  });

  it.each(['http://127.0.0.1:9/', 'http://[::1]:9/', 'https://localhost:9/', 'http://2130706433:9/'])(
    '%s is allowed, being loopback',
    async (url) => {
      expect(await outcomeOf(sandbox, url)).toBe('EOPENED');
    },
  );
});

describe('a real receiver', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await openReceiver();
  });
  afterAll(() => receiver.close());
  const port = (): string => new URL(receiver.url).port;

  it('on loopback sees no connection, by name or number', async () => {
    const sender = new Sender({ reach: hosted });
    const hosts = [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '2130706433',
      '0x7f.1',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
    ];
    for (const host of hosts)
      for (const scheme of ['http', 'https'])
        expect((await sender.send(`${scheme}://${host}:${port()}/hook`, {}, '{}')).isDelivered).toBe(false);
    expect(receiver.connections).toBe(0);
  });

  it('is not reached when the name leads to it only after the check', async () => {
    let asked = 0;
    const rebinding = async (): Promise<Resolved[]> => {
      asked += 1;
      return [{ address: asked === 1 ? '93.184.215.14' : '127.0.0.1', family: 4 }];
    };
    const sender = new Sender({ reach: hosted, resolve: rebinding, open });
    const { cause: outcome } = await sender.send(`https://rebind.example:${port()}/`, {}, '{}');
    expect([outcome, asked]).toEqual(['EOPENED', 1]);
    expect(opened).toEqual([[{ address: '93.184.215.14', family: 4 }]]);
  });

  it('is reached by the addresses of one look alone', async () => {
    let asked = 0;
    const once = async (): Promise<Resolved[]> => {
      asked += 1;
      return [{ address: asked === 1 ? '127.0.0.1' : '192.0.2.1', family: 4 }];
    };
    const sender = new Sender({ reach: local, resolve: once });
    const { outcome } = await sender.send(`http://rebind.example:${port()}/hook`, {}, '{}');
    expect([outcome, asked]).toEqual(['status 204', 1]);
  });

  it.each([301, 302, 303, 307, 308])('that answers %d is not followed', async (status) => {
    const elsewhere = await openReceiver();
    try {
      receiver.respond = answers(status, { Location: elsewhere.url });
      const attempt = await new Sender({ reach: local }).send(receiver.url, {}, '{}');
      expect(attempt).toEqual({ isDelivered: false, outcome: 'not reached', cause: `status ${status}` });
      expect(elsewhere.connections).toBe(0);
    } finally {
      await elsewhere.close();
    }
  });

  it('that never ends its answer has answered', async () => {
    receiver.respond = (response) => {
      response.writeHead(200);
      const more = (): void => {
        while (response.write(Buffer.alloc(8192)));
      };
      response.on('drain', more);
      more();
    };
    const attempt = await new Sender({ reach: local }).send(receiver.url, {}, '{}');
    expect(attempt).toEqual({ isDelivered: true, outcome: 'status 200', cause: 'status 200' });
  });

  it('whose certificate nobody vouches for gets nothing', async () => {
    const attempt = await new Sender({ reach: local }).send(`https://127.0.0.1:${port()}/`, {}, '{}');
    expect(attempt.isDelivered).toBe(false);
  });
});

describe('an address for notifications', () => {
  it.each([
    ['https://tpp.example/hook', undefined],
    ['https://tpp.example:8443/hook?a=b', undefined],
    ['http://tpp.example/hook', 'must be an https address'],
    ['ftp://tpp.example/', 'must be an https address'],
    ['https:tpp.example', 'must be an https address'],
    ['tpp.example/hook', 'must be an https address'],
    ['https://', 'must be an https address'],
    ['https://user@tpp.example/', 'must not have a user name'],
    ['https://user:pass@tpp.example/', 'must not have a user name'],
    ['https://@tpp.example/', 'must not have a user name'],
    ['https://tpp.example/#part', 'must not have a fragment'],
    ['https://tpp.example/#', 'must not have a fragment'],
    [`https://tpp.example/${'x'.repeat(2048)}`, 'must have at most 2048 characters'],
    ['https://localhost/hook', 'must lead to a public address'],
    ['https://localhost./hook', 'must lead to a public address'],
    ['http://127.0.0.1:8080/', 'must be an https address'],
  ])('%s: %s', (value, fault) => {
    expect(targetFault(value, false)).toBe(fault);
  });

  it.each([
    'http://127.0.0.1:9000/hook',
    'http://localhost:9000/',
    'http://[::1]:9000/',
    'https://localhost/',
  ])('%s is taken in the sandbox', (value) => {
    expect(targetFault(value, true)).toBeUndefined();
  });

  it.each(['http://10.0.0.1/', 'https://10.0.0.1/', 'http://tpp.example/', 'http://127.0.0.1@tpp.example/'])(
    '%s is not taken in the sandbox either',
    (value) => {
      expect(targetFault(value, true)).toBeDefined();
    },
  );
});
