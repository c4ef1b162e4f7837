/** The headers that the operations of an area share. A page describes them once, and each operation leads there. */
import type { Field, Operation } from '../../http/operation.js';

export interface HeaderGroup {
  readonly id: string;
  readonly title: string;
  readonly purpose: string;
  readonly fields: readonly Field[];
}

const everyCall: ReadonlySet<string> = new Set([
  'X-Request-ID',
  'Ocp-Apim-Subscription-Key',
  'Authorization',
  'Sandbox-Scenario',
]);
const signature: ReadonlySet<string> = new Set(['Digest', 'Signature', 'TPP-Signature-Certificate']);

const kinds = [
  {
    id: 'headers-call',
    title: 'Every call',
    purpose: 'What tells the bank which call this is and who makes it.',
    has: (name: string) => everyCall.has(name),
  },
  {
    id: 'headers-signature',
    title: 'Signature',
    purpose: 'For a signed request. They go together: all of them, or none.',
    has: (name: string) => signature.has(name),
  },
  {
    id: 'headers-account-holder',
    title: 'Account holder',
    purpose: 'What you know of the request that the account holder made to you, if there was one.',
    has: (name: string) => name.startsWith('PSU-'),
  },
] as const;

/** Two headers are the same if a reader could not tell them apart. */
const isSame = (one: Field, other: Field): boolean => JSON.stringify(one) === JSON.stringify(other);

const takes = ({ headers }: Operation, field: Field): boolean => headers.some((each) => isSame(each, field));

/** Only headers that more than one operation takes; the others are described with their operation. */
export const headerGroupsOf = (operations: readonly Operation[]): readonly HeaderGroup[] => {
  const different = operations
    .flatMap(({ headers }) => headers)
    .filter((field, index, all) => all.findIndex((each) => isSame(each, field)) === index);
  const shared = different.filter(
    (field) => operations.filter((operation) => takes(operation, field)).length > 1,
  );
  return kinds
    .map(({ has, ...kind }) => ({ ...kind, fields: shared.filter(({ name }) => has(name)) }))
    .filter(({ fields }) => fields.length > 0);
};

/** The groups an operation takes as a whole, and the headers that are left to itself. */
export const headersOf = (
  operation: Operation,
  groups: readonly HeaderGroup[],
): { readonly groups: readonly HeaderGroup[]; readonly own: readonly Field[] } => {
  const taken = groups.filter(({ fields }) => fields.every((field) => takes(operation, field)));
  const described = taken.flatMap(({ fields }) => fields);
  return {
    groups: taken,
    own: operation.headers.filter((field) => !described.some((each) => isSame(each, field))),
  };
};
