/** How the check reaches a core: as `serve` does, with one sentence where it cannot; and what it sends. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cases } from '../../../packages/core-kit/src/core-check/cases.js';
import { type ClientOptions, CoreClient } from '../../../packages/core-kit/src/core-check/client.js';
import { explanationOf } from '../../../packages/core-kit/src/core-check/explain.js';
import { demandUsable } from '../../../packages/core-kit/src/core-check/preflight.js';
import { reportOf } from '../../../packages/core-kit/src/core-check/report.js';
import { runCases } from '../../../packages/core-kit/src/core-check/run.js';
import type { Subject } from '../../../packages/core-kit/src/core-check/subject.js';
import { coreOperations } from '../../../src/bank/http/contract/operations.js';
import { type Behaviour, behaves, fixture, json, pem, RawCore } from '../../bank/http/raw-core.js';
import { cleanUp, tempFolder, trapeza } from '../../cli/program.js';

const plain = new RawCore();
const secure = new RawCore(true);
const open: CoreClient[] = [];

beforeAll(() => Promise.all([plain.up(), secure.up()]));
afterEach(async () => {
  plain.behave = behaves;
  plain.seen.length = 0;
  secure.seen.length = 0;
  await Promise.all(open.splice(0).map((core) => core.close()));
});
afterAll(async () => {
  await Promise.all([plain.down(), secure.down(), cleanUp()]);
});

const clientOf = (options: Partial<ClientOptions> = {}): CoreClient => {
  const core = new CoreClient({ url: plain.url, timeoutMs: 5000, ...options });
  open.push(core);
  return core;
};

const refusalOf = async (options: Partial<ClientOptions> = {}): Promise<string> => {
  const url = options.url ?? plain.url;
  const error: unknown = await demandUsable(clientOf(options), url).catch((reason: unknown) => reason);
  return error instanceof Error ? error.message : 'it can be used';
};

const status =
  (code: number, path = /./): Behaviour =>
  (seen, response) =>
    path.test(seen.path) ? response.writeHead(code).end() : behaves(seen, response);

describe('a core that cannot be tried is one sentence with its remedy', () => {
  it.each([
    [
      'refuses all',
      status(401),
      /refuses us \(status 401 for \/health\): set TRAPEZA_CORE_TOKEN or --token-file, /,
    ],
    ['tells its health alone', status(403, /accounts$/), /refuses us \(status 403 for \/account-holders\//],
    ['is elsewhere', status(308), /sends us elsewhere \(status 308/],
    ['has another path', status(404), /knows neither \/health nor .*with the path that comes before them\?$/],
    [
      'hangs up',
      (_seen: unknown, response: { destroy(): void }) => response.destroy(),
      /the connection breaks/,
    ],
  ] as const)('if it %s', async (_what, behave, words) => {
    plain.behave = behave as Behaviour;
    expect(await refusalOf()).toMatch(words);
    expect(plain.seen.length).toBeLessThanOrEqual(2);
  });

  it.each([
    [
      'one whom we do not trust',
      {},
      /SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO\w+.*not trusted: set TRAPEZA_CORE_CA/,
    ],
    [
      'one that wants our certificate',
      { ca: pem('ca') },
      /CERTIFICATE|ECONNRESET|UND_ERR_SOCKET.*TRAPEZA_CORE_CLIENT_CERTIFICATE/,
    ],
  ])('if it is %s', async (_what, tls, words) => {
    expect(await refusalOf({ url: secure.url, tls })).toMatch(words);
    expect(secure.seen).toEqual([]);
  });

  it('if it is late', async () => {
    plain.behave = () => undefined;
    expect(await refusalOf({ timeoutMs: 50 })).toMatch(/\(none\): it is late: .*--timeout/);
  });

  it('if it speaks no TLS', async () => {
    const url = plain.url.replace('http:', 'https:');
    expect(await refusalOf({ url })).toMatch(/is it an http address\?|is it TLS/);
  });

  it('and nothing is said where one of the two paths is there', async () => {
    plain.behave = status(404, /accounts$/);
    expect(await refusalOf()).toBe('it can be used');
  });
});

describe('the command', () => {
  const folder = tempFolder();
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const mutualTls = {
    TRAPEZA_CORE_URL: '',
    TRAPEZA_CORE_CLIENT_CERTIFICATE: fixture('client'),
    TRAPEZA_CORE_CLIENT_KEY: fixture('client.key'),
    TRAPEZA_CORE_CA: fixture('ca'),
  };

  it('connects with the settings of serve: address, mutual TLS, a private authority', async () => {
    const env = { ...mutualTls, TRAPEZA_CORE_URL: secure.url };
    const checks = ['core-check', '--only', 'ping-ok', '--only', 'token-demanded', '--timeout', '20000'];
    const { code, stdout, stderr } = await trapeza(checks, { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('2 passed, 0 failed');
  });

  it('takes the token from a file or a variable, and sends it where it is asked', async () => {
    const checks = ['core-check', plain.url, '--only', 'ping-ok', '--timeout', '20000'];
    const fromFile = await trapeza([...checks, '--token-file', file('token', 'of-the-file\n')]);
    const fromVariable = await trapeza(checks, { env: { TRAPEZA_CORE_TOKEN: 'of-the-variable' } });
    expect([fromFile.code, fromVariable.code]).toEqual([0, 0]);
    const sent = new Set(plain.seen.map(({ headers }) => headers.authorization));
    expect([...sent]).toEqual(['Bearer of-the-file', 'Bearer of-the-variable']);
  });

  it.each([
    [['core-check'], /give the address of the core, or set TRAPEZA_CORE_URL/],
    [['core-check', plain.url, '--token-file', '/none'], /\/none is no file with a token: ENOENT/],
    [['core-check', '--explain', 'nothing'], /one of ping-ok, /],
  ])('%j is explained', async (args, words) => {
    const { code, stderr } = await trapeza(args);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(words);
  });

  it('stops at a core that refuses it, without a line for each case', async () => {
    plain.behave = status(401);
    const { code, stdout, stderr } = await trapeza(['core-check', plain.url, '--demo']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('explains a case without a core', async () => {
    const { code, stdout } = await trapeza(['core-check', '--explain', 'payment-once']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/asks +PUT \/payments\/\{paymentId\}\n +X-Request-ID: a new UUID\n +Consent-ID/);
    expect(stdout).toMatch(/contract +executePayment: The id in the path is the idempotency key/);
  });
});

describe('what is sent', () => {
  const subject: Subject = { psuId: 'p-1', accountId: 'a-1' };
  const run = (core: CoreClient, only: RegExp, explains = false) =>
    runCases(
      cases.filter(({ id }) => only.test(id)),
      { core, subject, allowsPayments: false, now: () => Date.UTC(2026, 10, 15), explains },
    );

  it('is what the contract requires: a new X-Request-ID, the person, the consent', async () => {
    await run(clientOf({ token: 'secret' }), /^(accounts-echo|balances-echo|funds-echo)$/);
    const ids = plain.seen.map(({ headers }) => headers['x-request-id']);
    expect(new Set(ids).size).toBe(plain.seen.length);
    for (const { path, headers } of plain.seen) {
      const isOfAccount = path.includes('/accounts/');
      expect(headers['psu-id']).toBe(isOfAccount ? 'p-1' : undefined);
      expect(headers['consent-id']).toEqual(
        isOfAccount ? expect.stringMatching(/^[0-9a-f-]{36}$/) : undefined,
      );
      expect(headers.authorization).toBe('Bearer secret');
    }
  });

  it('includes what the core wanted to be reminded of, on the same consent alone', async () => {
    let count = 0;
    plain.behave = (seen, response) => {
      if (!seen.path.endsWith('/balances')) return behaves(seen, response);
      count += 1;
      return json(response, { accountId: 'a-1', balances: [] }, { 'Bank-Consent-Data': `n=${count}` });
    };
    const results = await run(clientOf(), /^consent-(changes-nothing|data-accepted)/);
    expect(results.map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
    expect(plain.seen.map(({ headers }) => headers['bank-consent-data'])).toEqual([
      ...[undefined, undefined, undefined],
      ...[undefined, 'n=4', 'n=5'],
    ]);
  });

  it('is told of a case that fails, with ids and without secrets', async () => {
    plain.behave = (seen, response) =>
      seen.path.endsWith('/logins') ? response.writeHead(500).end() : behaves(seen, response);
    const core = clientOf({ token: 'secret-token' });
    const login = { username: 'eleni-user', password: 'eleni-pass', psuId: 'p-1' };
    const options = { core, subject: login, allowsPayments: false, now: () => 0, explains: true };
    const failing = cases.filter(({ id }) => id === 'login-right');
    const text = reportOf('text', plain.url, await runCases(failing, options));
    expect(text).toMatch(/asks +POST \/logins {2}\(answered with 500\)\n +X-Request-ID: /);
    expect(text).toContain('{"username":"…","password":"…"}');
    expect(text).toMatch(/why +Whoever can tell users apart/);
    expect(text).not.toMatch(/eleni|secret-token/);
  });
});

describe('an explanation', () => {
  it('of every case says what is asked and what to do', () => {
    for (const each of cases) {
      const text = explanationOf(each);
      const { method, path } = coreOperations[each.operation];
      expect(text).toContain(`${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
      for (const label of ['contract', 'why', 'to do', 'again']) expect(text).toContain(`\n  ${label}`);
      expect(text).toContain(each.hint);
      expect(text).not.toMatch(/GR\d{20}|"the password"|417203/);
    }
  });
});
