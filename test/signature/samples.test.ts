/** The samples of the page about signatures, run as they stand there, against the strictest policy. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useService } from '../support/use-service.js';
import { setPolicy } from './support.js';

const run = promisify(execFile);
const service = useService({}, (made) => setPolicy(made, 'strict'));

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/** What a reader copies. */
const sampleOf = (html: string, name: string): string => {
  const block = html.split('<figcaption>').find((each) => each.startsWith(name)) ?? '';
  const code = /<code>([\s\S]*?)<\/code>/.exec(block)?.[1] ?? '';
  return code
    .replace(/<[^>]+>/g, '')
    .replace(/&([a-z]+|#39);/g, (whole, entity: string) => entities[entity] ?? whole);
};

let folder: string;
let html: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trapeza-samples-'));
  html = await (await fetch(`${service().url}/docs/signatures`)).text();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tools = ['bash', 'curl', 'openssl'].filter((tool) => spawnSync('which', [tool]).status !== 0);
if (tools.length > 0)
  console.warn(`SKIPPED: the sample for the terminal, because there is no ${tools.join()}`);

describe('the page about signatures', () => {
  it.skipIf(tools.length > 0)('has a sample for curl and openssl that is accepted', async () => {
    const sample = sampleOf(html, 'Terminal');
    expect(sample).toContain('openssl dgst -sha256 -sign seal.key');
    const { stdout } = await run('bash', ['-c', sample], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({ fundsAvailable: true });
  });

  it('has a sample for Node that is accepted, and whose dry run agrees', async () => {
    const sample = sampleOf(html, 'Node');
    writeFileSync(join(folder, 'sign.mjs'), sample);
    const { stdout } = await run(process.execPath, ['sign.mjs'], { cwd: folder });
    expect(stdout).toBe('true true\n200 {"fundsAvailable":true}\n');
  });
});
