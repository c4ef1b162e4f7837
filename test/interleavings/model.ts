/** The model as a whole: all steps, the rules that none of them may break, and which states are the same. */

import { nodeSteps } from './dispatch.js';
import type { Model, Step } from './explore.js';
import { requestSteps } from './requests.js';
import {
  type Actor,
  newOrder,
  type Order,
  type Request,
  type Setting,
  type Turn,
  tables,
  type World,
  worldWith,
} from './world.js';

const allSteps = (setting: Setting, world: World): readonly Step<World>[] => [
  ...requestSteps(setting, world),
  ...nodeSteps(setting, world),
];

/** Written out, so that a change of the table is noticed here. */
const finalConsents = ['Rejected', 'RevokedByPsu', 'Expired', 'TerminatedByTpp'];
const finalOrders = ['ACSC', 'RJCT', 'CANC'];
const actors = ['tpp', 'psu', 'bank', 'time'] as const;

type Rule = (from: World, to: World, setting: Setting) => boolean;

const rules: Readonly<Record<string, Rule>> = {
  'a payment is carried out at most once': (_from, { core }) => core.carriedOut <= 1,
  'an acknowledged submission is never lost': (from, to) =>
    (!to.isSubmissionHeard || to.order !== null) && (from.order === null || to.order !== null),
  'a consent follows its table, and a final status stays': (
    { consent: from },
    { consent: to },
    { rules: table },
  ) =>
    from.status === to.status ||
    (!finalConsents.includes(from.status) && actors.some((by) => table.mayMove(from.status, to.status, by))),
  'an order follows its table, and a final status stays': (
    { order: from },
    { order: to },
    { rules: table },
  ) =>
    !from ||
    from.status === to?.status ||
    (!finalOrders.includes(from.status) && to !== null && table.mayFollow(from.status, to.status)),
  'an order and its consent agree': (_from, { consent, order }) =>
    order
      ? consent.isSubmitted && consent.status === (finalOrders.includes(order.status) ? 'Expired' : 'Valid')
      : !consent.isSubmitted,
  'an order ends as the core has it': (_from, { order, core }) =>
    (order?.status !== 'ACSC' || core.status === 'ACSC') &&
    (order?.status !== 'RJCT' || core.status === 'RJCT' || core.carriedOut === 0),
  'an acknowledged end is an end': (_from, { isEndHeard, consent }) =>
    !isEndHeard || finalConsents.includes(consent.status),
  'no more reads than allowed': (_from, { uses }) => uses <= 1,
};

const named = Object.entries(rules);
const broken = (setting: Setting, from: World, to: World): readonly string[] =>
  to.faults.length > 0
    ? to.faults
    : named.flatMap(([name, isKept]) => (isKept(from, to, setting) ? [] : [name]));

/** Most parts of a world are those of the world before. */
const remembered = <Part extends object>(text: (part: Part) => string): ((part: Part | null) => string) => {
  const texts = new WeakMap<Part, string>();
  return (part) => {
    if (part === null) return '';
    const known = texts.get(part) ?? text(part);
    texts.set(part, known);
    return known;
  };
};
const membersOf = remembered<object>((part) => JSON.stringify(part, Object.keys(part).toSorted()));
const requestOf = remembered<Request>(({ seen, ...request }) => membersOf(request) + membersOf(seen));
const actorOf = remembered<Actor>(({ request, ...actor }) => membersOf(actor) + requestOf(request));
const turnOf = remembered<Turn>(({ seen, ...turn }) => membersOf(turn) + membersOf(seen));
const orderOf = remembered<Order>(({ claim, ...order }) => `${membersOf(order)}${claim?.isOver}`);

/** Nodes are alike: what differs only by their numbers is the same state. */
const keyOf = (world: World): string => {
  const { day, consent, order, core, uses, renewals, actors: both, turns, foundByHand, crashes } = world;
  const by = order?.claim?.by;
  const nodes = turns.map((turn, node) => turnOf(turn) + (by === node ? '!' : '')).toSorted();
  return [
    `${day} ${uses} ${renewals} ${foundByHand} ${crashes} ${world.isSubmissionHeard} ${world.isEndHeard}`,
    membersOf(consent) + orderOf(order) + membersOf(core),
    actorOf(both[0]) + actorOf(both[1]),
    ...nodes,
  ].join();
};

export const modelOf = (setting: Setting): Model<World> => ({
  initial: setting.initial,
  steps: (world) => allSteps(setting, world),
  keyOf,
  broken: (from, to) => broken(setting, from, to),
  isEnd: ({ consent }) => setting.rules.isFinal(consent.status),
});

/** Any act at any time, on three nodes that may die at any moment. */
const always = {
  isBounded: false,
  isSameId: false,
  maxCrashes: Number.POSITIVE_INFINITY,
  maxDays: 2,
  rules: tables,
} as const;

/** The life of a payment consent up to its order, with books in our own store. */
export const paymentConsent: Setting = {
  ...always,
  kind: 'payment',
  isRemote: false,
  initial: worldWith({ status: 'Received' }),
  acts: [
    ['submit', 'delete'],
    ['look', 'approve', 'refuse', 'withdraw'],
  ],
};

/** The same request under way twice. */
export const repeatedSubmission: Setting = {
  ...paymentConsent,
  isSameId: true,
  initial: worldWith({ status: 'Valid', expiresAt: 1 }),
  acts: [['submit'], ['submit']],
};

export const accountAccess: Setting = {
  ...always,
  kind: 'access',
  isRemote: false,
  maxDays: 1,
  initial: worldWith({ status: 'Received', expiresAt: 1 }),
  acts: [
    ['use', 'delete', 'ask-renewal'],
    ['look', 'approve', 'withdraw'],
  ],
};

/** Two calls of a third party at once. */
export const callsAtOnce: Setting = {
  ...repeatedSubmission,
  isSameId: false,
  maxDays: 1,
  acts: [
    ['submit', 'delete'],
    ['submit', 'delete'],
  ],
};

/** Two reads at once. */
export const readsAtOnce: Setting = {
  ...accountAccess,
  initial: worldWith({ status: 'Valid', expiresAt: 2 }),
  acts: [
    ['use', 'delete'],
    ['use', 'delete'],
  ],
};

/** An approved payment, submitted while others end it, on its way to a remote core. */
export const remotePayment: Setting = {
  ...always,
  kind: 'payment',
  isRemote: true,
  maxDays: 0,
  initial: worldWith({ status: 'Valid', expiresAt: 1 }, null, Number(process.env.TEST_MODEL_NODES ?? 1)),
  acts: [['submit', 'delete'], ['withdraw']],
};

/** A submitted payment, which three nodes want to tell the core. */
export const submittedPayment: Setting = {
  ...remotePayment,
  initial: worldWith({ status: 'Valid', isSubmitted: true }, newOrder),
};

export const settings: Readonly<Record<string, Setting>> = {
  'a payment consent': paymentConsent,
  'a submission that is repeated': repeatedSubmission,
  'two calls about a payment': callsAtOnce,
  'an account access': accountAccess,
  'two reads at once': readsAtOnce,
  'a payment to a remote core': remotePayment,
  'an order that three nodes have': submittedPayment,
};
