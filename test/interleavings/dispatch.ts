/** What nodes do by themselves: the turn of a dispatcher with an order, the jobs, time, the operator, and the end of a node. */
import type { Step } from './explore.js';
import { booked, requestCrashes } from './requests.js';
import {
  movedOrder,
  type Order,
  type Setting,
  type Settled,
  settled,
  staled,
  statusOn,
  type Turn,
  type World,
  withTurn,
} from './world.js';

const mayClaim = (order: Order): boolean => order.claim === null || order.claim.isOver;

const read = (world: World, node: number): Step<World>[] => {
  const { order } = world;
  if (order?.look !== 'now' || !mayClaim(order)) return [];
  const seen = { ...order, look: null, claim: null };
  const turn: Turn = { at: 'seen', seen, isLate: false, heard: null };
  return [{ name: `${node} reads what is due`, to: withTurn(world, node, turn) }];
};

const claimed = (setting: Setting, world: World, node: number, turn: Turn): World => {
  const { order } = world;
  const { seen } = turn;
  if (!order || !mayClaim(order) || order.status !== seen.status || order.look === null)
    return withTurn(world, node, null);
  const isSent = order.isSent || setting.without !== 'claim-marks-sent';
  const next = staled(setting, { ...world, order: { ...order, isSent, claim: { by: node, isOver: false } } });
  return withTurn(next, node, { ...turn, at: 'claimed' });
};

/** In one turn of the event loop: the claim is checked and the instruction leaves. */
const tell = ({ without }: Setting, world: World, node: number, turn: Turn): World =>
  withTurn(
    world,
    node,
    turn.isLate && without !== 'tells-only-with-claim'
      ? null
      : { ...turn, at: 'telling', isLate: false, seen: { ...turn.seen, isSent: true } },
  );

const speak = (setting: Setting, world: World, node: number, turn: Turn): World => {
  const isFirst = !turn.seen.isSent || setting.without === 'asks-before-telling-again';
  if (isFirst && turn.seen.status === 'RCVD') return tell(setting, world, node, turn);
  return withTurn(world, node, {
    ...turn,
    at: 'asking',
    isLate: false,
    seen: { ...turn.seen, isSent: true },
  });
};

/** What is in process is settled later. */
const outcomes = ['ACSP', 'RJCT'] as const;

/** Each outcome, told or not; or it never arrives. */
const told = (world: World, node: number, turn: Turn): Step<World>[] => {
  const heard = (next: World, what: Turn['heard'], name: string): Step<World> => ({
    name: `${node} tells the core: ${name}`,
    to: withTurn(next, node, { ...turn, at: 'heard', heard: what }),
  });
  return [
    ...outcomes.flatMap((status) => [
      heard(booked(world, status), status, status),
      heard(booked(world, status), 'unknown', `${status}, and the answer is lost`),
    ]),
    heard(world, 'unknown', 'it never arrives'),
  ];
};

const mayBeTold = ({ isUnresolved, isRetried }: Order, without: Setting['without']): boolean =>
  !isUnresolved || isRetried || without === 'unresolved-is-not-told';

const asked = ({ rules, without }: Setting, world: World, node: number, turn: Turn): Step<World>[] => {
  const { status } = world.core;
  const { seen } = turn;
  const fault = { ...turn, at: 'heard', heard: 'unknown' } as const;
  const to = (next: Turn): World => withTurn(world, node, next);
  const absent = (): Turn => {
    const isOpen = seen.status === 'RCVD' && mayBeTold(seen, without);
    return isOpen ? { ...turn, at: 'absent' } : { ...turn, at: 'heard', heard: 'absent' };
  };
  const said = (known: Settled): Turn =>
    known === seen.status || rules.mayFollow(seen.status, known)
      ? { ...turn, at: 'heard', heard: known, seen: { ...seen, isUnresolved: false, isRetried: false } }
      : fault;
  return [
    { name: `${node} asks the core: ${status ?? 'nothing known'}`, to: to(status ? said(status) : absent()) },
    { name: `${node} asks the core in vain`, to: to(fault) },
  ];
};

