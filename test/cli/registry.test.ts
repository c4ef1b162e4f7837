/** The register on the command line, beside a running sandbox on the same database. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxToken } from '../support/client.js';
import { testSecret } from '../support/service.js';
import { cleanUp, jsonOf, type RunningService, runCommand, startSandbox, tempFolder } from './program.js';

let env: Record<string, string>;
let sandbox: RunningService;
let token: string;
beforeAll(async () => {
  env = { DATABASE_URL: `sqlite:${join(tempFolder(), 'shared.db')}`, TRAPEZA_SECRET: testSecret };
  sandbox = await startSandbox({ env });
  token = await sandboxToken(sandbox.url, { application: 'demo-budget-app' });
});
afterAll(cleanUp);

const command = async <T>(...args: string[]): Promise<T> =>
  jsonOf<T>(await runCommand([...args, '--json'], { env }));
const plain = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await runCommand(args, { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

const statusWith = async (key: string): Promise<number> =>
  (
    await fetch(`${sandbox.url}/psd2/v1/opendata/atm`, {
      headers: {
        'Ocp-Apim-Subscription-Key': key,
        Authorization: `Bearer ${token}`,
        'X-Request-ID': randomUUID(),
      },
    })
  ).status;

/** Changes act within five seconds; asked again until then. */
const eventually = { interval: 100 };

interface Key {
  readonly id: string;
  readonly slot: string;
  readonly key: string;
}
interface Subscription {
  readonly subscriptionId: string;
  readonly products: string[];
  readonly keys: Key[];
}
const demo = ['--application', 'demo-budget-app'];

describe('a key', () => {
  it('works on the running service, is rolled one by one, suspended and resumed', async () => {
    const made = await command<Subscription>('key', 'create', ...demo, '--products', 'opendata, ais');
    const [primary, secondary] = made.keys;
    if (!primary || !secondary) throw new Error('two keys were expected');
    expect(made.products).toEqual(['opendata', 'ais']);
    expect(made.keys.map(({ slot }) => slot)).toEqual(['primary', 'secondary']);
    expect(await statusWith(primary.key)).toBe(200);
    expect(await statusWith(secondary.key)).toBe(200);

    const listed = await command<{ id: string; subscriptionId: string; slot: string; status: string }[]>(
      'key',
      'list',
    );
    const own = listed.filter(({ subscriptionId }) => subscriptionId === made.subscriptionId);
    expect(own.map(({ id, status }) => ({ id, status }))).toEqual([
      { id: primary.id, status: 'active' },
      { id: secondary.id, status: 'active' },
    ]);
    expect(JSON.stringify(listed)).not.toContain(primary.key);

    const rolled = await command<Key>('key', 'roll', made.subscriptionId, '--slot', 'primary');
    expect(await statusWith(rolled.key)).toBe(200);
    await expect.poll(() => statusWith(primary.key), eventually).toBe(401);
    expect(await statusWith(secondary.key)).toBe(200);

    expect(await plain('key', 'suspend', secondary.id)).toBe(`Key ${secondary.id} is suspended.\n`);
    await expect.poll(() => statusWith(secondary.key), eventually).toBe(403);
    expect(await statusWith(rolled.key)).toBe(200);
    expect(await plain('key', 'resume', secondary.id)).toBe(`Key ${secondary.id} is active.\n`);
    await expect.poll(() => statusWith(secondary.key), eventually).toBe(200);
  });

  it('has its own quota', async () => {
    const { keys } = await command<Subscription>('key', 'create', ...demo, '--quota-per-minute', '2');
    const key = keys[0]?.key ?? '';
    expect([await statusWith(key), await statusWith(key), await statusWith(key)]).toEqual([200, 200, 429]);
  });

  it('is shown once, with its slot and id, to people', async () => {
    const text = await plain('key', 'create', ...demo);
    expect(text).toMatch(/^Subscription [\w-]{36} for piis, opendata, ais, pis$/m);
    expect(text).toMatch(/^primary {4}[\w-]{43} {3}\(key id [\w-]{36}, shown only now\)$/m);
    expect(text).toMatch(/^secondary {2}[\w-]{43} {3}\(key id [\w-]{36}, shown only now\)$/m);
  });
});

