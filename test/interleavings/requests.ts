/** What a third party or an account holder asks of a node: each request is a list of steps, as its handler has them. */
import type { Step } from './explore.js';
import {
  type Act,
  type Actor,
  type Answer,
  type Consent,
  moved,
  movedOrder,
  newOrder,
  type Request,
  type Setting,
  type Settled,
  settled,
  statusOn,
  type World,
  withActor,
  withFault,
} from './world.js';

/** A step of a request: the world afterwards, and an answer if the handler ends with it. */
interface Taken {
  readonly world: World;
  readonly request?: Partial<Request>;
  readonly answer?: Answer;
}
type Handle = (setting: Setting, world: World, request: Request, actor: Actor) => readonly Taken[];

/** How many reads a day the consent allows while its account holder is away. */
const READS = 1;

const readConsent: Handle = (_setting, world) => [
  { world, request: { bankNow: world.day, seen: world.consent } },
];

/** What a decision of an account holder rests on is read in its transaction. */
const readTime: Handle = (_setting, world) => [{ world, request: { bankNow: world.day } }];

const seenBy = ({ seen }: Request): Consent => {
  if (!seen) throw new Error('the consent was not read');
  return seen;
};

const replay: Handle = (_setting, world, _request, { kept }) => [
  { world, ...(kept ? { answer: kept } : {}) },
];

const openFault = (consent: Consent, day: number): Answer | undefined => {
  if (consent.isSubmitted) return 'submitted';
  return statusOn(consent, day) === 'Valid' ? undefined : 'not-valid';
};

const checkOpen: Handle = (_setting, world, request) => {
  const answer = openFault(seenBy(request), request.bankNow);
  return [{ world, request: { seen: null }, ...(answer ? { answer } : {}) }];
};

/** Steps between which nothing can happen. */
const then =
  (...handles: readonly Handle[]): Handle =>
  (setting, world, request, actor) => {
    let last: Taken = { world, request };
    for (const handle of handles) {
      const [taken] = handle(setting, last.world, { ...request, ...last.request }, actor);
      last = { ...taken, world, request: { ...last.request, ...taken?.request } };
      if (last.answer) break;
    }
    return [last];
  };

/** `once`: the id is taken in the transaction of the effect, which keeps the answer. */
const once =
  (effect: Handle): Handle =>
  (setting, world, request, actor) => {
    if (actor.kept && setting.without !== 'id-taken-in-transaction') return [{ world, answer: actor.kept }];
    return effect(setting, world, request, actor);
  };

const used = (world: World): World =>
  world.isEndHeard ? withFault(world, 'used after its end was acknowledged') : world;

const submit: Handle = (setting, world, { bankNow }) => {
  const { consent } = world;
  const { without } = setting;
  const isValid = consent.status === 'Valid' && (consent.expiresAt ?? bankNow + 1) > bankNow;
  if (!isValid && without !== 'use-checks-status')
    return [{ world, answer: openFault(consent, bankNow) ?? 'busy' }];
  if (consent.isSubmitted && without !== 'use-checks-submitted') return [{ world, answer: 'submitted' }];
  const order = { ...newOrder, ...(setting.isRemote ? {} : { isSent: true }) };
  const next = used({ ...world, order, consent: { ...consent, isSubmitted: true, expiresAt: null } });
  if (setting.isRemote) return [{ world: next, answer: 'done' }];
  return (['ACSP', 'ACSC', 'RJCT'] as const).map((status) => ({
    world: movedOrder(setting, booked(next, status), 'RCVD', status),
    answer: 'done',
  }));
};

/** The bank carries it out. */
export const booked = (world: World, status: Settled): World => ({
  ...world,
  core: { ...world.core, carriedOut: world.core.carriedOut + 1, status },
});

const end: Handle = (setting, world, request) => {
  const { bankNow } = request;
  const { status, world: next } = settled(setting, world, seenBy(request), bankNow);
  if (setting.rules.isFinal(status)) return [{ world: next, answer: 'done' }];
  const ended = moved(setting, next, status, 'TerminatedByTpp', 'tpp');
  if (ended) return [{ world: ended, answer: 'done' }];
  return [{ world: next, answer: setting.rules.isFinal(next.consent.status) ? 'done' : 'busy' }];
};

