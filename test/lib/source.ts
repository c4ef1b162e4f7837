/** The project's own text, for the tests that look at it: files, imports, code without comments, texts of strings. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface SourceFile {
  /** From the root of the project, such as `src/lib/id.ts`. */
  readonly path: string;
  readonly text: string;
}

export interface Folder {
  readonly path: string;
  readonly entries: readonly string[];
}

export const foldersUnder = (path: string): Folder[] => {
  const entries = readdirSync(join(root, path), { withFileTypes: true });
  const inside = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules');
  return [
    { path, entries: entries.map(({ name }) => name) },
    ...inside.flatMap(({ name }) => foldersUnder(join(path, name))),
  ];
};

export const filesUnder = (path: string): SourceFile[] =>
  foldersUnder(path)
    .flatMap((folder) => folder.entries.map((entry) => join(folder.path, entry)))
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ path: file, text: readFileSync(join(root, file), 'utf8') }));

/** Of the product, the sandbox, the core kit, the client and the conformance kit. */
export const sourceFolders = [
  'src',
  'packages/sandbox/src',
  'packages/core-kit/src',
  'packages/client/src',
  'packages/conformance/src',
];

/** Written by `npm run docs`, for the eyes of an editor only. */
export const isGenerated = ({ path }: SourceFile): boolean => path === 'packages/client/src/interface.ts';

const TOKEN = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/** Comments gone and strings emptied: what is left is code. */
export const codeOf = ({ text }: SourceFile): string =>
  text.replace(TOKEN, (token) => (token.startsWith('/') ? '' : `''`));

/** The text of the comments, each on one line. */
export const commentsOf = ({ text }: SourceFile): string[] =>
  [...text.matchAll(TOKEN)]
    .map(([token]) => token)
    .filter((token) => token.startsWith('/'))
    .map((comment) => comment.replace(/\s*\n\s*\*?\s*/g, ' '));

export const stringsOf = ({ text }: SourceFile): string[] =>
  [...text.matchAll(TOKEN)].map(([token]) => token).filter((token) => !token.startsWith('/'));

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g;

/** What a file imports, statically or late: packages by name, own files by their path from the root. */
export const importsOf = (file: SourceFile): string[] =>
  [...file.text.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(IMPORT)].map(([, name = '']) =>
    name.startsWith('.') ? normalize(join(dirname(file.path), name)) : name,
  );

/** `gate` for `src/gate/limits.ts`, `app` for `src/app/app.ts`. */
export const roomOf = (path: string): string => {
  const [first = ''] = relative('src', path).split('/');
  return first.replace(/\.(ts|tsx|js)$/, '');
};

const EXPORT =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|class|function|interface|type) (\w+)/gm;

export const exportsOf = ({ text }: SourceFile): string[] =>
  [...text.matchAll(EXPORT)].map(([, name = '']) => name);

/** `signingKeys`, `SigningKeys` and `signing-keys` are all `signing` and `keys`. */
export const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase());
