/** `trapeza brand preview`: the demo bank in the dress of a folder, every page for account holders written to files. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Clock, MINUTE, newSecret, readConfig, systemClock } from 'trapeza/base';
import { CommandError, type PreviewWish } from 'trapeza/cli';
import { type Extension, startApp } from 'trapeza/extend';
import { sandbox } from '../sandbox.js';
import { previewScenes } from './scenes.js';
import {
  assetName,
  fileOf,
  type Scheme,
  type ShownPage,
  schemes,
  sheetName,
  sheetOf,
  staticPage,
  styleIn,
} from './sheet.js';
import { Visitor } from './visitor.js';

/** Marks a folder as ours, to be written anew. */
const MARK = '.brand-preview';

const prepareFolder = (out: string): void => {
  const isThere = statSync(out, { throwIfNoEntry: false }) !== undefined;
  const entries = isThere ? readdirSync(out) : [];
  if (entries.length > 0 && !entries.includes(MARK))
    throw new CommandError(`${out} is not empty and no earlier preview: name another folder with --out.`);
  for (const name of entries) rmSync(join(out, name), { recursive: true });
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, MARK), '');
};

/** How many codes a person is sent in a while is limited, and no request waits longer than a day. */
const APART_MS = 8 * MINUTE;

class HurriedClock implements Clock {
  #ahead = 0;
  now(): number {
    return systemClock.now() + this.#ahead;
  }
  elapsed(): number {
    return systemClock.elapsed() + this.#ahead;
  }
  pass(ms: number): void {
    this.#ahead += ms;
  }
}

/** The sandbox without what it adds to the pages of a bank. */
const bare: Extension = {
  ...sandbox,
  open: async (base) => {
    const { additions: _, ...opened } = await sandbox.open(base);
    return opened;
  },
};

const write = (out: string, name: string, content: string | Buffer): void => {
  const file = join(out, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
};

const ASSET = /"(\/assets\/[\w.-]+)"/g;

/** Writes a page in both schemes, with the files that it refers to. */
class Files {
  readonly #base: string;
  readonly #out: string;
  readonly #written = new Set<string>();

  constructor(base: string, out: string) {
    this.#base = base;
    this.#out = out;
  }

  async add(page: ShownPage, html: string): Promise<void> {
    for (const [, path = ''] of html.matchAll(ASSET)) await this.#addAsset(path);
    for (const scheme of schemes) write(this.#out, fileOf(page, scheme), staticPage(html, scheme));
  }

  async #addAsset(path: string): Promise<void> {
    if (this.#written.has(path)) return;
    this.#written.add(path);
    const answer = await fetch(new URL(path, this.#base));
    const bytes = Buffer.from(await answer.arrayBuffer());
    const contentIn = (scheme: Scheme) =>
      path.endsWith('.css') ? styleIn(bytes.toString('utf8'), scheme) : bytes;
    for (const scheme of schemes) write(this.#out, assetName(path, scheme), contentIn(scheme));
  }
}

const play = async (url: string, clock: HurriedClock, { brand, out, tell }: PreviewWish): Promise<void> => {
  const files = new Files(url, out);
  const { languages } = brand.texts;
  for (const lang of languages) {
    const pages: ShownPage[] = [];
    for (const [index, { name, show }] of previewScenes.entries()) {
      clock.pass(APART_MS);
      const visitor = new Visitor(url, lang);
      await show(visitor);
      const page = { name, file: `${lang}/${String(index + 1).padStart(2, '0')}` };
      await files.add(page, visitor.page);
      pages.push(page);
    }
    const sheet = sheetOf({ bank: brand.name(lang), lang, languages, pages });
    write(out, sheetName(lang), sheet);
    if (lang === languages[0]) write(out, 'index.html', sheet);
    tell(`${lang}: ${pages.length} pages`);
  }
};

/** Returns the file to open. */
export const previewBrand = async (wish: PreviewWish): Promise<string> => {
  const out = resolve(wish.out);
  prepareFolder(out);
  const data = mkdtempSync(join(tmpdir(), 'trapeza-preview-'));
  const clock = new HurriedClock();
  try {
    const app = await startApp({
      config: {
        ...readConfig({ TRAPEZA_LOG_LEVEL: 'fatal' }),
        brand: wish.folder,
        bankName: wish.brand.name('en'),
        host: '127.0.0.1',
        port: 0,
        managementPort: 0,
        dataFolder: data,
        databaseUrl: `sqlite:${join(data, 'preview.db')}`,
        secret: newSecret(),
      },
      extensions: [bare],
      clock,
    });
    try {
      await play(app.listenUrl, clock, { ...wish, out });
    } finally {
      await app.close();
    }
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
  return join(out, 'index.html');
};
