/** What the sources say of a value: which kinds of value it may be, and what a row has. */
import type { Node } from 'typescript/unstable/ast';
import { type Checker, type Type, TypeFlags } from 'typescript/unstable/sync';

export type Kind = 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'other';
export type Kinds = ReadonlySet<Kind>;

/** A row by the names of its members. */
export type Shape = ReadonlyMap<string, Kinds>;

const flagged: readonly (readonly [number, Kind])[] = [
  [TypeFlags.StringLike, 'string'],
  [TypeFlags.NumberLike, 'number'],
  [TypeFlags.BooleanLike, 'boolean'],
  [TypeFlags.Null, 'null'],
  [TypeFlags.Undefined, 'undefined'],
];

const kindOf = (type: Type): Kind => flagged.find(([flag]) => type.flags & flag)?.[1] ?? 'other';

export class Shapes {
  readonly #checker: Checker;
  readonly #shapes = new Map<number, Shape>();

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  /** A branded text is a text. */
  kindsOf(type: Type): Kinds {
    if (type.isUnionType()) return new Set(type.getTypes().flatMap((each) => [...this.kindsOf(each)]));
    if (!type.isIntersectionType()) {
      const kind = kindOf(type);
      const bound = kind === 'other' ? this.#checker.getBaseConstraintOfType(type) : undefined;
      return bound && bound.id !== type.id ? this.kindsOf(bound) : new Set([kind]);
    }
    const known = type
      .getTypes()
      .map(kindOf)
      .find((kind) => kind !== 'other');
    return new Set([known ?? 'other']);
  }

  kindsAt(node: Node): Kinds {
    const type = this.#checker.getTypeAtLocation(node);
    return type ? this.kindsOf(type) : new Set(['other']);
  }

  shapeOf(type: Type): Shape {
    const known = this.#shapes.get(type.id);
    if (known) return known;
    const members = this.#checker.getPropertiesOfType(type);
    const types = this.#checker.getTypeOfSymbol(members);
    const shape = new Map(
      members.map(({ name }, index) => {
        const own = types[index];
        return [name, own ? this.kindsOf(own) : new Set<Kind>(['other'])] as const;
      }),
    );
    this.#shapes.set(type.id, shape);
    return shape;
  }
}

export const kindOfValue = (value: unknown): Kind => {
  if (value === null) return 'null';
  return flagged.find(([, kind]) => kind === typeof value)?.[1] ?? 'other';
};
