/** Plain English: the words and names that voice.md replaced stay out of code, comments, messages and documentation. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Refused, refusedInComments, refusedNames, refusedPhrases } from './lib/refused.js';
import {
  codeOf,
  commentsOf,
  filesUnder,
  isGenerated,
  root,
  type SourceFile,
  sourceFolders,
} from './lib/source.js';

const source = sourceFolders.flatMap(filesUnder).filter((file) => !isGenerated(file));
const code = [...source, ...filesUnder('bench')];
const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(md|json|js)$/.test(name))
  .map((name) => join('docs', name))
  .concat('README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md')
  .map((path): SourceFile => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** Each refused word with its file, and what to write instead. */
const found = (
  files: readonly SourceFile[],
  refused: readonly Refused[],
  textOf: (file: SourceFile) => string,
): string[] =>
  files.flatMap((file) => {
    const text = textOf(file);
    return refused
      .filter(({ under = '' }) => file.path.startsWith(under))
      .flatMap(({ pattern, write }) => {
        const [word] = pattern.exec(text) ?? [];
        return word === undefined ? [] : [`${file.path}: "${word}" (write: ${write})`];
      });
  });

const wholeText = ({ text }: SourceFile): string => text;
const comments = (file: SourceFile): string => commentsOf(file).join('\n');

describe('voice', () => {
  it('of names is that of the field', () => {
    expect(found(code, refusedNames, codeOf)).toEqual([]);
  });

  it('of sentences is plain, in code and documents', () => {
    expect(documents.length).toBeGreaterThan(20);
    expect(found([...code, ...documents], refusedPhrases, wholeText)).toEqual([]);
  });

  it('of comments names the subject, and says if', () => {
    expect(found(source, refusedInComments, comments)).toEqual([]);
  });

  it.each([
    ['class Looks { look() {} }', refusedNames, codeOf],
    ['const ledger = new Ledger();', refusedNames, codeOf],
    ['const heard = await hear(order);', refusedNames, codeOf],
    ['const INSERT = `insert into events`;', refusedNames, codeOf],
    ["const text = 'IPv4 in the clothes of IPv6';", refusedPhrases, wholeText],
    ["const back = 'Γυρίστε';", refusedPhrases, wholeText],
    ['/** Undefined\n   * where it is not a duration. */', refusedInComments, comments],
    ['// Nobody is warned.', refusedInComments, comments],
  ])('is held: %s is refused', (text, refused, textOf) => {
    expect(found([{ path: 'src/signature/x.ts', text }], refused, textOf)).toHaveLength(1);
  });

  it('lets words pass that mean something else', () => {
    const text = "// The place where it is stored.\nconst ledger = ledgerOf(account, 'told by it');";
    const file = { path: 'packages/sandbox/src/bank/ledger/x.ts', text };
    expect(found([file], refusedNames, codeOf)).toEqual([]);
    expect(found([file], refusedInComments, comments)).toEqual([]);
  });
});
