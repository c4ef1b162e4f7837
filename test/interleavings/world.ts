/**
 * The world of the model: the rows of the store, the core, two actors with a request each, and what three nodes have in memory.
 * One step is one transaction, statement or call of the product.
 */
import { isFinal, mayMove, statusAt } from '../../src/consent/lifecycle.js';
import type { ConsentStatus } from '../../src/consent/record.js';
import { DAY } from '../../src/lib/clock.js';
import { isOver, mayFollow } from '../../src/payment/lifecycle.js';
import type { OrderStatus } from '../../src/payment/record.js';

export type Act = 'submit' | 'delete' | 'use' | 'ask-renewal' | 'look' | 'approve' | 'refuse' | 'withdraw';
/** `done` is an acknowledgement; the others refuse. */
export type Answer = 'done' | 'submitted' | 'not-valid' | 'busy' | 'decided' | 'changed' | 'exhausted';

export interface Consent {
  readonly status: ConsentStatus;
  readonly expiresAt: number | null;
  readonly isSubmitted: boolean;
  /** Which renewal is open: each has another hash. 0: none. */
  readonly renewal: number;
}

export interface Order {
  readonly status: OrderStatus;
  readonly look: 'now' | 'later' | null;
  readonly isSent: boolean;
  readonly claim: { readonly by: number; readonly isOver: boolean } | null;
  readonly isUnresolved: boolean;
  /** An operator has it tried again, and whether it was sent because of that. */
  readonly isRetried: boolean;
  readonly isResent: boolean;
}

export type Settled = 'ACSP' | 'ACSC' | 'RJCT';

/** The bank: it carries out a payment as often as it is told to. */
export interface Core {
  readonly carriedOut: number;
  readonly status: Settled | null;
  /** An instruction of a node that has died since. */
  readonly isStray: boolean;
}

export interface Request {
  readonly act: Act;
  /** Of its next step; `reply` is the last. */
  readonly at: number | 'reply';
  readonly bankNow: number;
  readonly seen: Consent | null;
  /** The hash of the page. */
  readonly shown: number;
  readonly answer: Answer | null;
}

export interface Actor {
  readonly request: Request | null;
  /** Without an answer: to be repeated with the same id. */
  readonly lost: Act | null;
  /** What the account holder has seen last; -1: nothing. */
  readonly shown: number;
  /** What the store keeps under the id of the request. */
  readonly kept: Answer | null;
  /** Only of a bounded run: what was done, and the last answer. */
  readonly done: number;
  readonly heard: Answer | null;
}

/** A turn of a node with one order. */
export interface Turn {
  readonly at: 'seen' | 'claimed' | 'telling' | 'asking' | 'absent' | 'renewed' | 'heard';
  readonly seen: Order;
  /** The own claim has run out. */
  readonly isLate: boolean;
  readonly heard: Settled | 'unknown' | 'absent' | null;
}

export interface World {
  /** Days of bank time. */
  readonly day: number;
  readonly consent: Consent;
  readonly order: Order | null;
  readonly core: Core;
  readonly uses: number;
  readonly renewals: number;
  readonly actors: readonly [Actor, Actor];
  readonly turns: readonly (Turn | null)[];
  /** What an operator has found at the core, to settle an unresolved order. */
  readonly foundByHand: 'ACSC' | 'RJCT' | null;
  readonly crashes: number;
  /** What was acknowledged, and what must never have happened. */
  readonly isSubmissionHeard: boolean;
  readonly isEndHeard: boolean;
  readonly faults: readonly string[];
}

/** The guards of the product. A model without one of them must break a rule. */
export const guards = [
  'use-checks-status',
  'use-checks-submitted',
  'move-checks-submitted',
  'read-checks-status',
  'read-counts-in-transaction',
  'approval-checks-hash',
  'id-taken-in-transaction',
  'replay-read-after-consent',
  'claim-marks-sent',
  'claim-on-fresh-view',
  'tells-only-with-claim',
  'renewal-needs-claim',
  'asks-before-telling-again',
  'unresolved-is-not-told',
  'resent-is-looked-up-again',
  'move-checks-order-status',
  'postpones-only-own-claim',
  'settle-reads-again',
] as const;
export type Guard = (typeof guards)[number];

export interface Rules {
  readonly mayMove: typeof mayMove;
  readonly mayFollow: typeof mayFollow;
  readonly isFinal: typeof isFinal;
  readonly isOver: typeof isOver;
}
export const tables: Rules = { mayMove, mayFollow, isFinal, isOver };