/** The claim of before, even one that has run out, as long as nobody else has taken it. */
const renewed = (setting: Setting, world: World, node: number, turn: Turn): World => {
  const { order } = world;
  const { without } = setting;
  const isMine = order?.claim?.by === node || without === 'renewal-needs-claim';
  const isOpen = order?.status === 'RCVD' && mayBeTold(order, without);
  if (!order || !isMine || !isOpen) return withTurn(world, node, null);
  const claimedAgain = {
    ...order,
    claim: { by: node, isOver: false },
    isResent: order.isResent || order.isRetried,
  };
  const next = staled(setting, { ...world, order: claimedAgain });
  return withTurn(next, node, { ...turn, at: 'renewed', isLate: false });
};

const wroteDown = (setting: Setting, world: World, node: number, turn: Turn): Step<World>[] => {
  const { heard, seen } = turn;
  const rest = withTurn(world, node, null);
  const { order } = world;
  if (heard === 'ACSP' || heard === 'ACSC' || heard === 'RJCT')
    return [{ name: `${node} writes ${heard}`, to: movedOrder(setting, rest, seen.status, heard) }];
  const isMine = order?.claim?.by === node || setting.without === 'postpones-only-own-claim';
  if (!order || !isMine || order.look === null) return [{ name: `${node} has lost the order`, to: rest }];
  const postponed = (isUnresolved: boolean, isRetried: boolean): Step<World> => ({
    name: `${node} postpones${isUnresolved ? ', unresolved' : ''}${isRetried ? ', tried again' : ''}`,
    to: staled(setting, {
      ...rest,
      order: { ...order, look: 'later', claim: null, isUnresolved, isRetried },
    }),
  });
  const isUnresolved = seen.isUnresolved || heard === 'absent';
  // A retry ends by its time, or once the core has said that it does not know the payment.
  if (seen.isRetried && heard !== 'absent') return [postponed(true, true), postponed(true, false)];
  return isUnresolved || setting.isBounded
    ? [postponed(isUnresolved, false)]
    : [postponed(false, false), postponed(true, false)];
};

const turnSteps = (setting: Setting, world: World, node: number): Step<World>[] => {
  const turn = world.turns[node];
  if (!turn) return read(world, node);
  const one = (name: string, to: World): Step<World>[] => [{ name: `${node} ${name}`, to }];
  if (turn.at === 'seen') return one('claims', claimed(setting, world, node, turn));
  if (turn.at === 'claimed') return one('speaks', speak(setting, world, node, turn));
  if (turn.at === 'telling') return told(world, node, turn);
  if (turn.at === 'asking') return asked(setting, world, node, turn);
  if (turn.at === 'absent') return one('claims again', renewed(setting, world, node, turn));
  if (turn.at === 'renewed') return one('tells again', tell(setting, world, node, turn));
  return wroteDown(setting, world, node, turn);
};

/** A call ends before its claim does: nothing that was sent under it is still under way. */
const isUnderWay = ({ core, turns }: World, by: number): boolean =>
  core.isStray || turns[by]?.at === 'telling';

const lapsed = (world: World): Step<World>[] => {
  const { order } = world;
  if (!order?.claim || order.claim.isOver || isUnderWay(world, order.claim.by)) return [];
  const { by } = order.claim;
  const turn = world.turns[by];
  const next = { ...world, order: { ...order, claim: { by, isOver: true } } };
  const late =
    turn?.at === 'claimed' || turn?.at === 'renewed' ? withTurn(next, by, { ...turn, isLate: true }) : next;
  return [{ name: `the claim of ${by} runs out`, to: late }];
};

