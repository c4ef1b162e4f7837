/** `trapeza atms`: a file becomes the published list, all or nothing; and the list becomes a file again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoApplications } from '../../packages/sandbox/src/applications.js';
import { plainRecord, recordWith } from '../atms/support.js';
import { sandboxToken } from '../support/client.js';
import { testSecret } from '../support/service.js';
import {
  cleanUp,
  type Finished,
  jsonOf,
  type RunningService,
  runCommand,
  startSandbox,
  tempFolder,
} from './program.js';

let folder: string;
let env: Record<string, string>;
let sandbox: RunningService;
let token: string;
beforeAll(async () => {
  folder = tempFolder();
  env = { DATABASE_URL: `sqlite:${join(folder, 'shared.db')}`, TRAPEZA_SECRET: testSecret };
  sandbox = await startSandbox({ env });
  token = await sandboxToken(sandbox.url);
});
afterAll(cleanUp);

const fileOf = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const run = (...args: string[]): Promise<Finished> => runCommand(['atms', ...args], { env });

const served = async (): Promise<{ id: string }[]> => {
  const answer = await fetch(`${sandbox.url}/psd2/v1/opendata/atm`, {
    headers: {
      'Ocp-Apim-Subscription-Key': demoApplications[0]?.subscriptionKey ?? '',
      Authorization: `Bearer ${token}`,
    },
  });
  return (await answer.json()) as { id: string }[];
};

const other = recordWith({ id: '0e0f6c5e-1d67-4f5e-8e0c-5c2a3b1d0002', atmid: 'TEST0002' });
const faulty = recordWith({
  id: '0e0f6c5e-1d67-4f5e-8e0c-5c2a3b1d0003',
  atmid: 'TEST0003',
  address: undefined,
});

interface Report {
  readonly format: string;
  readonly read: number;
  readonly accepted: number;
  readonly refused: { record: number; faults: { field: string; reason: string }[] }[];
  readonly repaired: unknown[];
  readonly published: { count: number; etag: string } | null;
  readonly outcome: string;
}

describe('importing', () => {
  it('as a dry run reports, and publishes nothing', async () => {
    const before = await served();
    const file = fileOf('good.json', [plainRecord, other]);
    const plain = await run('import', file, '--dry-run');
    expect(plain).toMatchObject({ code: 0, stderr: '' });
    expect(plain.stdout).toContain('Format json: 2 read, 2 accepted (0 of them repaired), 0 refused');
    expect(plain.stdout).toContain('Dry run: nothing was published.');
    const report = jsonOf<Report>(await run('import', file, '--dry-run', '--json'));
    expect(report).toMatchObject({ format: 'json', read: 2, accepted: 2, refused: [], published: null });
    expect(await served()).toEqual(before);
  });

  it('with a refused record ends with 1, names the fault, and publishes nothing', async () => {
    const before = await served();
    const file = fileOf('faulty.json', [plainRecord, faulty]);
    const plain = await run('import', file);
    expect(plain.code).toBe(1);
    expect(plain.stdout).toMatch(/Refused:\n {2}record 2 \(0e0f6c5e-1d67-4f5e-8e0c-5c2a3b1d0003\): address/);
    expect(plain.stdout).toContain('Nothing was published: ');
    const json = await run('import', file, '--json');
    expect(json.code).toBe(1);
    const report = JSON.parse(json.stdout) as Report;
    expect(report.refused.map(({ record }) => record)).toEqual([2]);
    expect(report.published).toBeNull();
    expect(await served()).toEqual(before);
  });

  it('publishes a good list, and a running service serves it', async () => {
    const report = jsonOf<Report>(await run('import', fileOf('good.json', [plainRecord, other]), '--json'));
    expect(report.published).toMatchObject({ changed: true, count: 2 });
    await expect
      .poll(async () => (await served()).map(({ id }) => id))
      .toEqual([plainRecord.id, (other as { id: string }).id]);
    const again = jsonOf<Report>(await run('import', fileOf('same.json', [other, plainRecord]), '--json'));
    expect(again.published).toEqual({ ...report.published, changed: false });
    expect(again.outcome).toContain('The list is the published one already');
  });

  it('publishes the accepted records where that is wished', async () => {
    const { code, stdout } = await run(
      'import',
      fileOf('faulty.json', [plainRecord, faulty]),
      '--allow-refused',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/Published 1 ATMs, ETag "[\w-]{43}", last modified \d{4}-\d\d-\d\dT/);
  });

  it('previews what would be added, changed and removed, and publishes nothing', async () => {
    await run('import', fileOf('good.json', [plainRecord, other]));
    const changed = recordWith({ name: 'Άλλο όνομα', currency: ['EUR', 'USD'] });
    const added = recordWith({ id: '0e0f6c5e-1d67-4f5e-8e0c-5c2a3b1d0009', atmid: 'TEST0009' });
    const file = fileOf('next.json', [changed, added]);
    const plain = await run('import', file, '--preview');
    expect(plain).toMatchObject({ code: 0, stderr: '' });
    expect(plain.stdout).toContain(
      'Difference to the published list: 1 added, 1 changed, 1 removed, 0 unchanged',
    );
    expect(plain.stdout).toContain(`${plainRecord.id} Άλλο όνομα: name, currency`);
    expect(plain.stdout).toContain('Preview: nothing was published.');
    expect(jsonOf(await run('import', file, '--preview', '--json'))).toMatchObject({
      published: null,
      difference: {
        added: ['0e0f6c5e-1d67-4f5e-8e0c-5c2a3b1d0009'],
        removed: [(other as { id: string }).id],
        changed: [{ id: plainRecord.id, members: ['name', 'currency'] }],
      },
    });
    const same = await run('import', fileOf('good.json', [plainRecord, other]));
    expect(same.stdout).toContain('0 added, 0 changed, 0 removed, 2 unchanged');
  });

  it('takes the country of addresses that name none, and counts what it dropped by kind', async () => {
    const features = [1, 2, 3].map((number) => ({
      type: 'Feature',
      properties: { '@id': `node/${number}`, amenity: 'atm', opening_hours: '24/7' },
      geometry: { type: 'Point', coordinates: [23.7, 38] },
    }));
    const file = fileOf('osm.geojson', { type: 'FeatureCollection', features });
    const refused = await run('import', file, '--dry-run');
    expect(refused.stdout).toMatch(/Refused, by kind:\n {2}3 × address\.country is missing/);
    const taken = await run('import', file, '--dry-run', '--country', 'el');
    expect(taken).toMatchObject({ code: 0, stderr: '' });
    expect(taken.stdout).toContain('3 read, 3 accepted (3 of them repaired), 0 refused');
    expect(taken.stdout).toContain('3 × opening_hours has no place in the contract; left out');
    expect(taken.stdout).toContain('3 × address.country is missing; GR as told');
    const wrong = await run('import', file, '--country', 'Greece');
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toContain('"Greece" is not an ISO 3166 alpha-2 code');
  });

  it.each([
    ['that is not there', 'nowhere.json', 'there is no such file'],
    ['that is empty', fileOfLater('empty.json', ''), 'the file is empty'],
    ['that is something else', fileOfLater('other.txt', 'hello'), 'the format is not known'],
    ['of broken JSON', fileOfLater('broken.json', '[{'), 'the file is not valid JSON'],
  ])('explains a file %s', async (_what, file, words) => {
    const path = typeof file === 'string' ? join(folder, file) : file();
    const { code, stdout, stderr } = await run('import', path);
    expect(code).toBe(1);
    expect(stderr).toContain(words);
    expect(stderr + stdout).not.toContain('    at ');
  });
});

/** The folder exists only once the tests run. */
function fileOfLater(name: string, content: string): () => string {
  return () => fileOf(name, content);
}

