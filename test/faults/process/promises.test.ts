/** A promise that nobody waits for ends the process when it fails: none may be written, and an outage of the store drops none. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../../src/lib/clock.js';
import { Vault } from '../../../src/lib/vault.js';
import { issueToken, localKeys, TokenVerifier } from '../../../src/oauth/access-token.js';
import { Revocations } from '../../../src/oauth/revocations.js';
import { SigningKeys } from '../../../src/oauth/signing-keys.js';
import type { Db } from '../../../src/store/db.js';
import { ManualClock } from '../../lib/manual-clock.js';
import { codeOf, filesUnder, root, sourceFolders } from '../../lib/source.js';
import { testSecret } from '../../support/service.js';
import { openStore } from '../../tpp/support.js';

const realm = { issuer: 'https://bank.example', audience: 'https://api.bank.example' };
const claims = { psuId: 'psu-1', clientId: 'app-1', scope: 'piis' };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

describe('promises', () => {
  it('are never one of several types, but for objects and for nothing (lib/turn.ts)', () => {
    const mixed = /\|\s*Promise<|\bPromise<[^=;{}]*>\s*\|(?!\s*(undefined|Promise)\b)/;
    const others = sourceFolders.flatMap(filesUnder).filter(({ path }) => path !== 'src/lib/turn.ts');
    expect(others.filter((file) => mixed.test(codeOf(file))).map(({ path }) => path)).toEqual([]);
    for (const type of ['boolean | Promise<boolean>', 'Promise<T> | T']) expect(mixed.test(type)).toBe(true);
    expect(mixed.test('#looking: Promise<void> | undefined;')).toBe(false);
  });

  it('that nobody waits for are found by `npm run check`', () => {
    const folder = mkdtempSync(join(tmpdir(), 'trapeza-tidy-'));
    const planted = [
      'const work = async (): Promise<boolean> => true;',
      'const maybe = (): boolean | Promise<boolean> => work();',
      'work();',
      'maybe();',
      'void work().then(() => { work(); });',
      'if (work()) maybe();',
      '[1].forEach(async () => { await work(); });',
    ];
    writeFileSync(join(folder, 'planted.ts'), planted.join('\n'));
    writeFileSync(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "types": [] } }');
    const args = ['--type-aware', '--format=unix', `--config=${join(root, '.oxlintrc.json')}`, 'planted.ts'];
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
    });
    rmSync(folder, { recursive: true });
    const lines = [...stdout.matchAll(/^planted\.ts:(\d+):.*-promises\)\]$/gm)].map(([, line]) => line);
    expect([...new Set(lines)]).toEqual(['3', '4', '5', '6', '7']);
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(scripts.check).toContain('oxlint --type-aware');
  });
});

it('faults 2: a known token is recalled without a promise that could be dropped while the database is away', async () => {
  const store = await openStore('sqlite');
  closers.push(() => store.close());
  let asked = 0;
  let isAway = false;
  const db: Db = {
    ...store.db,
    all: (sql, params) => {
      asked += 1;
      return isAway ? Promise.reject(new Error('the database is away')) : store.db.all(sql, params);
    },
  };
  const clock = new ManualClock();
  const keys = new SigningKeys(store.db, new Vault(testSecret), clock);
  await keys.ensure();
  const revocations = new Revocations(db, clock);
  closers.push(() => revocations.close());
  const tokens = new TokenVerifier(localKeys(keys), () => realm, clock, { revocations });
  const token = await issueToken(keys, realm, claims, clock);
  await tokens.verify(token);
  expect(tokens.recall(token)).toMatchObject({ psuId: 'psu-1' });
  clock.advance(6 * SECOND);
  isAway = true;
  asked = 0;
  expect(tokens.recall(token)).toBeUndefined();
  expect(asked).toBe(0);
  await expect((async () => tokens.verify(token))()).rejects.toMatchObject({
    slug: 'dependency-unavailable',
  });
});
