/** Makes a mutant: finds the one place of the product that it speaks of, and rewrites it. */
import type { SourceFile } from '../lib/source.js';
import { escaped, type Mutant } from './mutant.js';
import { type Bindings, childrenOf, fits, isNode, nodesIn, parse, type SyntaxNode } from './syntax.js';

interface Declaration {
  readonly name: string;
  readonly file: SourceFile;
  readonly node: SyntaxNode;
}

/** The stretch of a file that is rewritten. */
interface Place {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
  readonly bindings: Bindings;
}

const nameOf = ({ id, key }: SyntaxNode): string => {
  const name = id ?? key;
  return isNode(name) ? `${name.type === 'PrivateIdentifier' ? '#' : ''}${String(name.name)}` : '';
};

/** What stands at the top of a file, and the members of its classes. */
export const declarationsOf = (file: SourceFile): Declaration[] =>
  childrenOf(parse(file)).flatMap((statement) => {
    const declared = isNode(statement.declaration) ? statement.declaration : statement;
    const nodes = declared.type === 'VariableDeclaration' ? childrenOf(declared) : [declared];
    return nodes.flatMap((node) => {
      const members = node.type === 'ClassDeclaration' && isNode(node.body) ? childrenOf(node.body) : [];
      return [
        { name: nameOf(node), file, node },
        ...members.map((member) => ({ name: `${nameOf(node)}.${nameOf(member)}`, file, node: member })),
      ];
    });
  });

const IS_MEMBER = /^(?:\.{3}|\w+:)/;

/** The nodes of a pattern: one, or several statements. */
const patternOf = (find: string): SyntaxNode[] => {
  // Within a function, because `return` stands in one.
  const text = IS_MEMBER.test(find) ? `({ ${find} })` : `async () => { ${find} }`;
  const around = nodesIn(parse({ path: 'pattern.ts', text })).find(
    ({ type }) => type === 'ObjectExpression' || type === 'BlockStatement',
  );
  const nodes = around ? childrenOf(around) : [];
  const expression = nodes[0]?.expression;
  return isNode(expression) && !find.endsWith(';') ? [expression] : nodes;
};

const placesOfCode = (find: string, { file, node }: Declaration): Place[] => {
  const pattern = patternOf(find);
  return nodesIn(node).flatMap((parent) =>
    childrenOf(parent).flatMap(({ start }, at, siblings) => {
      const run = siblings.slice(at, at + pattern.length);
      const bindings: Bindings = new Map();
      return fits(pattern, run, bindings) ? [{ file, start, end: run.at(-1)?.end ?? start, bindings }] : [];
    }),
  );
};

const placesOfText = (text: string, { file, node }: Declaration): Place[] => {
  const words = new RegExp(text.trim().split(/\s+/).map(escaped).join('\\s+'), 'g');
  return nodesIn(node)
    .filter(({ type }) => type === 'Literal' || type === 'TemplateElement')
    .flatMap((literal) =>
      [...file.text.slice(literal.start, literal.end).matchAll(words)].map((match) => {
        const start = literal.start + match.index;
        return { file, start, end: start + match[0].length, bindings: new Map() };
      }),
    );
};

const placeOf = (mutant: Mutant, declarations: readonly Declaration[]): Place => {
  const places = declarations
    .filter(({ name }) => name === mutant.in)
    .filter(
      ({ file }) =>
        mutant.beside === undefined ||
        declarations.some((other) => other.name === mutant.beside && other.file === file),
    )
    .flatMap((each) =>
      'find' in mutant ? placesOfCode(mutant.find, each) : placesOfText(mutant.text, each),
    );
  const [place] = places;
  if (!place || places.length > 1)
    throw new Error(`${mutant.id}: ${places.length} times in ${mutant.in}, must be once`);
  return place;
};

/** The file of the mutant as it is then. */
export const mutate = (mutant: Mutant, declarations: readonly Declaration[]): SourceFile => {
  const { file, start, end, bindings } = placeOf(mutant, declarations);
  const { path, text } = file;
  const replacement = mutant.replace.replace(/\$\w+/g, (name) => {
    const bound = bindings.get(name);
    if (!bound) throw new Error(`${mutant.id}: nothing is bound to ${name}`);
    return text.slice(bound.start, bound.end);
  });
  const after = text.slice(end);
  return {
    path,
    text: `${text.slice(0, start)}${replacement}${replacement === '' ? after.replace(/^\s*,/, '') : after}`,
  };
};
