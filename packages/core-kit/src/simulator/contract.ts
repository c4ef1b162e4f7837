/** The contract of the core as the simulator answers it: which operation a request means, and whether it is well formed. */

import { type CoreOperation, type CoreOperations, coreOperations, isBankId, PSU_ID } from 'trapeza/bank';
import { type PsuId, sentencesOf, type Validator, validator } from 'trapeza/base';
import { type Static, type TSchema, Type } from 'typebox';

export type OperationId = keyof CoreOperations;

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type Query<Id extends OperationId> = CoreOperations[Id] extends {
  query: infer Fields extends Record<string, { schema: TSchema; required: boolean }>;
}
  ? {
      readonly [Name in keyof Fields]:
        | Static<Fields[Name]['schema']>
        | (Fields[Name]['required'] extends true ? never : undefined);
    }
  : object;

type Body<Id extends OperationId> = CoreOperations[Id] extends { body: infer Schema extends TSchema }
  ? Static<Schema>
  : undefined;

/** A request that fits the contract. */
export interface Asked<Id extends OperationId = OperationId> {
  readonly params: Readonly<Record<NamesIn<CoreOperations[Id]['path']>, string>>;
  readonly query: Query<Id>;
  readonly body: Body<Id>;
  /** The person for whom an account is asked about; else empty. */
  readonly psuId: PsuId;
  /** Bank time of this request. */
  readonly at: number;
  /** It came after the moment of its Not-After. */
  readonly isLate?: boolean;
}

export type Answer<Id extends OperationId> = Static<CoreOperations[Id]['answer']>;

/** Anything but 200 has an error in words. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
  }
}

/** One function for each operation of the contract; throws a Refusal if there is no answer. */
export type Core = { readonly [Id in OperationId]: (asked: Asked<Id>) => Promise<Answer<Id>> };

interface Route {
  readonly id: OperationId;
  readonly operation: CoreOperation;
  readonly segments: readonly string[];
  readonly checkQuery: Validator;
  readonly checkBody: Validator | undefined;
}

const queryShape = ({ query = {} }: CoreOperation): TSchema =>
  Type.Object(
    Object.fromEntries(
      Object.entries(query).map(([name, { schema, required }]) => [
        name,
        required ? schema : Type.Optional(schema),
      ]),
    ),
    { additionalProperties: false },
  );

const routes: readonly Route[] = (Object.keys(coreOperations) as OperationId[]).map((id) => {
  const operation: CoreOperation = coreOperations[id];
  return {
    id,
    operation,
    segments: operation.path.split('/').slice(1),
    checkQuery: validator(queryShape(operation)),
    checkBody: operation.body && validator(operation.body),
  };
});

const routeOf: ReadonlyMap<OperationId, Route> = new Map(routes.map((route) => [route.id, route]));

/** By the first segment of the path, which never is a parameter. */
const routesBelow: ReadonlyMap<string, readonly Route[]> = new Map(
  routes.map(({ segments: [first = ''] }) => [first, routes.filter(({ segments }) => segments[0] === first)]),
);

const fits = ({ segments }: Route, parts: readonly string[]): boolean =>
  segments.length === parts.length &&
  segments.every((segment, index) => segment.startsWith(':') || segment === parts[index]);

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Refusal(400, 'the path is not correctly percent-encoded');
  }
};

export interface Matched {
  readonly id: OperationId;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly hasBody: boolean;
}

export const matchOperation = (method: string, { pathname, searchParams }: URL): Matched => {
  const parts = pathname.split('/').slice(1);
  const candidates = (routesBelow.get(parts[0] ?? '') ?? []).filter((route) => fits(route, parts));
  if (candidates.length === 0) throw new Refusal(404, 'there is no such operation');
  const route = candidates.find(({ operation }) => operation.method === method);
  if (!route) throw new Refusal(405, `the method must be ${candidates[0]?.operation.method}`);
  const names = route.segments.flatMap((segment, index) =>
    segment.startsWith(':') ? [[segment.slice(1), decoded(parts[index] ?? '')] as const] : [],
  );
  for (const [name, value] of names)
    if (!/^[!-~]{1,128}$/.test(value)) throw new Refusal(400, `${name} must be 1 to 128 visible characters`);
  return {
    id: route.id,
    params: Object.fromEntries(names),
    query: searchParams,
    hasBody: route.checkBody !== undefined,
  };
};

const refuseFaults = (place: string, faults: ReturnType<Validator>): void => {
  if (!faults) return;
  const words = Object.entries(sentencesOf(faults)).map(([at, messages]) => `${at} ${messages.join(', ')}`);
  throw new Refusal(400, `${place}: ${words.slice(0, 5).join('; ')}`);
};

/** Query parameters are text; those that are whole numbers in the contract are read as such. */
const valuesOf = (query: URLSearchParams, fields: CoreOperation['query'] = {}): Record<string, unknown> =>
  Object.fromEntries(
    [...query].map(([name, value]) => {
      const { type } = (fields[name]?.schema ?? {}) as { readonly type?: string };
      return [name, type === 'integer' && /^\d{1,9}$/.test(value) ? Number(value) : value];
    }),
  );

export const askedOf = (
  matched: Matched,
  { psuId, body, at, isLate }: Pick<Asked, 'psuId' | 'body' | 'at' | 'isLate'>,
): Asked => {
  const route = routeOf.get(matched.id);
  if (!route) throw new Refusal(404, 'there is no such operation');
  if (route.operation.ofHolder && !isBankId(psuId))
    throw new Refusal(400, `the header ${PSU_ID} must be 1 to 128 visible characters`);
  const query = valuesOf(matched.query, route.operation.query);
  refuseFaults('query', route.checkQuery(query));
  if (route.checkBody) refuseFaults('body', route.checkBody(body));
  return { params: matched.params, query, body, psuId, at, isLate } as Asked;
};
