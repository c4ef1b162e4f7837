/**
 * The guides tell the truth: every block of every guide does what the guide says, pasted in page order into a fresh terminal, on a common
 * sandbox and on a developer's own; and a page, its Markdown twin and both languages show the same blocks.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guides } from '../src/portal/guides/guides.js';
import { languages } from '../src/web/language.js';
import { cleanUp } from './cli/program.js';
import { expectMessage, realMessages } from './guides/messages.js';
import { blocksOf, headingsOf, isPicture, linksOf, messagesOf, readGuide } from './guides/pages.js';
import { installedClient, startSampleRunner, Terminal } from './guides/terminal.js';
import { expectPrinted, type Fence, fencesIn, nextTo } from './lib/fences.js';
import { root } from './lib/source.js';
import { callIn, type Made, made } from './sandbox/developers-support.js';
import { setPolicy } from './signature/support.js';
import { inTier } from './support/tier.js';
import { useService } from './support/use-service.js';

const hasTools = ['curl', 'openssl', 'python3'].every((tool) =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, tool))),
);

/** Blocks that are not run here, and why. */
const elsewhere: Readonly<Record<string, string>> = {
  'npm install && npm start\n':
    'installs from the registry; test/cli/sandbox.release.test.ts starts the program',
  'npm ci && npm run prepack\nnpm pack --ignore-scripts --workspaces --include-workspace-root --pack-destination ../your-tests/vendor\n':
    'builds everything; test/package.release.test.ts packs with this command',
  'npm install --save-dev ./vendor/trapeza-*.tgz\nnpx trapeza sandbox --port 8080\n':
    'needs what the block before makes; test/package.release.test.ts installs the same packages and starts the program',
};

/** The guides that show refusals, and with which statuses. All other calls are answered with success. */
const refusals: Readonly<Record<string, readonly number[]>> = {
  'funds-confirmation': [403],
  'account-access': [403],
  oauth: [400],
  payment: [409],
  'one-redirect': [400],
  limits: [400, 429],
  'going-live': [503],
  ci: [403, 503],
  'berlin-group': [403],
};

/** With the quota that a sandbox has. */
const service = useService({ env: { TRAPEZA_QUOTA_PER_MINUTE: '600' } });
const samples = startSampleRunner();
let own: Made;
beforeAll(async () => {
  own = await made(service(), 'reader');
});
afterAll(async () => {
  await samples.close();
  await cleanUp();
});

/** The same acts in the store and on the pages of a developer's sandbox. */
const ownService = () => {
  const folder = `${service().databaseUrl.replace('sqlite:', '')}.developers`;
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.db'));
  return {
    ...service(),
    databaseUrl: `sqlite:${join(folder, file)}`,
    call: (wanted: Parameters<typeof callIn>[2]) => callIn(service(), own, wanted),
  };
};

const places = [
  { place: 'the common sandbox', base: () => service().url, serviceOf: service },
  { place: "a developer's own sandbox", base: () => own.baseUrl, serviceOf: ownService },
];

describe('the list of guides', () => {
  it('has every file, in both languages', () => {
    const names = readdirSync(join(root, 'docs/guides'));
    expect(names.sort()).toEqual(guides.flatMap(({ slug }) => [`${slug}.el.md`, `${slug}.en.md`]).sort());
  });

  it('has each block that is not run here', () => {
    const blocks = guides.flatMap(({ text }) => fencesIn(text.en).map(({ content }) => content));
    expect(Object.keys(elsewhere).filter((block) => !blocks.includes(block))).toEqual([]);
  });

  it('has each guide that shows refusals', () => {
    const slugs = guides.map((guide) => guide.slug);
    expect(Object.keys(refusals).filter((slug) => !slugs.includes(slug))).toEqual([]);
  });
});

/** Once for each address: npm takes a second. */
const clients = new Map<string, Promise<string>>();
const clientOf = (base: string): Promise<string> => {
  const folder = clients.get(base) ?? installedClient(base);
  clients.set(base, folder);
  return folder;
};