describe('a third party and its application', () => {
  it('are created, listed, suspended with everything below them, and resumed', async () => {
    const roles = ['--roles', 'PSP_IC, PSP_AI'];
    const tpp = await command<{ id: string; roles: string[] }>(
      ...['tpp', 'create', '--name', 'Ελληνική Εταιρεία', '--registration', 'PSDGR-BOG-77', ...roles],
    );
    expect(tpp.roles).toEqual(['PSP_IC', 'PSP_AI']);
    const application = await command<{ clientId: string; clientSecret: string }>(
      ...['application', 'create', '--tpp', tpp.id, '--name', 'App'],
      ...['--redirect-uri', 'https://a.example/x', '--redirect-uri', 'https://b.example/y'],
    );
    expect(application.clientSecret).toMatch(/^[\w-]{43}$/);
    const made = await command<Subscription>('key', 'create', '--application', application.clientId);
    expect(made.products).toEqual(['piis', 'opendata', 'ais']);

    expect(await plain('tpp', 'policy', tpp.id, 'strict')).toContain(`${tpp.id}: strict`);
    expect(await plain('tpp', 'unattended', tpp.id, '24')).toContain(`${tpp.id}: 24 a day`);
    expect(await command<object[]>('tpp', 'list')).toContainEqual({
      id: tpp.id,
      name: 'Ελληνική Εταιρεία',
      registration: 'PSDGR-BOG-77',
      roles: 'PSP_IC PSP_AI',
      status: 'active',
      signaturePolicy: 'strict',
      unattendedPerDay: 24,
      suspensionReason: null,
      withdrawnFor: null,
      suspendedUntil: null,
    });
    expect(await plain('tpp', 'unattended', tpp.id, 'default')).toContain(
      'as TRAPEZA_UNATTENDED_PER_DAY says',
    );
    expect(await plain('tpp', 'policy', tpp.id, 'default')).toContain('as TRAPEZA_SIGNATURE_POLICY says');
    expect(await command<object[]>('application', 'list')).toContainEqual({
      clientId: application.clientId,
      tppId: tpp.id,
      name: 'App',
      redirectUris: ['https://a.example/x', 'https://b.example/y'],
      webhookUrl: null,
      binding: 'none',
      profile: 'none',
      status: 'active',
    });
    for (const [group, id] of [
      ['tpp', tpp.id],
      ['application', application.clientId],
    ] as const) {
      expect(await plain(group, 'suspend', id)).toContain(`${id} is suspended.`);
      const rows = await command<{ status: string }[]>(group, 'list');
      expect(
        rows.filter((row) => JSON.stringify(row).includes(id) && row.status === 'suspended'),
      ).not.toEqual([]);
      expect(await plain(group, 'resume', id)).toContain(`${id} is active.`);
    }
  });

  it('is secured by the operator, unless it does not fit the profile, which is told', async () => {
    const name = ['application', 'security', 'demo-card-app'];
    const { code, stderr } = await runCommand([...name, '--profile', 'fapi2'], { env });
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 3 });
    expect(stderr).toContain('--binding dpop or --binding certificate');
    const set = await plain(...name, '--binding', 'certificate', '--profile', 'fapi2');
    expect(set).toBe('Application demo-card-app: binding certificate, profile fapi2.\n');
  });

  it('that is suspended is refused by the running service, and let in again', async () => {
    const { keys } = await command<Subscription>('key', 'create', ...demo);
    const key = keys[0]?.key ?? '';
    expect(await statusWith(key)).toBe(200);
    await plain('application', 'suspend', 'demo-budget-app');
    await expect.poll(() => statusWith(key), eventually).toBe(403);
    await plain('application', 'resume', 'demo-budget-app');
    await expect.poll(() => statusWith(key), eventually).toBe(200);
  });

  it('are listed in a table for people', async () => {
    const [head = '', rule = '', ...rows] = (await plain('tpp', 'list')).trimEnd().split('\n');
    expect(head.split(/\s{2,}/)).toEqual([
      'id',
      'name',
      'registration',
      'roles',
      'status',
      'signaturePolicy',
      'unattendedPerDay',
      'suspensionReason',
      'withdrawnFor',
      'suspendedUntil',
    ]);
    expect(rule).toMatch(/^[─ ]+$/);
    expect(rows.length).toBeGreaterThanOrEqual(4);
  });
});

describe('a mistake', () => {
  it.each([
    [
      ['tpp', 'create', '--name', 'X', '--registration', 'R', '--roles', 'PSP_XX'],
      '"PSP_XX" is not a role; use PSP_IC, PSP_AI, PSP_PI',
    ],
    [
      ['tpp', 'create', '--name', 'X', '--registration', 'PSDGR-BOG-DEMO0001', '--roles', 'PSP_IC'],
      'a third party with registration PSDGR-BOG-DEMO0001 exists already',
    ],
    [['tpp', 'suspend', 'nobody'], 'there is no tpp nobody'],
    [['application', 'create', '--tpp', 'nobody', '--name', 'X'], 'there is no third party nobody'],
    [
      ['application', 'create', '--tpp', 'x', '--name', 'X', '--redirect-uri', 'nowhere'],
      'nowhere is not a redirect address',
    ],
    [['key', 'create', '--application', 'nobody'], 'there is no application nobody'],
    [
      ['key', 'create', ...demo, '--products', 'gold'],
      '"gold" is not a product; use piis, opendata, ais, pis',
    ],
    [['key', 'roll', 'nothing', '--slot', 'primary'], 'there is no subscription nothing'],
  ])('%j is explained', async (args, words) => {
    const { code, stdout, stderr } = await runCommand(args, { env });
    expect(code).toBe(1);
    expect(stderr).toContain(`trapeza: ${words}`);
    expect(stderr + stdout).not.toContain('    at ');
  });
});
