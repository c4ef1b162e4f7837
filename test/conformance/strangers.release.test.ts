/** What is no bank, and credentials that are none: a clear word, exit code 2, and soon. */
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, type Finished, runCommand, tempFolder } from '../cli/program.js';

const servers: Server[] = [];

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  await cleanUp();
});

const SECRET = 'a-key-that-stays-here';
const fileWith = (text: string): string => {
  const file = join(tempFolder(), 'bank.json');
  writeFileSync(file, text);
  return file;
};
const good = JSON.stringify({
  application: { clientId: 'kit', subscriptionKey: SECRET, accessToken: SECRET },
});

const tryAt = (url: string, file = fileWith(good), more: readonly string[] = []): Promise<Finished> =>
  runCommand(['conformance', url, '--credentials', file, '--timeout', '300', ...more]);

const unusable = (said: RegExp) => ({ code: 2, stdout: '', stderr: expect.stringMatching(said) });
const page: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Welcome</h1>');
};

describe('an address at which there is no bank', () => {
  it.each<[string, RequestListener, RegExp]>([
    ['pages for everything', page, /no bank with this interface at .*opendata\/atm: 200 and a page/],
    ['nothing there', (_request, response) => void response.writeHead(404).end(), /no bank .*atm: 404; /],
    [
      'another address',
      (_request, response) => void response.writeHead(301, { location: '/' }).end(),
      /no bank .*: 301/,
    ],
    ['no answer', () => undefined, /none to GET .*: not within 300 ms/],
    [
      'an answer without end',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('[');
      },
      /none to GET .*: not within 300 ms/,
    ],
  ])('is named: %s', async (_name, listener, said) => {
    const url = await serve(listener);
    expect(await tryAt(url)).toMatchObject(unusable(said));
    expect(await runCommand(['conformance', url, '--sandbox', '--timeout', '300'])).toMatchObject(
      unusable(said),
    );
  });

  it('is named if nothing listens, or it is no address', async () => {
    expect(await tryAt('http://127.0.0.1:1')).toMatchObject(unusable(/none to GET .*ECONNREFUSED/));
    for (const url of ['127.0.0.1', 'ftp://bank.example', 'http://bank example'])
      expect(await tryAt(url)).toMatchObject(unusable(/give the address of the bank/));
  });

  it('is no sandbox if it only looks like a bank', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    const said = /expected a sandbox of Trapeza/;
    expect(await runCommand(['conformance', url, '--sandbox'])).toMatchObject(unusable(said));
  });
});

describe('a bank that stops answering', () => {
  it('is not asked the same for hours', async () => {
    let calls = 0;
    const url = await serve((request, response) => {
      calls += 1;
      if (request.headers.authorization === undefined || calls < 3) response.writeHead(403).end();
    });
    const { code, stdout } = await tryAt(url, fileWith(good), ['--only', 'atms']);
    expect(code).toBe(1);
    expect(stdout).toContain('the last 3 calls had no answer');
    expect(calls).toBeLessThan(20);
  });
});

describe('credentials that cannot be used', () => {
  it.each<[string, string, RegExp]>([
    ['no JSON', `{ "application": ${SECRET}`, /bank\.json is no JSON/],
    ['a list', '[]', /it must be an object/],
    ['no application', '{}', /application is missing/],
    [
      'a seal that is none',
      good.replace('}}', '},"seal":{"certificate":"bank.json","key":"bank.json"}}'),
      /^seal: /,
    ],
    ['a file that is not there', good.replace('}}', '},"tls":{"ca":"ca.pem"}}'), /^tls\.ca: ENOENT/],
  ])('are named: %s', async (_name, text, said) => {
    const refused = await tryAt(await serve(page), fileWith(text));
    expect(refused).toMatchObject(unusable(said));
    expect(refused.stderr).not.toContain(SECRET);
  });

  it('are named if there are none, and so is a report that cannot be written', async () => {
    const url = await serve(page);
    expect(await tryAt(url, '/absent/bank.json')).toMatchObject(unusable(/cannot be read: ENOENT/));
    expect(await tryAt(url, fileWith(good), ['--html', '/absent/report.html'])).toMatchObject(
      unusable(/the report cannot be written: ENOENT/),
    );
  });
});
