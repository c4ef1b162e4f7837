/** The acts and lists that are values, by their exports: their methods have these names. */
import type { AnyAct, Context } from '../acts/act.js';
import type { AnyList } from '../acts/list.js';
import { isList, type Methods, methodsOf } from '../acts/methods.js';
import * as atms from '../atms/acts.js';
import * as events from '../events/acts.js';
import * as maintenance from '../gate/acts.js';
import * as signingKeys from '../oauth/acts.js';
import * as payments from '../payment/acts.js';
import * as statistics from '../statistics/acts.js';
import * as parties from '../tpp/acts.js';
import * as desk from './acts.js';

export const derived = {
  ...atms,
  ...events,
  ...maintenance,
  ...signingKeys,
  ...payments,
  ...statistics,
  ...parties,
  ...desk,
};

/** By the names of their exports. */
export const derivedActs: readonly (readonly [string, AnyAct])[] = Object.entries<AnyAct | AnyList>(
  derived,
).flatMap(([method, each]) => (isList(each) ? [] : [[method, each] as const]));

export const actNamed = (name: string): AnyAct | undefined =>
  derivedActs.find(([, act]) => act.name === name)?.[1];

/** What the acts that are still written as methods are added to. */
export const DerivedMethods = class {
  constructor(context: Context) {
    Object.assign(this, methodsOf(derived, context));
  }
} as new (
  context: Context,
) => Methods<typeof derived>;
