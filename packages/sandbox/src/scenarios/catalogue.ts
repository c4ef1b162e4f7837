/**
 * Every scenario by its name. Refusals are the problems that the operations document, so a new problem is a new scenario; the
 * statuses and reasons of an order are those of the demo bank.
 */
import { type Operation, type ProblemSlug, problemSlugs } from 'trapeza/base';
import { orderStatuses } from 'trapeza/extend';
import { type OrderWish, rejectReasons } from '../bank/payments/reject.js';

/** What the core does to the call. `internal-error` is a bug in the place of the core. */
export const coreFaults = [
  'core-late',
  'core-timeout',
  'core-down',
  'core-garbage',
  'internal-error',
] as const;
export type CoreFault = (typeof coreFaults)[number];

/** The call has its effect, and the caller does not get to know it. */
export const lostAnswers = ['answer-lost', 'answer-timeout'] as const;
export type LostAnswer = (typeof lostAnswers)[number];

export const isCoreFault = (name: string): name is CoreFault => coreFaults.some((each) => each === name);
export const isLostAnswer = (name: string): name is LostAnswer => lostAnswers.some((each) => each === name);

export const refusals: readonly ProblemSlug[] = problemSlugs.filter((slug) => !isCoreFault(slug));
export const isRefusal = (name: string): name is ProblemSlug => refusals.some((slug) => slug === name);

const wishesFor = (status: (typeof orderStatuses)[number]): readonly (readonly [string, OrderWish])[] =>
  status === 'RJCT'
    ? rejectReasons.map((reason) => [`order-RJCT-${reason.code}`, { status, reason }])
    : [[`order-${status}`, { status }]];

export const orderWishes: ReadonlyMap<string, OrderWish> = new Map(orderStatuses.flatMap(wishesFor));

/** The names that an operation takes. An order is submitted by one operation alone. */
export const scenariosOf = ({ id }: Pick<Operation, 'id'>): readonly string[] => [
  ...refusals,
  ...coreFaults,
  ...lostAnswers,
  ...(id === 'submitPayment' ? orderWishes.keys() : []),
];
