/** The stylesheet is one text made of several files: a class of one page must not reach into another page by accident. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('../../../src/web/assets/styles/', import.meta.url);

/** Words for every page, made to stand beside other classes: `.outcome.quiet`, `.group.actions`. */
const shared = ['page.css', 'components.css'];

interface Use {
  readonly name: string;
  readonly file: string;
}

/** Classes that are styled wherever they stand (`.a { }`), and those that qualify another class (`.a.b { }`). */
const classesOf = (file: string): { own: Use[]; qualifying: Use[] } => {
  const text = readFileSync(new URL(file, folder), 'utf8').replace(/\/\*.*?\*\//gs, '');
  const selectors = [...text.replace(/@media[^{]*\{/g, '').matchAll(/([^{}]+)\{/g)]
    .flatMap(([, list = '']) => list.split(/,(?![^(]*\))/))
    .map((selector) => selector.replace(/\([^)]*\)/g, '').trim());
  const own = selectors.flatMap((selector) => /^\.([\w-]+)(?:::?[\w-]+)*$/.exec(selector)?.[1] ?? []);
  const qualifying = selectors.flatMap((selector) =>
    [...selector.matchAll(/(?<=\.[\w-]+)\.([\w-]+)/g)].map(([, name = '']) => name),
  );
  const here = (names: readonly string[]): Use[] => [...new Set(names)].map((name) => ({ name, file }));
  return { own: here(own), qualifying: here(qualifying) };
};

const files = readdirSync(folder).map(classesOf);
const own = files.flatMap((each) => each.own);
const qualifying = files.flatMap((each) => each.qualifying);

test('a class is styled by one file', () => {
  const twice = own.filter(({ name, file }) =>
    own.some((other) => other.name === name && other.file !== file),
  );
  expect(own.length).toBeGreaterThan(80);
  expect(twice).toEqual([]);
});

test('ux 1: a class that qualifies another one is nobody’s own in another file', () => {
  const collisions = qualifying.flatMap(({ name, file }) =>
    own
      .filter((other) => other.name === name && other.file !== file && !shared.includes(other.file))
      .map((other) => `.${name} qualifies in ${file} and is styled by ${other.file}`),
  );
  expect(qualifying.length).toBeGreaterThan(20);
  expect(collisions).toEqual([]);
});
