/** The samples of the reference: pasted in the order of the pages, in each language, each is answered as its operation succeeds. */
import { expect, it } from 'vitest';
import { areasOf, operationPath } from '../../src/portal/areas.js';
import { Program } from '../cli/program.js';
import { root } from '../lib/source.js';
import { useService } from '../support/use-service.js';
import { sandbox } from './support.js';

const plain = (html: string): string =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');

/** By the names above them. */
const codeOn = (html: string): ReadonlyMap<string, string> =>
  new Map(
    [...html.matchAll(/<figcaption>([^<]+)<\/figcaption><pre>([\s\S]*?)<\/pre>/g)].map(
      ([, name = '', code = '']) => [name, plain(code)],
    ),
  );

/** From here on a command prints its status alone. */
const STATUS_ONLY = 'curl() { command curl -s -o /dev/null -w "%{http_code}" "$@"; }';

/** Once for all samples. */
const CLIENT = "import { createClient } from '@trapeza/client';";

/** How the samples of a language are run in one go, each after its operation's name. */
const runs: Readonly<Record<string, (samples: readonly (readonly [string, string])[]) => string>> = {
  curl: (samples) =>
    [STATUS_ONLY, ...samples.map(([id, code]) => `printf '${id} '\n${code}\necho`)].join('\n'),
  JavaScript: (samples) => {
    const blocks = samples.map(([id, code]) => {
      const body = code.replace(CLIENT, '').replace(/^console\.log\((\S+),.*$/m, `console.log('${id}', $1);`);
      return `{\n${body}\n}`;
    });
    return `cd '${root}'\nnode --input-type=module - <<'SAMPLES'\n${[CLIENT, ...blocks].join('\n')}\nSAMPLES`;
  },
  Python: (samples) =>
    `python3 - <<'SAMPLES'\n${samples.map(([id, code]) => `print("${id}", end=" ")\n${code}`).join('\n')}\nSAMPLES`,
};

/** They make a whole bank or months of its life: run in one language, of the same shape as the others in the rest. */
const slow: ReadonlySet<string> = new Set(['createSandboxDeveloper', 'setSandboxClock', 'resetSandbox']);

const use = useService();

const open = async (path: string): Promise<string> =>
  (await use().call({ path, headers: { Accept: 'text/html' }, outsideContract: true })).text;

it.each(areasOf(sandbox))('$path can be pasted from top to bottom', async (area) => {
  const preparation = codeOn(await open(area.path)).get('Terminal') ?? '';
  const pages: (readonly [string, ReadonlyMap<string, string>])[] = [];
  for (const operation of area.operations)
    pages.push([operation.id, codeOn(await open(operationPath(area, operation)))]);
  for (const [language, run] of Object.entries(runs)) {
    const samples = pages
      .filter(([id]) => language === 'curl' || !slow.has(id))
      .map(([id, code]) => [id, code.get(`Example request: ${language}`) ?? ''] as const);
    const shell = new Program('bash', ['-s'], { input: `${preparation}\n${run(samples)}` });
    const { stdout, stderr } = await shell.finished;
    const seen = stdout
      .trim()
      .split('\n')
      .flatMap((line) => /^\w+ \d{3}/.exec(line)?.[0] ?? []);
    expect(seen, `${language}: ${stderr}`).toEqual(
      area.operations
        .filter(({ id }) => samples.some(([name]) => name === id))
        .map(({ id, success }) => `${id} ${success.status}`),
    );
  }
});
