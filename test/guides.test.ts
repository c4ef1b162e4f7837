/** The guides tell the truth: what they show runs in page order from a fresh shell, and both languages show the same. */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { guidePath, guides, WRITTEN_ADDRESS } from '../src/portal/guides/guides.js';
import { languages } from '../src/web/language.js';
import { cleanUp, Program, tempFolder } from './cli/program.js';
import { expectPrinted, type Fence, fencesIn, nextTo } from './lib/fences.js';
import { root } from './lib/source.js';
import { setPolicy } from './signature/support.js';
import { useService } from './support/use-service.js';

afterAll(cleanUp);

const hasTools = ['curl', 'openssl', 'python3'].every((tool) =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, tool))),
);

const files: Readonly<Record<string, (index: number) => readonly [string, string]>> = {
  js: (index) => [`sample-${index}.mjs`, 'node'],
  python: (index) => [`sample-${index}.py`, 'python3'],
};

const MARK = 'END-OF-BLOCK';

/** The blocks as one session of a shell. What installs or starts something is for people. */
const sessionOf = (fences: readonly Fence[], folder: string): string =>
  fences
    .map(({ language, content }, index) => {
      const [name, command] = files[language]?.(index) ?? [];
      if (name) writeFileSync(join(folder, name), content);
      const isRun = language === 'bash' && !/^(npm|npx|docker) /m.test(content);
      return `${name ? `${command} ${name}` : isRun ? content : ''}\necho ${MARK}\n`;
    })
    .join('');

describe('the list of guides', () => {
  it('has every file, in both languages', () => {
    const names = readdirSync(join(root, 'docs/guides'));
    expect(names.sort()).toEqual(guides.flatMap(({ slug }) => [`${slug}.el.md`, `${slug}.en.md`]).sort());
  });
});

/** With the quota that a sandbox has. */
const service = useService({ env: { TRAPEZA_QUOTA_PER_MINUTE: '600' } });

describe.each(guides)('$slug', ({ slug, title, summary, text }) => {
  it('has a title, a summary and a picture in both languages, and the same code', () => {
    for (const lang of languages) {
      expect(title[lang]).not.toBe('');
      expect(summary[lang].length).toBeGreaterThan(40);
      expect(fencesIn(text[lang]).filter(({ language }) => language === 'mermaid')).toHaveLength(1);
    }
    const code = (lang: 'el' | 'en') =>
      fencesIn(text[lang])
        .filter(({ language }) => language !== 'mermaid')
        .map(({ language, content }) => [language, content]);
    expect(code('el')).toEqual(code('en'));
  });

  it.each(languages)('links to headings that exist (%s)', async (lang) => {
    const page = async (path: string) => (await fetch(`${service().url}${path}?lang=${lang}`)).text();
    const links = [...(await page(guidePath(slug))).matchAll(/href="(\/docs\/guides\/[a-z-]+)#([^"]+)"/g)];
    for (const [, path = '', id = ''] of links) expect(await page(path)).toContain(`id="${decodeURI(id)}"`);
  });

  it.skipIf(!hasTools)('runs from a fresh shell and prints what it says', async () => {
    // What passes the strictest policy passes all.
    if (slug === 'signatures') await setPolicy(service(), 'strict');
    const here = text.en.replaceAll(WRITTEN_ADDRESS, service().url);
    const fences = fencesIn(here);
    const folder = tempFolder();
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(root, 'node_modules/@trapeza'), join(folder, 'node_modules/@trapeza'));
    const bash = new Program('bash', ['-s'], { input: sessionOf(fences, folder), cwd: folder });
    const { stdout, stderr } = await bash.finished;
    expect(stderr).toBe('');
    const printed = stdout.split(`${MARK}\n`);
    let compared = 0;
    for (const [index, { language }] of fences.entries()) {
      const answer = nextTo(here, fences, index);
      if (
        !['bash', ...Object.keys(files)].includes(language) ||
        !/^(json|text)$/.test(answer?.language ?? '')
      )
        continue;
      if (answer) expectPrinted(printed[index] ?? '', answer);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(1);
    if (slug === 'signatures') await setPolicy(service(), 'if-present');
  });
});
