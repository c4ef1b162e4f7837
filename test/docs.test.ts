/** What is written about the service is true: generated documents are up to date, and calls in documents print what they say. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  actsDocument,
  configurationDocument,
  coreOpenApiText,
  logsDocument,
  openApiText,
  problemsDocument,
  settingsSchemaText,
} from '../src/documents.js';
import { cleanUp, Program, startTrapeza, tempFolder } from './cli/program.js';
import { compact, expectPrinted, fencesIn, nextTo } from './lib/fences.js';
import { root } from './lib/source.js';
import { startService } from './support/service.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('the generated documents', () => {
  it.each([
    ['docs/openapi.json', () => openApiText()],
    ['docs/core-openapi.json', coreOpenApiText],
    ['docs/acts.md', actsDocument],
    ['docs/configuration.md', configurationDocument],
    ['docs/logs.md', logsDocument],
    ['docs/settings.schema.json', settingsSchemaText],
    ['docs/problems.md', problemsDocument],
  ])('%s is up to date (if not: npm run docs)', (path, generate) => {
    expect(read(path) === generate(), `${path} differs from the code: npm run docs`).toBe(true);
  });
});

interface Example {
  /** The blocks before it that print nothing: variables it uses. */
  readonly preparation: string;
  readonly call: string;
  readonly expected: string;
}

/** A bash block with a call, directly followed by a json block with what it prints. Blocks about npm are for people. */
const examplesIn = (text: string): Example[] => {
  const fences = fencesIn(text);
  const examples: Example[] = [];
  let preparation = '';
  for (const [index, fence] of fences.entries()) {
    if (fence.language !== 'bash' || /\bnpm /.test(fence.content)) continue;
    const next = nextTo(text, fences, index);
    if (next?.language === 'json' && fence.content.includes('curl'))
      examples.push({ preparation, call: fence.content, expected: next.content });
    else preparation += fence.content;
  }
  return examples;
};

const hasCurl = ['/usr/bin/curl', '/usr/local/bin/curl', '/bin/curl'].some((path) => existsSync(path));

interface Place {
  readonly url: string;
  close(): Promise<unknown>;
}

/** As its readers run it. */
const startCore = async (): Promise<Place> => {
  const program = startTrapeza(['core-simulator', '--port', '0'], { cwd: tempFolder() });
  const [, url = ''] = await program.until(/ready on (\S+)[\s\S]*Ctrl-C/);
  return { url, close: () => program.stop() };
};

/** Where the calls of each document go, and what answers there. */
const places: readonly (readonly [string, string, () => Promise<Place>])[] = [
  ['README.md', 'http://127.0.0.1:8080', startService],
  ['docs/core.md', 'http://127.0.0.1:8090', startCore],
];

describe.each(places)('%s', (path, address, start) => {
  const examples = examplesIn(read(path));
  let place: Place;
  beforeAll(async () => {
    place = await start();
  });
  afterAll(async () => {
    await place.close();
  });

  it('shows calls with what they print', () => {
    expect(examples.length).toBeGreaterThan(0);
  });

  it.skipIf(!hasCurl).each(examples.map((example, index) => [index + 1, example] as const))(
    'tells the truth in example %d',
    async (_index, { preparation, call, expected }) => {
      const script = `${preparation}\n${call}`.replaceAll(address, place.url);
      const bash = new Program('bash', ['-s'], { input: script });
      const { code, stdout } = await bash.finished;
      expect(code).toBe(0);
      const told = expected.replaceAll(address, place.url);
      expectPrinted(stdout, { language: 'json', content: told });
    },
  );
});

afterAll(cleanUp);

describe('reading a document', () => {
  it('finds a call and what it prints, skips what is for people, and keeps variables', () => {
    const text = [
      '```bash\nnpm start\n```',
      '```bash\nKEY=1\n```',
      'words',
      '```bash\ncurl x\n```\n\n```json\n{"a": 1}\n```',
      '```bash\ncurl without output\n```\nmore words\n```json\n{}\n```',
    ].join('\n\n');
    expect(examplesIn(text)).toEqual([{ preparation: 'KEY=1\n', call: 'curl x\n', expected: '{"a": 1}\n' }]);
  });

  it('compares JSON by its parts, not by its white space', () => {
    expect(compact('[ { "a b" : "c  d",\n "e":')).toBe('[{"a b":"c  d","e":');
  });
});
