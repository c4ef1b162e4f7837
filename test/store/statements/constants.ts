/**
 * What an expression can be, found without running it: every text that reaches a call of the store is a constant, is made of constants,
 * or is chosen among them. What cannot be found is nothing, and a call without a text is a fault.
 */
import {
  type ArrowFunction,
  type CallExpression,
  type Expression,
  isArrayLiteralExpression,
  isArrowFunction,
  isAsExpression,
  isBinaryExpression,
  isBindingElement,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isForOfStatement,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isObjectLiteralExpression,
  isParameterDeclaration,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isSatisfiesExpression,
  isShorthandPropertyAssignment,
  isStringLiteral,
  isTemplateExpression,
  isVariableDeclaration,
  type Node,
  type ObjectLiteralExpression,
  type ParameterDeclaration,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { TypeFlags } from 'typescript/unstable/sync';
import type { Db } from '../../../src/store/db.js';
import { type Program, returnedBy } from './program.js';

type Engine = Db['engine'];
/** What the parameters of the functions around an expression are, by their names' declarations. */
type Scope = ReadonlyMap<Node, readonly Found[]>;

export interface Found {
  /** A text, the elements of a list, or an object or function with what its names mean. */
  readonly is: string | readonly Found[] | { readonly node: Node; readonly scope: Scope };
  /** On this engine alone. */
  readonly engine?: Engine | undefined;
}

const engines: readonly Engine[] = ['sqlite', 'postgres'];
const NOWHERE: Scope = new Map();
/** More is a circle. */
const DEEPEST = 40;

/** Both hold, or nothing is found: a text for one engine has no part for the other. */
const joined = (all: readonly (readonly Found[])[]): Found[] =>
  all.reduce<Found[]>(
    (before, parts) =>
      before.flatMap((one) =>
        parts.flatMap((other) => {
          const isPossible = !one.engine || !other.engine || one.engine === other.engine;
          const isText = typeof one.is === 'string' && typeof other.is === 'string';
          return isPossible && isText
            ? [{ is: `${one.is}${other.is}`, engine: one.engine ?? other.engine }]
            : [];
        }),
      ),
    [{ is: '' }],
  );

/** If one of several cannot be found, what the others are does not tell what is sent. */
const allOf = (parts: readonly (readonly Found[])[]): Found[] =>
  parts.some(({ length }) => length === 0) ? [] : parts.flat();

const only = (found: readonly Found[], engine: Engine | undefined): Found[] =>
  engine === undefined
    ? [...found]
    : found.filter((each) => !each.engine || each.engine === engine).map((each) => ({ ...each, engine }));

/** `sqlite` for `db.engine === 'sqlite'`. */
const engineAsked = (condition: Expression): Engine | undefined =>
  isBinaryExpression(condition) &&
  condition.operatorToken.kind === SyntaxKind.EqualsEqualsEqualsToken &&
  /\bengine$/.test(condition.left.getText()) &&
  isStringLiteral(condition.right)
    ? engines.find((engine) => engine === (condition.right as { readonly text?: string }).text)
    : undefined;

const memberOf = (object: ObjectLiteralExpression, name: string): Node | undefined => {
  for (const member of object.properties) {
    if (isPropertyAssignment(member) && nameOf(member.name) === name) return member.initializer;
    if (isShorthandPropertyAssignment(member) && nameOf(member.name) === name) return member.name;
  }
  return undefined;
};

const nameOf = (name: Node): string => (name as { readonly text?: string }).text ?? name.getText();

export class Constants {
  readonly #program: Program;
  /** The texts that a call was followed to. */
  readonly reached = new Set<Node>();

  constructor(program: Program) {
    this.#program = program;
  }

  /** The texts that an expression can be. */
  textsOf(node: Node): { readonly text: string; readonly engine: Engine | undefined }[] {
    return this.#find(node, NOWHERE, 0).flatMap(({ is, engine }) =>
      typeof is === 'string' ? [{ text: is, engine }] : [],
    );
  }

  #find(node: Node, scope: Scope, depth: number): Found[] {
    if (depth > DEEPEST) return [];
    const find = (inner: Node): Found[] => this.#find(inner, scope, depth + 1);
    if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) {
      this.reached.add(node);
      return [{ is: node.text }];
    }
    if (isTemplateExpression(node)) {
      this.reached.add(node);
      const spans = node.templateSpans.flatMap(({ expression, literal }) => [
        find(expression),
        [{ is: literal.text }],
      ]);
      return joined([[{ is: node.head.text }], ...spans]);
    }
    if (isNumericLiteral(node)) return [{ is: node.text }];
    if (isParenthesizedExpression(node) || isAsExpression(node) || isSatisfiesExpression(node))
      return find(node.expression);
    if (isConditionalExpression(node))
      return this.#choice(node.whenTrue, node.whenFalse, engineAsked(node.condition), find);
    if (isObjectLiteralExpression(node) || isArrowFunction(node)) return [{ is: { node, scope } }];
    if (isArrayLiteralExpression(node)) return [{ is: allOf(node.elements.map(find)) }];
    if (isIdentifier(node)) return this.#named(node, scope, depth);
    if (isPropertyAccessExpression(node)) return this.#member(node.expression, node.name, scope, depth);
    if (isElementAccessExpression(node))
      return this.#elements(
        find(node.expression),
        /\bengine$/.test(node.argumentExpression.getText()),
        depth,
      );
    if (isCallExpression(node)) return this.#called(node, scope, depth);
    if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.PlusToken && !this.#isNumber(node))
      return joined([find(node.left), find(node.right)]);
    return this.#isNumber(node) ? [{ is: '1' }] : [];
  }

  /** Which number stands in a statement does not matter to anything that is tried here. */
  #isNumber(node: Node): boolean {
    return ((this.#program.checker.getTypeAtLocation(node)?.flags ?? 0) & TypeFlags.NumberLike) !== 0;
  }

  #choice(yes: Node, no: Node, engine: Engine | undefined, find: (node: Node) => Found[]): Found[] {
    const other = engine && engines.find((each) => each !== engine);
    return allOf([only(find(yes), engine), only(find(no), other)]);
  }

  #named(node: Node, scope: Scope, depth: number): Found[] {
    const made = this.#program.declarationOf(node);
    if (!made) return [];
    const known = scope.get(made);
    if (known) return [...known];
    if (isBindingElement(made)) return this.#bound(made, scope, depth);
    if (isParameterDeclaration(made)) return this.#given(made, depth);
    if (!isVariableDeclaration(made)) return [];
    if (made.initializer) return this.#find(made.initializer, scope, depth + 1);
    const loop = made.parent.parent;
    return isForOfStatement(loop)
      ? this.#elements(this.#find(loop.expression, scope, depth + 1), false, depth)
      : [];
  }

  /** `sql` of `const { sql } = …` and of `for (const { sql } of …)`. */
  #bound(
    made: Node & { readonly name?: Node; readonly propertyName?: Node },
    scope: Scope,
    depth: number,
  ): Found[] {
    const name = made.propertyName ?? made.name;
    if (!name) return [];
    const owner = made.parent.parent;
    if (!isVariableDeclaration(owner)) return this.#assigned(name, depth);
    const loop = owner.parent.parent;
    const from = owner.initializer
      ? this.#find(owner.initializer, scope, depth + 1)
      : isForOfStatement(loop)
        ? this.#elements(this.#find(loop.expression, scope, depth + 1), false, depth)
        : [];
    return from.length > 0 ? this.#inside(from, nameOf(name), depth) : this.#assigned(name, depth);
  }

  #member(from: Node, name: Node, scope: Scope, depth: number): Found[] {
    const objects = this.#find(from, scope, depth + 1);
    const found = this.#inside(objects, nameOf(name), depth);
    return found.length > 0 ? found : this.#assigned(name, depth);
  }

  #inside(objects: readonly Found[], name: string, depth: number): Found[] {
    return objects.flatMap(({ is, engine }) => {
      if (typeof is === 'string' || !('node' in is) || !isObjectLiteralExpression(is.node)) return [];
      const member = memberOf(is.node, name);
      return member ? only(this.#find(member, is.scope, depth + 1), engine) : [];
    });
  }

  /** The member of an interface is whatever an object of it is made with. */
  #assigned(name: Node, depth: number): Found[] {
    const made = this.#program.usesOf(name).flatMap(({ parent }): Node[] => {
      if (isPropertyAssignment(parent)) return [parent.initializer];
      return isShorthandPropertyAssignment(parent) ? [parent.name] : [];
    });
    return allOf(made.map((value) => this.#find(value, NOWHERE, depth + 1)));
  }

  #elements(lists: readonly Found[], byEngine: boolean, depth: number): Found[] {
    return lists.flatMap(({ is, engine }) => {
      if (typeof is === 'string') return [];
      if (!('node' in is)) return only(is, engine);
      if (!isObjectLiteralExpression(is.node)) return [];
      return allOf(
        is.node.properties.map((member) => {
          if (!isPropertyAssignment(member)) return [];
          const own = byEngine ? engines.find((each) => each === nameOf(member.name)) : engine;
          return only(this.#find(member.initializer, is.scope, depth + 1), own);
        }),
      );
    });
  }

  #called(node: CallExpression, scope: Scope, depth: number): Found[] {
    const { expression, arguments: given } = node;
    const find = (inner: Node): Found[] => this.#find(inner, scope, depth + 1);
    if (!isPropertyAccessExpression(expression))
      return this.#applied(find(expression), given.map(find), depth);
    const [first, second] = given;
    const name = expression.name.text;
    // What may be repeated may also be absent.
    if (name === 'repeat') return [{ is: '' }];
    if (!first) return [];
    if (name === 'from') return second ? [{ is: this.#repeated(first, find(second), depth) }] : [];
    const elements = this.#elements(find(expression.expression), false, depth);
    if (name === 'map')
      return [{ is: elements.flatMap((each) => this.#applied(find(first), [[each]], depth)) }];
    return name === 'join'
      ? joined(elements.flatMap((each, index) => (index > 0 ? [find(first), [each]] : [[each]])))
      : [];
  }

  /** `Array.from({ length: 32 }, () => '?')`. */
  #repeated(size: Node, made: readonly Found[], depth: number): Found[] {
    const length = isObjectLiteralExpression(size) ? memberOf(size, 'length') : undefined;
    const count = length && isNumericLiteral(length) ? Number(length.text) : 0;
    return Array.from({ length: count }, () => this.#applied(made, [], depth)).flat();
  }

  #applied(functions: readonly Found[], given: readonly (readonly Found[])[], depth: number): Found[] {
    return functions.flatMap(({ is }) => {
      if (typeof is === 'string' || !('node' in is) || !isArrowFunction(is.node)) return [];
      const own = is.node.parameters.map(
        (parameter, index) => [parameter as Node, given[index] ?? []] as const,
      );
      const inside = new Map([...is.scope, ...own]);
      return returnedBy(is.node).flatMap((value) => this.#find(value, inside, depth + 1));
    });
  }

  /** What a function is called with anywhere. */
  #given(parameter: ParameterDeclaration, depth: number): Found[] {
    const owner = parameter.parent;
    const index = (owner as ArrowFunction).parameters.indexOf(parameter);
    const call = owner.parent;
    if (
      isCallExpression(call) &&
      isPropertyAccessExpression(call.expression) &&
      call.expression.name.text === 'map'
    )
      return this.#elements(this.#find(call.expression.expression, NOWHERE, depth + 1), false, depth);
    if (!isVariableDeclaration(call)) return [];
    const given = this.#program.usesOf(call.name).flatMap((use) => {
      const { parent } = use;
      return isCallExpression(parent) && parent.expression === use ? [parent.arguments[index]] : [];
    });
    return allOf(given.map((value) => (value ? this.#find(value, NOWHERE, depth + 1) : [])));
  }
}