const refuseSubmitted: Handle = (_setting, world, request) => [
  { world, ...(seenBy(request).isSubmitted ? { answer: 'submitted' as const } : {}) },
];

const checkUsable: Handle = (setting, world, request) => {
  if (statusOn(seenBy(request), request.bankNow) !== 'Valid') return [{ world, answer: 'not-valid' }];
  const isCountedHere = setting.without === 'read-counts-in-transaction' && world.uses >= READS;
  const forgotten = { seen: null, bankNow: 0 };
  return [{ world, request: forgotten, ...(isCountedHere ? { answer: 'exhausted' as const } : {}) }];
};

const recordUse: Handle = ({ without }, world) => {
  if (world.consent.status !== 'Valid' && without !== 'read-checks-status')
    return [{ world, answer: 'not-valid' }];
  if (world.uses >= READS && without !== 'read-counts-in-transaction')
    return [{ world, answer: 'exhausted' }];
  return [{ world: used({ ...world, uses: Math.min(world.uses + 1, READS + 1) }), answer: 'done' }];
};

const askRenewal: Handle = (_setting, world) => {
  const { consent, renewals } = world;
  if (consent.status !== 'Valid') return [{ world, answer: 'not-valid' }];
  const next = { ...world, renewals: renewals + 1, consent: { ...consent, renewal: renewals + 1 } };
  return [{ world: next, answer: 'done' }];
};

const mayRenew: Handle = (_setting, world, request) => [
  {
    world,
    request: { seen: null, bankNow: 0 },
    ...(statusOn(seenBy(request), request.bankNow) === 'Valid' ? {} : { answer: 'not-valid' as const }),
  },
];

const approve: Handle = (setting, world, { bankNow, shown }) => {
  const { consent } = world;
  const { status, world: next } = settled(setting, world, consent, bankNow);
  const isRenewal = status === 'Valid' && consent.renewal > 0;
  if (status !== 'Received' && !isRenewal) return [{ world: next, answer: 'decided' }];
  if (shown !== consent.renewal && setting.without !== 'approval-checks-hash')
    return [{ world: next, answer: 'changed' }];
  const held = shown === consent.renewal ? next : withFault(next, 'approved what was not shown');
  if (isRenewal) return [{ world: { ...held, consent: { ...held.consent, renewal: 0 } }, answer: 'done' }];
  const valid = moved(setting, held, 'Received', 'Valid', 'psu');
  if (!valid) return [{ world: next, answer: 'decided' }];
  const expiresAt = setting.kind === 'payment' ? bankNow + 1 : consent.expiresAt;
  return [{ world: { ...valid, consent: { ...valid.consent, expiresAt } }, answer: 'done' }];
};

const endByPsu =
  (from: 'Received' | 'Valid', to: 'Rejected' | 'RevokedByPsu'): Handle =>
  (setting, world, { bankNow }) => {
    if (world.consent.isSubmitted && setting.without !== 'move-checks-submitted')
      return [{ world, answer: 'submitted' }];
    const { status, world: next } = settled(setting, world, world.consent, bankNow);
    const ended = status === from ? moved(setting, next, from, to, 'psu') : undefined;
    return [ended ? { world: ended, answer: 'done' } : { world: next, answer: 'decided' }];
  };

const handlers: Readonly<Record<Act, readonly Handle[]>> = {
  submit: [readConsent, then(replay, checkOpen), once(submit)],
  delete: [replay, then(readConsent, refuseSubmitted), once(end)],
  use: [then(readConsent, checkUsable), recordUse],
  'ask-renewal': [replay, then(readConsent, mayRenew), once(askRenewal)],
  look: [(_setting, world) => [{ world, request: { shown: world.consent.renewal }, answer: 'done' }]],
  approve: [readTime, approve],
  refuse: [readTime, endByPsu('Received', 'Rejected')],
  withdraw: [readTime, endByPsu('Valid', 'RevokedByPsu')],
};
/** What went wrong before it was noticed: the answer of the first attempt was looked for too early. */
const replayFirst: readonly Handle[] = [replay, then(readConsent, checkOpen), once(submit)];

const stepsOf = ({ without }: Setting, act: Act): readonly Handle[] =>
  act === 'submit' && without === 'replay-read-after-consent' ? replayFirst : handlers[act];

/** Only these are repeated under the same id. */
const isIdempotent = (act: Act): boolean => act === 'submit' || act === 'delete' || act === 'ask-renewal';

