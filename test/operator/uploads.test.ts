/** Uploads of the console: every page with files names its reader, and parsers are loaded in the thread alone. */
import { dirname, join, normalize } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createConsolePages } from '../../src/operator/index.js';
import type { ConsoleParts } from '../../src/operator/parts.js';
import { uploadReaders } from '../../src/operator/upload-readers.js';
import { uploads } from '../../src/operator/uploads.js';
import { filesUnder } from '../lib/source.js';
import { posted } from '../support/form.js';
import { useService } from '../support/use-service.js';
import { enrolOperator } from './support.js';
import type { Visitor } from './visitor.js';

/** What an import or an `import()` loads; types load nothing. */
const LOADED = /(?:^(?:import|export) (?!type\b)[^;]*?from|\bimport\() ?'(\.[^']+)'/gm;
const PARSER =
  /^src\/(atms\/(review|import\/(format|import-atms|readers\/.+))|statistics\/read-channels|lib\/format\/csv-reader|http\/upload-work|operator\/upload-(readers|thread))\.ts$/;

describe('an upload', () => {
  it('is declared by its page, with a reader of the thread', () => {
    const found = createConsolePages({} as ConsoleParts).flatMap(({ path, upload }) =>
      upload ? [[path, upload.reader]] : [],
    );
    expect(found).toEqual([
      ['/operator/statistics/:id/import', 'channels'],
      ['/operator/atms', 'atms'],
    ]);
    for (const { reader } of Object.values(uploads)) expect(uploadReaders[reader]).toBeTypeOf('function');
  });

  it('is parsed in the thread alone: the service loads none of the parsers', () => {
    const sources = new Map(filesUnder('src').map((file) => [file.path, file]));
    const loaded = new Set<string>();
    const load = (path: string): void => {
      const file = sources.get(path) ?? sources.get(path.replace(/\.ts$/, '.tsx'));
      // A command of its own calls the cut-over.
      if (!file || loaded.has(file.path) || path.startsWith('src/admin/cut-over/')) return;
      loaded.add(file.path);
      for (const [, name = ''] of file.text.matchAll(LOADED))
        load(normalize(join(dirname(file.path), name.replace(/\.js$/, '.ts'))));
    };
    load('src/app/app.ts');
    expect(loaded.size).toBeGreaterThan(400);
    expect(loaded).toContain('src/operator/atms.tsx');
    expect([...loaded].filter((path) => PARSER.test(path))).toEqual([]);
    expect([...sources.keys()].filter((path) => PARSER.test(path)).length).toBeGreaterThan(6);
  });
});

describe('an upload that is refused', () => {
  const use = useService();
  let operator: Visitor;
  beforeAll(async () => {
    operator = await enrolOperator(use(), 'uploader', 'admin');
  });

  it('because it is too large has a page in the language of the browser, programs with a problem', async () => {
    const large = 'x'.repeat(4.1 * 1024 * 1024);
    const upload = (headers: Record<string, string>) => operator.upload('/operator/atms', large, headers);
    for (const [lang, title] of [
      ['el', 'Αυτό που στείλατε είναι πολύ μεγάλο'],
      ['en', 'What you sent is too large'],
    ] as const) {
      const { status, body } = await upload({ Accept: 'text/html', 'Accept-Language': lang });
      expect(status).toBe(400);
      expect(body).toContain(`<html lang="${lang}">`);
      expect(body).toContain(`<h1>${title}</h1>`);
      expect(body).toContain('href="/operator"');
    }
    const problem = JSON.parse((await upload({ Accept: 'application/json' })).body);
    expect(problem.type).toBe(`${use().app.consoleUrl}/problems/message-too-large`);
    expect((await operator.get('/operator/nowhere')).status).toBe(404);
  });

  it('because too many wait has such a page', async () => {
    const { cookie, token } = await operator.session();
    const send = () => {
      const body = new FormData();
      // Takes a tenth of a second to read.
      for (let count = 0; count < 10_000; count += 1) body.append('a', '');
      const headers = { cookie, Accept: 'text/html', 'Accept-Language': 'en' };
      const { path } = posted('/operator/atms', { form_token: token });
      return fetch(`${use().app.consoleUrl}${path}`, { method: 'POST', body, headers });
    };
    const answers = await Promise.all(Array.from({ length: 8 }, send));
    const busy = answers.filter(({ status }) => status === 503);
    expect(busy.length).toBeGreaterThan(0);
    for (const answer of busy)
      expect(await answer.text()).toContain('<h1>The service does not answer right now</h1>');
  });
});
