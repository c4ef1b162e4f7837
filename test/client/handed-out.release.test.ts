/** The client that the service hands out: the same at every address, made of the same bytes every time, and all that a program needs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packTo } from '../../build/client.js';
import { version } from '../../src/version.js';
import { cleanUp, Program, tempFolder } from '../cli/program.js';
import { installedClient } from '../guides/terminal.js';
import { root } from '../lib/source.js';
import { made } from '../sandbox/developers-support.js';
import { useService } from '../support/use-service.js';

const service = useService();
let own = '';
let folder = '';
beforeAll(async () => {
  own = (await made(service(), 'installer')).baseUrl;
  folder = await installedClient(own);
});
afterAll(cleanUp);

const installed = (path: string): string => join(folder, 'node_modules/@trapeza/client', path);

describe('the client that the service hands out', () => {
  it('is the same at the address of a sandbox and below it, and what the build has packed', async () => {
    const packed = readFileSync(join(root, 'dist/client.tgz'));
    for (const base of [service().url, own]) {
      const response = await fetch(`${base}/client.tgz`);
      expect(response.headers.get('content-type')).toMatch(/^application\/gzip\b/);
      expect(response.headers.get('content-encoding')).toBe(null);
      expect(Buffer.from(await response.arrayBuffer()).equals(packed)).toBe(true);
    }
    const [one, other] = [tempFolder(), tempFolder()].map((to) => readFileSync(packTo(to)));
    expect(one && other?.equals(one)).toBe(true);
  });

  it('is installed without a registry, with its version, its license and nothing else', () => {
    const manifest = JSON.parse(readFileSync(installed('package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: '@trapeza/client', version, license: 'Apache-2.0' });
    expect(manifest).not.toHaveProperty('dependencies');
    expect(readFileSync(installed('dist/LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
    const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    expect(Object.keys(packages)).toEqual(['', 'node_modules/@trapeza/client']);
    expect(packages['node_modules/@trapeza/client'].resolved).toBe(`${own}/client.tgz`);
  });

  it('has types that a strict compiler takes in an empty folder, and that know the operations', async () => {
    writeFileSync(
      join(folder, 'use.mts'),
      `import { createClient, ProblemError } from '@trapeza/client';
const client = createClient({ baseUrl: '', subscriptionKey: '', token: '' });
const { body } = await client.getTransactions({ headers: { 'Consent-ID': '' }, params: { accountId: '' } });
const amounts: readonly number[] = body.transactions.booked?.map((each) => each.transactionAmount.amount) ?? [];
const isTyped: 'getNothing' extends keyof typeof client ? false : true = true;
console.log(amounts, isTyped, ProblemError);
`,
    );
    const { code, stdout } = await new Program(
      process.execPath,
      [
        join(root, 'node_modules/typescript/bin/tsc'),
        ...['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom'],
        ...['--types', '', 'use.mts'],
      ],
      { cwd: folder },
    ).finished;
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });
});
