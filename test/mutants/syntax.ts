/** Syntax trees: reading, walking and comparing them. */
import { parseAst } from 'vitest/node';
import type { SourceFile } from '../lib/source.js';

/** A node as the parser gives it: the rest of its keys depend on its type. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value;

export const parse = ({ path, text }: SourceFile): SyntaxNode =>
  parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as SyntaxNode;

export const childrenOf = (node: SyntaxNode): SyntaxNode[] => Object.values(node).flat().filter(isNode);

export const nodesIn = (node: SyntaxNode, found: SyntaxNode[] = []): SyntaxNode[] => {
  found.push(node);
  for (const child of childrenOf(node)) nodesIn(child, found);
  return found;
};

/** What `$names` of a pattern stand for. */
export type Bindings = Map<string, SyntaxNode>;

const holeOf = ({ type, name }: SyntaxNode): string | undefined =>
  type === 'Identifier' && typeof name === 'string' && name.startsWith('$') ? name : undefined;

/** Says how a text is written, and nothing about what it means. */
const SPELLING = new Set(['start', 'end', 'raw', 'shorthand']);

const keysOf = (value: object): string[] => Object.keys(value).filter((key) => !SPELLING.has(key));

const spaced = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : value;

/** Whether a tree is the pattern, whose `$names` are bound on the way. */
export const fits = (pattern: unknown, found: unknown, bindings: Bindings): boolean => {
  if (isNode(pattern) && isNode(found)) {
    const hole = holeOf(pattern);
    const known = bindings.get(hole ?? '');
    if (known) return fits(known, found, new Map());
    if (hole !== undefined) {
      bindings.set(hole, found);
      return true;
    }
  }
  if (typeof pattern !== 'object' || pattern === null || typeof found !== 'object' || found === null)
    return spaced(pattern) === spaced(found);
  const keys = keysOf(pattern);
  return (
    keys.length === keysOf(found).length &&
    keys.every((key) => fits(Reflect.get(pattern, key), Reflect.get(found, key), bindings))
  );
};
