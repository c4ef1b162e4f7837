/** The commands of the reference: pasted into one new shell in the order of the page, each is answered as its operation succeeds. */
import { expect, it } from 'vitest';
import { Program } from '../cli/program.js';
import { openApi } from '../support/openapi.js';
import { useService } from '../support/use-service.js';
import { areaPaths } from './support.js';

const { paths } = openApi as {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
};
const successes = new Map(
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, responses }) => [
      operationId,
      Object.keys(responses).find((status) => status.startsWith('2')),
    ]),
);

const plain = (html: string): string =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');

/** By the id of the section that they stand in. */
const commandsIn = (html: string): readonly (readonly [string, string])[] =>
  [...html.matchAll(/<section[^>]* id="(\w+)"[\s\S]*?<\/section>/g)].flatMap(([section, id = '']) =>
    [...section.matchAll(/<pre[^>]*>([\s\S]*?)<\/pre>/g)]
      .map(([, code = '']) => plain(code))
      .filter((code) => code.includes('curl '))
      .map((code) => [id, code] as const),
  );

/** From here on a command prints its status alone. */
const STATUS_ONLY = 'curl() { command curl -s -o /dev/null -w "%{http_code}" "$@"; }';

const use = useService();

it.each(areaPaths)('%s can be pasted from top to bottom', async (path) => {
  const page = await use().call({ path, headers: { Accept: 'text/html' }, outsideContract: true });
  const [[first, preparation] = ['', ''], ...commands] = commandsIn(page.text);
  expect(first).toBe('preparation');
  expect(commands.length).toBeGreaterThan(0);
  const pasted = commands.map(([id, command]) => `printf '${id} '\n${command}\necho`);
  const shell = new Program('bash', ['-s'], { input: [preparation, STATUS_ONLY, ...pasted].join('\n') });
  const { stdout } = await shell.finished;
  expect(stdout.trim().split('\n')).toEqual(commands.map(([id]) => `${id} ${successes.get(id)}`));
});
