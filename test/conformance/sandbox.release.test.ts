/** The sandbox passes every case of the conformance kit, also from the command line. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cases } from '../../packages/conformance/src/cases.js';
import { cleanUp, runCommand, tempFolder } from '../cli/program.js';
import { engines } from '../support/engines.js';
import { useService } from '../support/use-service.js';
import { trySandbox } from './kit.js';
import { useBank } from './use-bank.js';

afterAll(cleanUp);

describe('the cases', () => {
  it('have each an id of their own, a title and a clause', () => {
    const ids = cases.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, area, title, clause } of cases) {
      expect(id).toMatch(/^[a-z][a-z0-9-]+$/);
      expect(id.startsWith(`${area}-`)).toBe(true);
      expect(title.length).toBeGreaterThan(10);
      expect(clause.text).toMatch(/\S+ \S+/);
    }
  });
});

describe.each(engines)('on %s', (engine) => {
  const use = useBank({ engine, isBehind: false });

  it('all cases pass, and none is left out', async () => {
    const results = await trySandbox(use().url);
    expect(results.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
    expect(results).toHaveLength(cases.length);
  });
});

describe('the command', () => {
  const use = useService();

  it('reports, and its exit code says how it ended', async () => {
    const { url } = use();
    const good = await runCommand(['conformance', url, '--sandbox', '--only', 'atms-key-missing']);
    expect(good).toMatchObject({ code: 0, stderr: '' });
    expect(good.stdout).toContain('1 passed, 0 failed, 0 not run');
    const json = await runCommand(['conformance', url, '--sandbox', '--only', 'atms-challenge', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ url, summary: { passed: 1, failed: 0, 'not run': 0 } });
  });

  it('says what cannot be used, and tries nothing', async () => {
    const file = join(tempFolder(), 'bank.json');
    writeFileSync(file, '{ "application": { "clientId": "x" }, "colour": "red" }');
    const bad = await runCommand(['conformance', use().url, '--credentials', file]);
    expect(bad.code).toBe(2);
    expect(bad.stderr).toMatch(/application\.subscriptionKey is missing; colour is unknown/);
    expect(await runCommand(['conformance', 'http://127.0.0.1:1', '--sandbox'])).toMatchObject({ code: 2 });
    const [subscriptionKey, accessToken] = [use().keyOf(), await use().token()];
    for (const wrong of [{ subscriptionKey: 'wrong' }, { accessToken: 'wrong' }]) {
      const application = { clientId: 'demo-finance-app', subscriptionKey, accessToken, ...wrong };
      writeFileSync(file, JSON.stringify({ application }));
      const refused = await runCommand(['conformance', use().url, '--credentials', file]);
      expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('answers 401') });
    }
    const nothing = await runCommand(['conformance', use().url]);
    expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('--credentials') });
  });

  it('lists the cases with their clauses', async () => {
    const { code, stdout } = await runCommand(['conformance', '--list', '--only', 'rfc', '--json']);
    const listed = JSON.parse(stdout) as { id: string }[];
    expect(code).toBe(0);
    expect(listed.map(({ id }) => id)).toEqual(
      cases.filter(({ clause }) => clause.source === 'rfc').map(({ id }) => id),
    );
  });
});