export interface Setting {
  readonly kind: 'payment' | 'access';
  readonly initial: World;
  /** What each of the two does. */
  readonly acts: readonly [readonly Act[], readonly Act[]];
  /** Each act once, in this order, and the run ends. Otherwise any act at any time, and time passes. */
  readonly isBounded: boolean;
  /** Both send the same request under the same id. */
  readonly isSameId: boolean;
  readonly maxCrashes: number;
  readonly maxDays: number;
  /** Nodes that speak to a remote core; without, books in the transaction of the submission. */
  readonly isRemote: boolean;
  readonly without?: Guard;
  readonly rules: Rules;
}

const idle: Actor = { request: null, lost: null, shown: -1, kept: null, done: 0, heard: null };

export const worldWith = (consent: Partial<Consent>, order: Order | null = null, nodes = 3): World => ({
  day: 0,
  consent: { status: 'Received', expiresAt: null, isSubmitted: false, renewal: 0, ...consent },
  order,
  core: { carriedOut: 0, status: null, isStray: false },
  uses: 0,
  renewals: 0,
  actors: [idle, idle],
  turns: Array.from({ length: nodes }, () => null),
  foundByHand: null,
  crashes: 0,
  isSubmissionHeard: false,
  isEndHeard: false,
  faults: [],
});

export const newOrder: Order = {
  status: 'RCVD',
  look: 'now',
  isSent: false,
  claim: null,
  isUnresolved: false,
  isRetried: false,
  isResent: false,
};

export const withFault = (world: World, fault: string): World => ({
  ...world,
  faults: [...world.faults, fault],
});

/** As the product asks: the first day is the one of the request. */
export const statusOn = ({ status, expiresAt }: Consent, day: number): ConsentStatus =>
  statusAt({ status, createdAt: 0, expiresAt: expiresAt === null ? null : expiresAt * DAY }, day * DAY);

/** `moveConsent`: compare-and-set. Undefined if somebody else was faster. */
export const moved = (
  { rules, without }: Setting,
  world: World,
  from: ConsentStatus,
  to: ConsentStatus,
  by: Parameters<typeof mayMove>[2],
): World | undefined => {
  if (!rules.mayMove(from, to, by)) return withFault(world, 'a move that the table lacks');
  const { consent } = world;
  const isHeld = consent.isSubmitted && by !== 'bank' && without !== 'move-checks-submitted';
  return consent.status !== from || isHeld ? undefined : { ...world, consent: { ...consent, status: to } };
};

/** `settle`: what time has done is written down. The status that counts. */
export const settled = (
  setting: Setting,
  world: World,
  seen: Consent,
  day: number,
): { readonly status: ConsentStatus; readonly world: World } => {
  const status = statusOn(seen, day);
  if (status === seen.status) return { status, world };
  const next = moved(setting, world, seen.status, status, 'time');
  if (next) return { status, world: next };
  return { status: setting.without === 'settle-reads-again' ? status : world.consent.status, world };
};

/** `moveOrder`, with the end of the consent. */
export const movedOrder = (setting: Setting, world: World, seen: OrderStatus, to: Settled): World => {
  const { order } = world;
  const isSame = order?.status === seen || (order !== null && setting.without === 'move-checks-order-status');
  if (!isSame || !order) return world;
  const look = setting.rules.isOver(to) ? null : 'later';
  const sure = { isUnresolved: false, isRetried: false };
  const next: Order = { ...order, status: to, look, claim: null, ...sure };
  const changed = staled(setting, { ...world, order: next });
  if (to === seen || !setting.rules.isOver(to)) return changed;
  const ended = moved(setting, changed, 'Valid', 'Expired', 'bank');
  return ended ?? withFault(changed, 'the consent of an open order was ended by somebody else');
};

/** The order was claimed, postponed or moved: whoever has only read it will not get it any more. */
export const staled = ({ without }: Setting, world: World): World =>
  without === 'claim-on-fresh-view'
    ? world
    : { ...world, turns: world.turns.map((turn) => (turn?.at === 'seen' ? null : turn)) };

export const withTurn = (world: World, node: number, turn: Turn | null): World => ({
  ...world,
  turns: world.turns.map((each, index) => (index === node ? turn : each)),
});

export const withActor = (world: World, who: number, change: Partial<Actor>): World => {
  const [first, second] = world.actors;
  return {
    ...world,
    actors: who === 0 ? [{ ...first, ...change }, second] : [first, { ...second, ...change }],
  };
};
