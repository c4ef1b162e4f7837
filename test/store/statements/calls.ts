/** Every place where the sources ask the store for something: its texts, the rows it expects and the values it gives. */
import {
  type ArrowFunction,
  type CallExpression,
  isArrayLiteralExpression,
  isAwaitExpression,
  isBinaryExpression,
  isCallExpression,
  isExpressionStatement,
  isIdentifier,
  isIfStatement,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isSpreadElement,
  isVariableDeclaration,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { type Type, TypeFlags } from 'typescript/unstable/sync';
import type { Db } from '../../../src/store/db.js';
import { Constants } from './constants.js';
import { type Program, placeOf, returnedBy, within } from './program.js';
import { type Kinds, type Shape, Shapes } from './shapes.js';

/** The kinds of each value; `rest` is any number of values. */
export type Given = readonly (Kinds | 'rest')[];

export interface Call {
  readonly place: string;
  readonly texts: readonly { readonly text: string; readonly engine: Db['engine'] | undefined }[];
  /** Each text has one of these; none if no row is looked at. */
  readonly rows: readonly Shape[];
  /** A row is looked at, and nothing says what it has. */
  readonly lacksRow: boolean;
  readonly given: Given;
  /** May be one of several reads in one statement. */
  readonly mayBeBatched: boolean;
  /** Its text is sent with a count of its rows (`src/store/proven.ts`). */
  readonly isProven: boolean;
}

const METHODS = ['one', 'all', 'run'];

/** Whether the answer is asked for nothing but whether there is one. */
const isExistence = (answer: Node): boolean => {
  const { parent } = answer;
  if (isAwaitExpression(parent) || isParenthesizedExpression(parent)) return isExistence(parent);
  if (isPropertyAccessExpression(parent)) return parent.name.text === 'length';
  return (
    isBinaryExpression(parent) ||
    isPrefixUnaryExpression(parent) ||
    isIfStatement(parent) ||
    isExpressionStatement(parent)
  );
};

export class Calls {
  readonly constants: Constants;
  readonly #program: Program;
  readonly #shapes: Shapes;

  constructor(program: Program) {
    this.#program = program;
    this.constants = new Constants(program);
    this.#shapes = new Shapes(program.checker);
  }

  of(files: readonly SourceFile[]): Call[] {
    const calls: CallExpression[] = [];
    const writes: Call[] = [];
    for (const file of files)
      if (/\b(one|all|run|allProven|params)\b/.test(file.text))
        within(file, (node) => {
          if (isCallExpression(node)) calls.push(node);
          else writes.push(...this.#write(node));
        });
    return [...this.#asked(calls), ...writes];
  }

  #asked(calls: readonly CallExpression[]): Call[] {
    const named = calls.flatMap((call) => {
      const { expression } = call;
      if (isIdentifier(expression) && expression.text === 'allProven') return [{ call, name: expression }];
      return isPropertyAccessExpression(expression) && METHODS.includes(expression.name.text)
        ? [{ call, name: expression.name }]
        : [];
    });
    const symbols = this.#program.checker.getSymbolAtLocation(named.map(({ name }) => name));
    return named.flatMap(({ call, name }, index) => {
      if (name.text === 'allProven') return [this.#call(call, call.arguments.slice(1), true)];
      const [declared] = symbols[index]?.declarations ?? [];
      return declared?.path.endsWith('/src/store/db.ts') ? [this.#call(call, call.arguments, false)] : [];
    });
  }

  #call(call: CallExpression, [sql, values]: readonly Node[], isProven: boolean): Call {
    const shapes = this.#rowsOf(call);
    const rows = shapes.filter(({ size }) => size > 0);
    return {
      place: placeOf(call),
      texts: sql ? this.constants.textsOf(sql) : [],
      rows,
      lacksRow: shapes.length > rows.length && !isExistence(call),
      given: values ? this.#givenBy(values) : [],
      mayBeBatched: this.#mayBeBatched(call),
      isProven,
    };
  }

  /** An object of the type `Write`. */
  #write(node: Node): Call[] {
    if (!isObjectLiteralExpression(node)) return [];
    const members = new Map(
      node.properties.flatMap((each) =>
        isPropertyAssignment(each) ? [[each.name.getText(), each.initializer] as const] : [],
      ),
    );
    const [sql, params] = [members.get('sql'), members.get('params')];
    if (!sql || !params) return [];
    const given = this.#givenBy(params);
    const texts = this.constants.textsOf(sql);
    return [
      { place: placeOf(node), texts, rows: [], lacksRow: false, given, mayBeBatched: false, isProven: false },
    ];
  }

  #mayBeBatched({ expression }: CallExpression): boolean {
    if (!isPropertyAccessExpression(expression)) return false;
    return this.#program.checker.getTypeAtLocation(expression.expression)?.getSymbol()?.name === 'Reads';
  }

  /** What the promise of the call is of, without undefined, or the element of its list. */
  #rowsOf(call: CallExpression): Shape[] {
    const { checker } = this.#program;
    const signature = checker.getResolvedSignature(call);
    const promise = signature && checker.getReturnTypeOfSignature(signature);
    const [answer] = promise?.isTypeReference() ? checker.getTypeArguments(promise) : [];
    if (!answer || answer.flags & TypeFlags.NumberLike) return [];
    const [element] =
      answer.isTypeReference() && checker.isArrayType(answer)
        ? checker.getTypeArguments(answer)
        : [checker.getNonNullableType(answer)];
    return (element ? this.#concrete(element) : []).map((type) => this.#shapes.shapeOf(type));
  }

  /** A type parameter is what its function is called with. */
  #concrete(type: Type, depth = 0): Type[] {
    const parameter = type.isTypeParameter() ? type.getSymbol()?.declarations[0]?.resolve() : undefined;
    if (!parameter || depth > 5) return [type];
    const owner = parameter.parent as ArrowFunction;
    const index = owner.typeParameters?.indexOf(parameter as never) ?? 0;
    if (!isVariableDeclaration(owner.parent)) return [type];
    const made = this.#program.usesOf(owner.parent.name).flatMap(({ parent }) => {
      const wanted = isCallExpression(parent) ? parent.typeArguments?.[index] : undefined;
      const own = wanted && this.#program.checker.getTypeFromTypeNode(wanted);
      return own ? this.#concrete(own, depth + 1) : [];
    });
    return made.length > 0 ? made : [type];
  }

  #givenBy(node: Node): Given {
    if (isParenthesizedExpression(node)) return this.#givenBy(node.expression);
    if (isArrayLiteralExpression(node))
      return node.elements.flatMap((each) =>
        isSpreadElement(each) ? this.#givenBy(each.expression) : [this.#shapes.kindsAt(each)],
      );
    const type = this.#program.checker.getTypeAtLocation(node);
    if (type?.isTypeReference() && this.#program.checker.isTupleType(type))
      return this.#program.checker.getTypeArguments(type).map((each) => this.#shapes.kindsOf(each));
    const [made] = this.#madeBy(node);
    // An empty list is filled later.
    const isFilled = made && isArrayLiteralExpression(made) && made.elements.length === 0;
    return made && !isFilled ? this.#givenBy(made) : ['rest'];
  }

  /** The list a constant is made with or a function returns, if there is one alone. */
  #madeBy(node: Node): Node[] {
    if (isIdentifier(node)) {
      const declared = this.#program.declarationOf(node);
      return declared && isVariableDeclaration(declared) && declared.initializer
        ? [declared.initializer]
        : [];
    }
    if (!isCallExpression(node) || !isIdentifier(node.expression)) return [];
    const declared = this.#program.declarationOf(node.expression);
    const bodies =
      declared && isVariableDeclaration(declared) && declared.initializer
        ? returnedBy(declared.initializer)
        : [];
    return bodies.length === 1 ? bodies : [];
  }
}
