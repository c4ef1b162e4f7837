/** `trapeza brand`: what is wrong with a brand, and every page for account holders in it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { version } from '../../src/version.js';
import { root } from '../lib/source.js';
import { cleanUp, runCommand } from './program.js';

const folder = mkdtempSync(join(tmpdir(), 'trapeza-brand-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterAll(cleanUp);

const night = join(root, 'test/web/fixtures/night-brand');
const described = (brand: object): string => {
  writeFileSync(join(folder, 'brand.json'), JSON.stringify(brand));
  return folder;
};

describe('trapeza brand check', () => {
  it('shows the figures of a good brand', async () => {
    const { code, stdout } = await runCommand(['brand', 'check', night]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok +colours\.light\.accent #8a1253 on #f6f8fa is 8\.6 to 1/m);
    expect(stdout).not.toContain('warning');
  });

  it('says what is missing, and that is no failure', async () => {
    const { code, stdout } = await runCommand(['brand', 'check', described({ name: 'B' })]);
    expect(code).toBe(0);
    expect(stdout.match(/^warning /gm)).toHaveLength(9);
  });

  it('fails with the figure and a colour that would do', async () => {
    const bad = described({ name: 'B', logo: 'none.svg', colours: { light: { accent: '#ffcc00' } } });
    const { code, stdout } = await runCommand(['brand', 'check', bad, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      isGood: false,
      findings: [
        { check: 'logo', verdict: 'failed' },
        { check: 'colours.light.accent', detail: expect.stringMatching(/1\.4 to 1.*#8a6e00 would do/) },
      ],
    });
  });

  it('says that there is no brand', async () => {
    const nowhere = await runCommand(['brand', 'check', join(folder, 'nowhere')]);
    expect([nowhere.code, nowhere.stdout]).toEqual([1, expect.stringContaining('there is no file')]);
    expect((await runCommand(['brand', 'check'])).stderr).toContain('set TRAPEZA_BRAND');
  });
});

it('trapeza brand texts prints every text of ours under its key, for a file of the bank', async () => {
  const { code, stdout } = await runCommand(['brand', 'texts', 'el']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ 'approval.locale': 'el-GR' });
  expect(await runCommand(['brand', 'texts', 'de'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('texts in el and en'),
  });
});

describe('trapeza brand preview', () => {
  it('writes every page, with the name of the bank and none of the product', {
    timeout: 120_000,
  }, async () => {
    const out = join(folder, 'preview');
    const { code, stdout } = await runCommand(['brand', 'preview', night, '--out', out]);
    expect([code, stdout]).toEqual([0, `Open ${join(out, 'index.html')} in a browser.\n`]);
    const files = readdirSync(join(out, 'pages'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.html'),
    );
    expect(files.length).toBeGreaterThan(100);
    const assets = readdirSync(join(out, 'assets'));
    const faults = files.flatMap((name) => {
      const html = readFileSync(join(out, 'pages', name), 'utf8');
      const title = /<h1[^>]*>([^<]*)/.exec(html)?.[1] ?? '';
      const lost = [...html.matchAll(/\.\.\/assets\/([\w.-]+)/g)].filter(
        ([, asset = '']) => !assets.includes(asset),
      );
      return [
        ...(/Συνεταιριστική|Co-operative Bank/.test(html) ? [] : [`${name}: no name of the bank`]),
        ...(/trapeza|meltemi|sandbox/i.test(html) || html.includes(version) ? [`${name}: ours`] : []),
        ...(title === '' || lost.length > 0 ? [`${name}: ${title} ${lost}`] : []),
      ];
    });
    expect(faults).toEqual([]);
  });

  it('writes over nothing but an earlier preview', async () => {
    const { code, stderr } = await runCommand(['brand', 'preview', night, '--out', folder]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('is not empty and no earlier preview')]);
  });
});