describe('exporting', () => {
  beforeAll(async () => {
    expect((await run('import', fileOf('good.json', [plainRecord, other]))).code).toBe(0);
  });

  it.each(['json', 'csv', 'geojson'] as const)(
    'as %s and importing again changes nothing',
    async (format) => {
      const path = join(folder, `export.${format}`);
      const written = await run('export', '--format', format, '--out', path);
      expect(written).toMatchObject({ code: 0, stdout: `2 ATMs written to ${path}.\n` });
      const again = jsonOf<Report>(await run('import', path, '--json'));
      expect(again).toMatchObject({
        format,
        accepted: 2,
        refused: [],
        repaired: [],
        published: { changed: false },
      });
    },
  );

  it('prints the list as JSON where nothing else is said', async () => {
    const { stdout } = await run('export');
    expect(stdout).toBe(readFileSync(join(folder, 'export.json'), 'utf8'));
    expect(JSON.parse(stdout)).toEqual([plainRecord, other]);
  });

  it('says that nothing has been published yet', async () => {
    const fresh = { DATABASE_URL: `sqlite:${join(tempFolder(), 'fresh.db')}` };
    await runCommand(['migrate'], { env: fresh });
    const { code, stderr } = await runCommand(['atms', 'export'], { env: fresh });
    expect(code).toBe(1);
    expect(stderr).toContain('no ATM list has been published yet: trapeza atms import FILE');
  });
});