/** Books in our own store: a reader or the job asks for an open order. */
const settleLocally = (setting: Setting, world: World): Step<World>[] => {
  const { order, core } = world;
  if (setting.isRemote || order?.look !== 'now' || !core.status) return [];
  return [{ name: 'the job settles the order', to: movedOrder(setting, world, order.status, core.status) }];
};

const timeSteps = (setting: Setting, world: World): Step<World>[] => {
  const { day, consent, order, core } = world;
  const steps: Step<World>[] = [];
  if (day < setting.maxDays) steps.push({ name: 'a day passes', to: { ...world, day: day + 1 } });
  if (statusOn(consent, day) !== consent.status)
    steps.push({ name: 'the job expires', to: settled(setting, world, consent, day).world });
  if (order?.look === 'later' && !setting.isBounded)
    steps.push({
      name: 'the order is due again',
      to: staled(setting, { ...world, order: { ...order, look: 'now' } }),
    });
  if (core.status === 'ACSP' && !setting.isBounded)
    steps.push({ name: 'the core settles', to: { ...world, core: { ...core, status: 'ACSC' } } });
  return steps;
};

const straySteps = (world: World): Step<World>[] => {
  if (!world.core.isStray) return [];
  const gone = { ...world, core: { ...world.core, isStray: false } };
  return [
    { name: 'a stray instruction is lost', to: gone },
    ...outcomes.map((status) => ({
      name: `a stray instruction arrives: ${status}`,
      to: booked(gone, status),
    })),
  ];
};

/** `payments retry`, or a look at the core and `payments settle`. */
const operatorSteps = (setting: Setting, world: World): Step<World>[] => {
  const { order, core, foundByHand } = world;
  if (foundByHand) {
    const done = { ...world, foundByHand: null };
    const isFree =
      order?.isUnresolved && mayClaim(order) && setting.rules.mayFollow(order.status, foundByHand);
    if (isFree && order.isResent && foundByHand === 'RJCT' && setting.without !== 'resent-is-looked-up-again')
      return [
        {
          name: 'the operator has to look again',
          to: staled(setting, { ...done, order: { ...order, isRetried: false, isResent: false } }),
        },
      ];
    const next = isFree ? movedOrder(setting, done, order.status, foundByHand) : done;
    return [{ name: `the operator settles: ${foundByHand}`, to: next }];
  }
  if (!order?.isUnresolved || setting.isBounded) return [];
  const steps: Step<World>[] = [];
  if (core.status !== 'ACSP')
    steps.push({ name: 'the operator asks the core', to: { ...world, foundByHand: core.status ?? 'RJCT' } });
  if (mayClaim(order))
    steps.push({
      name: 'the operator has it tried again',
      to: staled(setting, { ...world, order: { ...order, look: 'now', isRetried: true } }),
    });
  return steps;
};

/** A node that dies with several things in hand is the same as each of them ending for itself. */
const crashSteps = (setting: Setting, world: World): Step<World>[] => {
  if (world.crashes >= setting.maxCrashes) return [];
  const turnCrashes = world.turns.flatMap((turn, node) => {
    if (turn === null) return [];
    const core = { ...world.core, isStray: world.core.isStray || turn.at === 'telling' };
    return [{ name: `${node} dies`, to: withTurn({ ...world, core }, node, null) }];
  });
  // Without a limit there is nothing to count, and fewer states.
  const crashes = setting.maxCrashes === Number.POSITIVE_INFINITY ? 0 : world.crashes + 1;
  return [...requestCrashes(world), ...turnCrashes].map(({ name, to }) => ({ name, to: { ...to, crashes } }));
};

export const nodeSteps = (setting: Setting, world: World): Step<World>[] => [
  ...(setting.isRemote ? world.turns.flatMap((_, node) => turnSteps(setting, world, node)) : []),
  ...lapsed(world),
  ...settleLocally(setting, world),
  ...timeSteps(setting, world),
  ...straySteps(world),
  ...operatorSteps(setting, world),
  ...crashSteps(setting, world),
];