const keeperOf = ({ isSameId }: Setting, who: number): number => (isSameId ? 0 : who);

/** On whichever node: a request shares nothing with what else that node has in memory. */
const begin = (setting: Setting, world: World, who: number, act: Act, isRepeat: boolean): Step<World> => {
  const { shown } = world.actors[who] as Actor;
  const request = { act, at: 0, bankNow: 0, seen: null, shown, answer: null };
  const fresh = isRepeat || setting.isSameId ? {} : { kept: null };
  return {
    name: `${who} ${isRepeat ? 'repeats' : 'starts'} ${act}`,
    to: withActor(world, who, { request, lost: null, heard: null, ...fresh }),
  };
};

const heardOf = (setting: Setting, world: World, who: number, { act, answer, shown }: Request): World => {
  const next = withActor(world, who, {
    request: null,
    ...(setting.isBounded ? { heard: answer } : {}),
    ...(act === 'look' ? { shown } : {}),
    ...(setting.isSameId ? {} : { kept: null }),
  });
  if (answer !== 'done') return next;
  if (act === 'submit') return { ...next, isSubmissionHeard: true };
  return act === 'delete' || act === 'withdraw' || act === 'refuse' ? { ...next, isEndHeard: true } : next;
};

const goOn = (setting: Setting, world: World, who: number, request: Request): Step<World>[] => {
  const name = `${who} ${request.act} ${request.at}`;
  if (request.at === 'reply') return [{ name, to: heardOf(setting, world, who, request) }];
  const steps = stepsOf(setting, request.act);
  const keeper = keeperOf(setting, who);
  const { kept } = world.actors[keeper] as Actor;
  const taken = steps[request.at]?.(setting, world, request, world.actors[keeper] as Actor) ?? [];
  return taken.map(({ world: next, request: change, answer }) => {
    const isEffect = answer === 'done' && isIdempotent(request.act);
    const held = isEffect ? withActor(next, keeper, { kept: 'done' }) : next;
    const isWrong = kept !== null && answer !== undefined && answer !== kept;
    const going = answer
      ? answered(request, change, answer)
      : { ...request, ...change, at: Number(request.at) + 1 };
    const to = withActor(held, who, { request: going });
    return { name, to: isWrong ? withFault(to, 'refused although it had its effect') : to };
  });
};

/** Nothing but the answer is needed any more. */
const answered = (request: Request, change: Partial<Request> | undefined, answer: Answer): Request => {
  const shown = request.act === 'look' ? (change?.shown ?? -1) : -1;
  return { act: request.act, at: 'reply', bankNow: 0, seen: null, shown, answer };
};

const MAX_RENEWALS = 2;

const choicesOf = (setting: Setting, world: World, who: number): readonly Act[] => {
  const acts = setting.acts[who] ?? [];
  const { done, shown } = world.actors[who] as Actor;
  if (setting.isBounded) return acts.slice(done, done + 1);
  // What is refused after a submission is the same with every core.
  if (setting.isRemote && world.consent.isSubmitted) return [];
  return acts.filter(
    (act) => (act !== 'approve' || shown >= 0) && (act !== 'ask-renewal' || world.renewals < MAX_RENEWALS),
  );
};

export const requestSteps = (setting: Setting, world: World): Step<World>[] =>
  world.actors.flatMap((actor, who) => {
    const { request, lost, done } = actor;
    if (request) return goOn(setting, world, who, request);
    if (lost) {
      const repeat = begin(setting, world, who, lost, true);
      const forgotten = setting.isSameId ? {} : { kept: null };
      const gives = { name: `${who} gives up`, to: withActor(world, who, { lost: null, ...forgotten }) };
      return setting.isBounded ? [repeat] : [repeat, gives];
    }
    return choicesOf(setting, world, who).map((act) =>
      begin(setting, setting.isBounded ? withActor(world, who, { done: done + 1 }) : world, who, act, false),
    );
  });

/** The node of a request dies: whoever waits for it knows nothing. */
export const requestCrashes = (world: World): Step<World>[] =>
  world.actors.flatMap(({ request }, who) => {
    if (!request) return [];
    const lost = isIdempotent(request.act) ? request.act : null;
    return [{ name: `the node of ${who} dies`, to: withActor(world, who, { request: null, lost }) }];
  });
