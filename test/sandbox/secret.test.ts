/** Processes of a sandbox that start at once: they must end up with the same secret, or one cannot read what another has sealed. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { tempFolder } from '../cli/program.js';
import { unbundledFile } from '../lib/build.js';

const FOLDERS = 100;
const THREADS = 4;

/** All threads go for one folder after the other, each time at the same moment. */
const RACE = `
  const { parentPort, workerData: { module, folder, folders, threads, gate } } = require('node:worker_threads');
  const count = new Int32Array(gate);
  import(module).then(({ sandboxSecret }) => {
    const secrets = [];
    for (let round = 0; round < folders; round += 1) {
      Atomics.add(count, round, 1);
      while (Atomics.load(count, round) < threads);
      secrets.push(sandboxSecret(folder + '/' + round));
    }
    parentPort.postMessage(secrets);
  });`;

const race = (folder: string): Promise<string[][]> => {
  const gate = new SharedArrayBuffer(FOLDERS * 4);
  const module = pathToFileURL(unbundledFile('secret.js', 'packages/sandbox')).href;
  const workerData = { module, folder, folders: FOLDERS, threads: THREADS, gate };
  const one = (): Promise<string[]> =>
    new Promise((done, reject) =>
      new Worker(RACE, { eval: true, workerData }).once('message', done).once('error', reject),
    );
  return Promise.all(Array.from({ length: THREADS }, one));
};

it('is one secret for all that start at once, and only its owner may read it', async () => {
  const folder = tempFolder();
  const [first = [], ...others] = await race(folder);
  expect(new Set(first).size).toBe(FOLDERS);
  expect(first.every((secret) => secret.length === 64)).toBe(true);
  for (const each of others) expect(each).toEqual(first);
  expect(readdirSync(join(folder, '0'))).toEqual(['sandbox-secret']);
  expect(statSync(join(folder, '0', 'sandbox-secret')).mode & 0o777).toBe(0o600);
});
