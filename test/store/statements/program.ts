/**
 * The product's sources as the compiler sees them. The compiler's own API is called unstable: its version is pinned, and all that
 * is used of it is in this folder.
 */
import { join } from 'node:path';
import { isArrowFunction, type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import {
  API,
  type Checker,
  type Symbol as NamedSymbol,
  type Project,
  SymbolFlags,
} from 'typescript/unstable/sync';
import { root } from '../../lib/source.js';

const SOURCES = join(root, 'tsconfig.statements.json');

export class Program {
  readonly #api: API;
  readonly #project: Project;
  readonly checker: Checker;
  /** By symbol: each search is of the whole program. */
  readonly #uses = new Map<number, Node[]>();

  /** Of the sources, and of a draft that exists for the compiler alone. */
  constructor(draft: { readonly path: string; readonly text: string }) {
    const config = { extends: './tsconfig.json', include: ['src', 'packages/*/src'], files: [draft.path] };
    const files = new Map([
      [SOURCES, JSON.stringify(config)],
      [join(root, draft.path), draft.text],
    ]);
    const fs = {
      readFile: (path: string) => files.get(path),
      fileExists: (path: string) => files.has(path) || undefined,
    };
    this.#api = new API({ cwd: root, fs });
    const [project] = this.#api.updateSnapshot({ openProjects: [SOURCES] }).getProjects();
    if (!project) throw new Error('the compiler found no project');
    this.#project = project;
    this.checker = project.checker;
  }

  close(): void {
    this.#api.close();
  }

  /** Of the product and its packages, and drafts. */
  files(): SourceFile[] {
    const { program } = this.#project;
    return program
      .getSourceFileNames()
      .filter(
        (name) => name.startsWith(root) && /^(src|packages\/[\w-]+\/src)\//.test(name.slice(root.length)),
      )
      .flatMap((name) => program.getSourceFile(name) ?? []);
  }

  /** What a name stands for, whatever it is imported as. */
  symbolOf(node: Node): NamedSymbol | undefined {
    const symbol = this.checker.getSymbolAtLocation(node);
    return symbol && symbol.flags & SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  declarationOf(node: Node): Node | undefined {
    return (this.symbolOf(node)?.valueDeclaration ?? this.symbolOf(node)?.declarations[0])?.resolve();
  }

  /** Wherever the name is used, its own declaration included. */
  usesOf(name: Node): Node[] {
    const id = this.symbolOf(name)?.id ?? 0;
    const known = this.#uses.get(id);
    if (known) return known;
    const found = this.checker
      .getReferencedSymbolsForNode(name, name.getStart())
      .flatMap(({ references }) => references.flatMap((handle) => handle.resolve() ?? []));
    this.#uses.set(id, found);
    return found;
  }
}

export const within = (node: Node, visit: (node: Node) => void): void => {
  visit(node);
  node.forEachChild((child) => within(child, visit));
};

const fileOf = (node: Node): SourceFile =>
  node.kind === SyntaxKind.SourceFile ? (node as SourceFile) : fileOf(node.parent);

/** As an editor takes it: `src/store/move.ts:69`. */
export const placeOf = (node: Node): string => {
  const file = fileOf(node);
  const line = file.text.slice(0, node.getStart()).split('\n').length;
  return `${file.fileName.slice(root.length)}:${line}`;
};

/** The expressions that a function can end with. */
export const returnedBy = (node: Node): Node[] => {
  if (!isArrowFunction(node)) return [];
  if (node.body.kind !== SyntaxKind.Block) return [node.body];
  const returned: Node[] = [];
  node.body.forEachChild((each) => {
    if (each.kind === SyntaxKind.ReturnStatement) each.forEachChild((value) => void returned.push(value));
  });
  return returned;
};

/** From the root of the project. */
export const pathOf = ({ fileName }: SourceFile): string => fileName.slice(root.length);
