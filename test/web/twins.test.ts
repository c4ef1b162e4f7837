/**
 * The twins of the pages in Markdown, as programs read them: they follow the links of llms.txt, remember no choice of a language and say
 * nothing about theirs. In a sandbox, in that of one developer, and at a bank.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBank } from '../../docs/examples/bank.js';
import { type App, startApp } from '../../src/app/app.js';
import { readConfig } from '../../src/config/config.js';
import { guidePath, guides } from '../../src/portal/guides/guides.js';
import { headingId } from '../../src/portal/twin/heading-id.js';
import { languages } from '../../src/web/language.js';
import { cleanUp, tempFolder } from '../cli/program.js';
import { made } from '../sandbox/developers-support.js';
import { testSecret } from '../support/service.js';
import { inTier } from '../support/tier.js';
import { useService } from '../support/use-service.js';

const service = useService();
let own = '';
let bank: App;
beforeAll(async () => {
  own = (await made(service(), 'reader')).baseUrl;
  bank = await startApp({
    config: readConfig({
      PORT: '0',
      TRAPEZA_MANAGEMENT_PORT: '0',
      DATABASE_URL: `sqlite:${join(tempFolder(), 'bank.db')}`,
      TRAPEZA_SECRET: testSecret,
      TRAPEZA_LOG_LEVEL: 'silent',
    }),
    bank: await createBank(),
  });
});
afterAll(async () => {
  await bank.close();
  await cleanUp();
});

const modes = [
  { mode: 'a sandbox', base: () => service().url },
  { mode: "a developer's own sandbox", base: () => own },
  { mode: 'a bank', base: () => bank.url },
];

interface Read {
  readonly status: number;
  readonly type: string;
  readonly lang: string | null;
  readonly text: string;
}

const reader = (headers: Readonly<Record<string, string>> = {}) => {
  const pages = new Map<string, Promise<Read>>();
  return (address: string): Promise<Read> => {
    const read = async (): Promise<Read> => {
      const response = await fetch(address, { headers });
      const type = response.headers.get('content-type') ?? '';
      const lang = response.headers.get('content-language');
      return { status: response.status, type, lang, text: await response.text() };
    };
    const page = pages.get(address) ?? read();
    pages.set(address, page);
    return page;
  };
};

const withoutCode = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```$/gm, '');

const idsOf = ({ type, text }: Read): string[] => {
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
  const headings = type.startsWith('text/markdown')
    ? [...withoutCode(text).matchAll(/^#+ (?:<a id="[^"]+"><\/a>)?(.+)$/gm)]
    : [];
  return [...ids, ...headings.map(([, heading = '']) => headingId(heading))];
};

const linksOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);

describe.each(inTier(modes.slice(0, 1), modes))('the twins of $mode', ({ base }) => {
  test('have no broken link, and each link leads to the language that names it', async () => {
    const read = reader();
    const waiting = [`${base()}/llms.txt`];
    const seen = new Set<string>();
    const broken: string[] = [];
    let links = 0;
    for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
      if (seen.has(here)) continue;
      seen.add(here);
      for (const link of linksOf((await read(here)).text)) {
        links += 1;
        const [address = '', id] = new URL(link, here).href.split('#');
        const target = await read(address);
        const chosen = /[?&]lang=(\w+)/.exec(address)?.[1];
        const isRight =
          address.startsWith(`${base()}/`) &&
          target.status === 200 &&
          (id === undefined || idsOf(target).includes(decodeURIComponent(id))) &&
          (chosen === undefined || target.lang === chosen);
        if (!isRight) broken.push(`${here} -> ${link}`);
        if (target.type.startsWith('text/markdown')) waiting.push(address);
      }
    }
    expect(broken).toEqual([]);
    expect(links).toBeGreaterThan(1000);
    for (const { slug } of guides)
      for (const lang of languages) expect(seen).toContain(`${base()}${guidePath(slug)}.md?lang=${lang}`);
  });
});

describe('the language of a guide', () => {
  const greek = guides[0]?.title.el ?? '';
  const english = guides[0]?.title.en ?? '';
  const path = guidePath(guides[0]?.slug ?? '');

  test.each([
    { asked: undefined, page: greek, twin: english },
    { asked: 'de', page: greek, twin: english },
    { asked: '*', page: greek, twin: english },
    { asked: 'de, en;q=0.5', page: english, twin: english },
    { asked: 'el', page: greek, twin: greek },
    { asked: 'en;q=0.4, el-GR, el;q=0.9', page: greek, twin: greek },
    { asked: 'en, el;q=0.9', page: english, twin: english },
  ])('with Accept-Language: $asked', async ({ asked, page, twin }) => {
    for (const { base } of modes) {
      const read = reader(asked === undefined ? {} : { 'Accept-Language': asked });
      const titleAt = async (address: string): Promise<string | undefined> =>
        /(?:<h1>|^# )([^<\n]+)/m.exec((await read(base() + address)).text)?.[1];
      expect(await titleAt(path)).toBe(page);
      expect(await titleAt(`${path}.md`)).toBe(twin);
      // What the address says counts more; a language that nobody has counts nothing.
      expect(await titleAt(`${path}.md?lang=el`)).toBe(greek);
      expect(await titleAt(`${path}.md?lang=en`)).toBe(english);
      expect(await titleAt(`${path}.md?lang=fr`)).toBe(twin);
    }
  });
});
