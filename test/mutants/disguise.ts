/** Code that means the same and is written in another way: each local name is another one, each line begins elsewhere. */
import type { SourceFile } from '../lib/source.js';
import { declarationsOf } from './mutate.js';
import { childrenOf, isNode, nodesIn, type SyntaxNode } from './syntax.js';

const ENDING = '_renamed';

/** The names that a pattern such as `{ id, at = 1 }` declares. */
const namesIn = (pattern: unknown): string[] => {
  if (Array.isArray(pattern)) return pattern.flatMap(namesIn);
  if (!isNode(pattern)) return [];
  const { type, name, properties, elements, value, left, argument } = pattern;
  return type === 'Identifier'
    ? [String(name)]
    : [properties, elements, value, left, argument].flatMap(namesIn);
};

const localsIn = (declaration: SyntaxNode): ReadonlySet<string> => {
  const names = nodesIn(declaration).flatMap((node) => [
    ...namesIn(node.params),
    ...(node.type === 'CatchClause' ? namesIn(node.param) : []),
    ...(node.type === 'VariableDeclarator' && node !== declaration ? namesIn(node.id) : []),
  ]);
  return new Set(names.filter((name) => !name.endsWith(ENDING)));
};

interface Insertion {
  readonly at: number;
  readonly text: string;
}

const insertionsIn = (node: SyntaxNode, locals: ReadonlySet<string>): Insertion[] => {
  const { type, name, start, computed, shorthand } = node;
  if (type === 'Identifier') {
    const text = String(name);
    return locals.has(text) ? [{ at: start + text.length, text: ENDING }] : [];
  }
  const key = computed === true ? undefined : (node.key ?? node.property);
  const inside = childrenOf(node)
    .filter((child) => child !== key)
    .flatMap((child) => insertionsIn(child, locals));
  return shorthand === true && inside.length > 0 && isNode(key)
    ? [{ at: start, text: `${String(key.name)}: ` }, ...inside]
    : inside;
};

/** Once is as good as twice. */
export const disguise = (file: SourceFile): SourceFile => {
  const insertions = declarationsOf(file)
    .filter(({ name }) => !name.includes('.'))
    .flatMap(({ node }) => insertionsIn(node, localsIn(node)))
    .toSorted((one, other) => other.at - one.at);
  const text = insertions.reduce(
    (rest, { at, text }) => rest.slice(0, at) + text + rest.slice(at),
    file.text,
  );
  return { path: file.path, text: text.replace(/\n */g, '\n\n   ') };
};