/** The steps of the job that start a sandbox and wait for it, with the one under test in its place. */
const startOf = (job: string, base: string): string => {
  const [, step = '', port = ''] = /- run: (npx trapeza sandbox --port (\d+) .*)/.exec(job) ?? [];
  expect(job).toContain(`BASE: http://localhost:${port}\n`);
  return `npx() { :; }\nexport BASE=${base}\n${step}`;
};

/** Does what a reader does with a block, and returns what the terminal shows. */
const runner = (slug: string, base: string, terminal: Terminal) => {
  const installation = `npm install ${base}/client.tgz\n`;
  let shown = '';
  return async ({ language, content }: Fence, answer: Fence | undefined): Promise<void> => {
    switch (language) {
      case 'bash':
      case 'js':
      case 'python':
        if (content in elsewhere) return;
        if (content === installation) return terminal.install(await clientOf(base));
        shown = await terminal.run({ language, content });
        if (/^(json|text)$/.test(answer?.language ?? '') && answer) expectPrinted(shown, answer);
        else expect(shown).toBe('');
        return;
      case 'yaml':
        await terminal.run({ language: 'bash', content: startOf(content, base) });
        return;
      case 'http': {
        const real = await realMessages[slug]?.(base, shown.trim());
        if (!real) throw new Error('no real message to compare with');
        expectMessage(real, content);
        return;
      }
      default:
        throw new Error(`nobody knows what to do with a block in ${language}`);
    }
  };
};

/** With which statuses calls were refused, those to developers' sandboxes among them. */
const refusedSince = (first: number): number[] => {
  const lines = service().logs.slice(first).join('').split('\n');
  const statuses = lines
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => (JSON.parse(line) as { status: number }).status);
  return [...new Set(statuses.filter((status) => status >= 400))].sort();
};

const isAnswer = ({ language }: Fence): boolean => ['json', 'text'].includes(language);

/** All that is not shown with a call before it. */
const toRun = (markdown: string): (readonly [Fence, Fence | undefined])[] => {
  const fences = fencesIn(markdown);
  const answers = fences.map((_, index) => nextTo(markdown, fences, index));
  return fences.flatMap((fence, index) =>
    isPicture(fence) || (isAnswer(fence) && answers[index - 1] === fence) ? [] : [[fence, answers[index]]],
  );
};

/** Guides share most of their links. */
const statuses = new Map<string, number>();
const statusOf = async (link: string): Promise<number> => {
  const status = statuses.get(link) ?? (await fetch(link)).status;
  statuses.set(link, status);
  return status;
};

const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);

/** Pages are made of the files by one hand, twins by another, and for two addresses. */
describe.each(guides)('in every mode, $slug', ({ slug }) => {
  const modes = places.flatMap(({ base }) => languages.map((lang) => ({ base, lang })));
  const readAll = () =>
    Promise.all(
      modes.map(async ({ base, lang }) => ({ at: base(), lang, guide: await readGuide(base(), slug, lang) })),
    );

  it('shows the same blocks', async () => {
    const all = await readAll();
    const shown = all.flatMap(({ at, guide }) => {
      const { page, twin } = blocksOf(guide);
      // The path of the address is also written apart.
      const general = (text: string): string => text.replaceAll(at, 'BASE');
      return [page.map(general), twin.map(general)];
    });
    expect(shown[0]?.length).toBeGreaterThan(1);
    for (const each of shown) expect(each).toEqual(shown[0]);
    const languagesOf = all.map(({ guide }) => fencesIn(guide.markdown).map(({ language }) => language));
    for (const each of languagesOf) expect(each).toEqual(languagesOf[0]);
  });

  it('has the same headings, and links to the same places', async () => {
    const all = await readAll();
    for (const { at, lang, guide } of all) {
      const [headings, links] = [headingsOf(guide), linksOf(guide, at)];
      expect(headings.page.length).toBeGreaterThan(3);
      expect(links.page.length).toBeGreaterThan(1);
      expect({ at, lang, headings: headings.twin }).toEqual({ at, lang, headings: headings.page });
      expect({ at, lang, links: links.twin }).toEqual({ at, lang, links: links.page });
    }
    const [first] = all;
    for (const { at, lang, guide } of all) {
      const [same] = all.filter((each) => each.lang === lang);
      expect(headingsOf(guide)).toEqual(same && headingsOf(same.guide));
      expect(linksOf(guide, at)).toEqual(same && linksOf(same.guide, same.at));
      // Another language has other names for the parts of a page.
      const levels = ({ page }: { page: string[] }) => page.map((heading) => heading.slice(0, 1));
      const paths = ({ page }: { page: string[] }) => page.map((link) => link.split('#')[0]).toSorted();
      expect(levels(headingsOf(guide))).toEqual(first && levels(headingsOf(first.guide)));
      expect(paths(linksOf(guide, at))).toEqual(first && paths(linksOf(first.guide, first.at)));
    }
  });
});

