/** Acts and lists as methods for embedders: each has the name of its export. */
import type { About, Act, AnyAct, Context, Fields, Input } from './act.js';
import type { AnyList, List } from './list.js';
import { runAct } from './run-act.js';

type Given<F extends Fields> = object extends Input<F> ? [input?: Input<F>] : [input: Input<F>];

type Method<Derived> =
  Derived extends List<infer Row>
    ? () => Promise<readonly Row[]>
    : Derived extends Act<infer A extends About, infer F extends Fields, infer Result, infer _Prepared>
      ? A extends 'new'
        ? (...given: Given<F>) => Promise<Result>
        : (id: string, ...given: Given<F>) => Promise<Result>
      : never;

export type Module = Readonly<Record<string, AnyAct | AnyList>>;
export type Methods<M> = { readonly [Name in keyof M]: Method<M[Name]> };

export const isList = (derived: AnyAct | AnyList): derived is AnyList => 'rows' in derived;

const methodOf = (context: Context, derived: AnyAct | AnyList) => {
  if (isList(derived)) return () => derived.rows(context);
  if (derived.about === 'new') return (input: object = {}) => runAct(context, derived, '', input);
  return (id: string, input: object = {}) => runAct(context, derived, id, input);
};

export const methodsOf = <M extends Module>(module: M, context: Context): Methods<M> =>
  Object.fromEntries(
    Object.entries(module).map(([name, derived]) => [name, methodOf(context, derived)]),
  ) as Methods<M>;
