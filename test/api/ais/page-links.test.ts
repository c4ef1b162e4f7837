/** How long a link to a following page works is said wherever a developer reads of it, and it is the time that holds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PAGE_LINK_MINUTES } from '../../../src/lib/page-link.js';
import { problems } from '../../../src/problem/problem.js';
import { root } from '../../lib/source.js';

interface Described {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly { readonly name?: string; readonly description?: string }[];
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const { paths } = JSON.parse(read('docs/openapi.json')) as {
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};
const lists = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'page'));

it('in openapi.json, at each list that has pages and at the parameter', () => {
  expect(lists.map(({ operationId }) => operationId)).toEqual(['getTransactions']);
  for (const { description, parameters = [] } of lists) {
    expect(description).toContain(`${PAGE_LINK_MINUTES} minutes, then it is 400 \`page-expired\``);
    expect(parameters.find(({ name }) => name === 'page')?.description).toContain(
      `works for ${PAGE_LINK_MINUTES} minutes`,
    );
  }
});

it.each([
  ['en', `works for ${PAGE_LINK_MINUTES} minutes`],
  ['el', `ισχύει ${PAGE_LINK_MINUTES} λεπτά`],
])('in the guide: %s', (language, sentence) => {
  const guide = read(`docs/guides/account-access.${language}.md`);
  expect(guide.replace(/\s+/g, ' ')).toContain(sentence);
  expect(guide).toContain('(../problems.md#page-expired)');
});

it('in the problem that answers afterwards', () => {
  expect(problems['page-expired']).toMatchObject({
    advice: 'start-over',
    when: expect.stringContaining(`${PAGE_LINK_MINUTES} minutes ago`),
  });
});