/** Those that a newcomer reads first; a terminal for each of the others costs more than all the rest of this file. */
const inTerminal = inTier(
  ['first-call', 'funds-confirmation'],
  guides.map(({ slug }) => slug),
);

describe.each(inTier(places.slice(0, 1), places))('on $place', ({ base, serviceOf }) => {
  describe.each(guides)('$slug', ({ slug, title, summary }) => {
    const read = () => Promise.all(languages.map((lang) => readGuide(base(), slug, lang)));

    it('draws what its text says, of calls that exist', async () => {
      for (const lang of languages) {
        expect(title[lang]).not.toBe('');
        expect(summary[lang].length).toBeGreaterThan(40);
      }
      for (const guide of await read()) {
        expect(fencesIn(guide.markdown).filter(isPicture)).toHaveLength(1);
        const { page, twin } = messagesOf(guide);
        expect(page.length).toBeGreaterThan(2);
        expect(page).toEqual(twin);
        const ours = page.join('\n').replace(/\(Berlin Group.*?\)/g, '');
        for (const [call, method = '', path = ''] of ours.matchAll(
          /\b(GET|POST|PUT|DELETE) (\/[\w/{}-]+)/g,
        )) {
          const { status } = await fetch(base() + path.replace(/\{\w+\}/g, crypto.randomUUID()), { method });
          expect({ call, isThere: ![404, 405].includes(status) }).toEqual({ call, isThere: true });
        }
      }
    });

    it('links to what exists', async () => {
      for (const [index, { html, markdown }] of (await read()).entries()) {
        const links = [...html.matchAll(/href="([^"]*\/docs\/guides\/[a-z-]+)#([^"]+)"/g)];
        for (const [, path = '', id = ''] of links) {
          const page = await fetch(new URL(`${path}?lang=${languages[index]}`, base()));
          expect(idsOf(await page.text())).toContain(decodeURI(id));
        }
        for (const [, link = ''] of markdown.matchAll(/\]\(([^)]+)\)/g)) {
          expect({ link, isHere: link.startsWith(base()) }).toEqual({ link, isHere: true });
          expect({ link, status: await statusOf(link) }).toEqual({ link, status: 200 });
        }
      }
    });

    if (!inTerminal.includes(slug)) return;
    it.skipIf(!hasTools)('does in a fresh terminal what it says', async () => {
      // What passes the strictest policy passes all.
      if (slug === 'signatures') await setPolicy(serviceOf(), 'strict');
      try {
        const { markdown } = await readGuide(base(), slug, 'en');
        const first = service().logs.length;
        const terminal = new Terminal(samples);
        const run = runner(slug, base(), terminal);
        for (const [fence, answer] of toRun(markdown)) await run(fence, answer);
        await terminal.close();
        await expect.poll(() => refusedSince(first)).toEqual(refusals[slug] ?? []);
      } finally {
        if (slug === 'signatures') await setPolicy(serviceOf(), 'if-present');
      }
    });
  });
});
