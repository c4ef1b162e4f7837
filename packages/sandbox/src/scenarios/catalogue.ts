/**
 * Every scenario by its name. Refusals are the problems that the operations document, so a new problem is a new scenario; the
 * statuses and reasons of an order are those of the demo bank.
 */
import { type Operation, type ProblemSlug, problemSlugs } from 'trapeza/base';
import { orderStatuses } from 'trapeza/extend';
import { type OrderWish, rejectReasons } from '../bank/payments/reject.js';

/** What the core does to the call. `internal-error` is a bug in the place of the core. */
export const coreFaults = {
  'core-late': 'The core takes half of the time that a call has. The answer is the usual one.',
  'core-timeout': 'The core does not answer within the time that a call has: 408 processing-timeout.',
  'core-down': 'The core cannot be reached: 503 dependency-unavailable.',
  'core-garbage': 'The core answers something that nobody can read: 503 dependency-unavailable.',
  'internal-error': 'A bug in the service: 500 internal-error.',
} as const;
export type CoreFault = keyof typeof coreFaults;

/** The call has its effect, and the caller does not get to know it. */
export const lostAnswers = {
  'answer-lost': 'The call is carried out, then the connection breaks without an answer.',
  'answer-timeout': 'The call is carried out, then its time is over: 408 processing-timeout.',
} as const;
export type LostAnswer = keyof typeof lostAnswers;

const isIn = <T extends object>(list: T, name: string): name is string & keyof T => Object.hasOwn(list, name);

export const isCoreFault = (name: string): name is CoreFault => isIn(coreFaults, name);
export const isLostAnswer = (name: string): name is LostAnswer => isIn(lostAnswers, name);

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
  ...Object.keys(coreFaults),
  ...Object.keys(lostAnswers),
  ...(id === 'submitPayment' ? orderWishes.keys() : []),
];
