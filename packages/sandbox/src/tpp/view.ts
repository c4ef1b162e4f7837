/** A walk as its page shows it: which step it is, what can be done now, and what has happened so far. */
import type { ConsentId } from 'trapeza/base';
import type { DemoPsu } from '../bank/people.js';
import type { Capabilities } from './capabilities.js';
import type { Flow, FlowCall, FormField } from './flows/flow.js';
import { flowOf } from './flows/index.js';
import type { Webhook } from './news/webhooks.js';
import { type Entries, isFinal, type Stage, type Walk, type Way } from './walk.js';

export const wayNames: Readonly<Record<Way, string>> = { one: 'In one redirect', two: 'In two redirects' };

const stepTitles = {
  two: ['Push the request', 'Log in at the bank', 'Create the consent', 'Approve at the bank'],
  one: ['Push the request', 'Log in and approve at the bank'],
} as const satisfies Record<Way, readonly string[]>;

const positions: Readonly<Record<Way, Partial<Record<Stage, number>>>> = {
  two: { request: 0, login: 1, consent: 2, approval: 3 },
  one: { request: 0, login: 1 },
};

type StepState = 'done' | 'now' | 'next';

/** What the third party does next with the permission; undefined if only its end is left. */
const nextCall = ({ done = [] }: Walk, { calls }: Flow, { has }: Capabilities): FlowCall | undefined =>
  calls.find(({ id, step, operation }) => step !== undefined && !done.includes(id) && has(operation));

const stepsOf = ({ way, stage, consent }: Walk, flow: Flow, next: FlowCall | undefined, isOver: boolean) => {
  const titles = [...stepTitles[way], ...flow.steps];
  const last = titles.length - 1;
  const use = next?.step === 'use' ? last - 1 : last;
  // A refusal ends the walk at the step in which the account holder was asked.
  const refusedAt = consent === undefined ? 1 : stepTitles[way].length - 1;
  const byStage: Partial<Record<Stage, number>> = { ...positions[way], use, refused: refusedAt };
  const position = isOver ? last : (byStage[stage] ?? 0);
  return titles.map((title, index): { title: string; state: StepState } => {
    if (index === position) return { title, state: isOver ? 'done' : 'now' };
    return { title, state: index < position ? 'done' : 'next' };
  });
};

const fieldView = (entries: Entries, field: FormField) => ({
  name: field.name,
  label: field.label,
  values: entries[field.name] ?? field.preset,
  hint: field.hint,
  choices: field.choices ?? [],
});

interface ButtonSketch {
  readonly id: string;
  readonly label: string;
  readonly words?: string;
  readonly fields?: readonly FormField[];
}

const button = (walk: Walk, { id, label, words, fields = [] }: ButtonSketch) => ({
  id,
  label,
  words,
  fields: fields.map((field) => fieldView(walk.entries, field)),
});
export type ButtonView = ReturnType<typeof button>;

export interface Group {
  readonly heading: string;
  readonly words: string;
  readonly buttons: readonly ButtonView[];
  /** The button that is the thing to do. */
  readonly primary?: string | undefined;
  readonly link?: { readonly path: string; readonly label: string };
}

export interface Now {
  readonly heading: string;
  readonly words: string;
  readonly next: string;
  /** A login is needed, by one of these people. */
  readonly isAtBank?: boolean;
  /** Nothing more comes of this walk. */
  readonly isOver?: boolean;
  readonly buttons: readonly ButtonView[];
  readonly groups: readonly Group[];
}

const toBank = 'Send the account holder to the bank';

const requestNow = (walk: Walk, flow: Flow): Now => ({
  heading: 'Push the authorization request',
  words:
    walk.way === 'one'
      ? 'The third party sends its request to the bank directly, before the browser goes there. Change it if you like; the bank says what it does not accept.'
      : 'The third party asks the bank to log the account holder in. This request goes directly from third party to bank.',
  next: 'The bank answers with a short reference, which sends the browser to the bank.',
  buttons: [
    button(walk, {
      id: 'push',
      label: 'Push the request',
      ...(walk.way === 'one' ? { fields: flow.fields } : {}),
    }),
  ],
  groups: [],
});

const loginNow = (walk: Walk): Now => ({
  heading: toBank,
  words:
    'Now you act as the account holder. You leave this site: the bank asks for your user name and password on its own page, and the third party never sees them.',
  next:
    walk.way === 'one'
      ? 'After the decision the bank sends you back here with a code, which the third party exchanges for tokens at once.'
      : 'After the login the bank sends you back here with a code, which the third party exchanges for tokens at once.',
  isAtBank: true,
  buttons: [button(walk, { id: 'bank', label: toBank })],
  groups: [],
});

const consentNow = (walk: Walk, flow: Flow): Now => ({
  heading: 'Create the consent',
  words: `The third party has a token of the account holder, but no permission yet. It asks for permission ${flow.permission}.`,
  next: 'The bank answers with the address at which the account holder decides.',
  buttons: [button(walk, { id: 'create', label: 'Create the consent', fields: flow.fields })],
  groups: [],
});

const approvalNow = (walk: Walk): Now => ({
  heading: 'Send the account holder to approve',
  words:
    'You leave this site: the bank shows who asks and for what, and asks for a one-time code. Approve, or refuse and see what the third party learns.',
  next: 'The bank sends you back here. The third party then reads the outcome from the bank.',
  isAtBank: true,
  buttons: [button(walk, { id: 'bank', label: toBank })],
  groups: [],
});

const refusedNow = (walk: Walk): Now => ({
  heading: 'The account holder did not agree',
  words:
    walk.consent === undefined
      ? 'The bank says so in the redirect: there is no code, and no token.'
      : `The consent is ${walk.consent.status}, for good. A third party may ask again, with a new consent.`,
  next: 'Begin again, and approve this time.',
  isOver: true,
  buttons: [],
  groups: [],
});

const callsGroup = (
  walk: Walk,
  flow: Flow,
  calls: readonly FlowCall[],
  consentId: ConsentId,
  next: FlowCall | undefined,
): Group => ({
  heading: flow.steps[0],
  words: 'Each of these is one call of the interface, with the access token of the login.',
  primary: next?.id,
  buttons: calls
    .filter((call) => call.place(walk, consentId) !== undefined)
    .map(({ id, label, words, fields }) => button(walk, { id, label, words, ...(fields ? { fields } : {}) })),
});

const endGroup = (walk: Walk, flow: Flow, hasDashboard: boolean, isNext: boolean): Group => ({
  heading: flow.isOneOff ? 'Or end the permission unused' : flow.steps[1],
  words: hasDashboard
    ? 'Account holders see every permission on the bank’s dashboard and can withdraw it there. Withdraw it, come back, and repeat a call: the bank refuses.'
    : 'The account holder can withdraw at any time. Withdraw, then repeat a call: the bank refuses.',
  ...(isNext ? { primary: 'withdraw' } : {}),
  buttons: [
    button(walk, { id: 'withdraw', label: 'Withdraw as the account holder' }),
    button(walk, { id: 'end', label: 'End it as the third party' }),
  ],
  ...(hasDashboard ? { link: { path: '/dashboard', label: 'Open the dashboard' } } : {}),
});

const moreGroup = (walk: Walk, { has }: Capabilities): Group => ({
  heading: 'Stay informed',
  words: 'A third party may read the status at any time; the bank also sends every change by webhook.',
  buttons: [
    button(walk, { id: 'status', label: 'Read the status' }),
    ...(has('getEvents') ? [button(walk, { id: 'feed', label: 'Read the event feed' })] : []),
  ],
});

export interface Around {
  readonly people: readonly DemoPsu[];
  readonly capabilities: Capabilities;
  readonly webhooks: readonly Webhook[];
  readonly hasDashboard: boolean;
  /** Whether webhooks reach this address. */
  readonly hasWebhook: boolean;
}

interface Progress {
  readonly next: FlowCall | undefined;
  /** The consent has ended. */
  readonly isOver: boolean;
}

const useHeading = (flow: Flow, { next, isOver }: Progress): string => {
  if (isOver) return 'The permission has ended';
  if (!flow.isOneOff || next?.step === 'use') return 'Permission granted';
  return next ? 'The order is with the bank' : 'The order is complete';
};

const useWords = (flow: Flow, { next, isOver }: Progress): string => {
  if (isOver) return 'It does not come back. The bank refuses every call that needs it: try one.';
  if (!flow.isOneOff || next?.step === 'use')
    return `The consent is Valid: the third party is allowed ${flow.permission}, and nothing else.`;
  return next
    ? 'The bank has accepted the order. It carries it out by itself; the third party reads how far it is.'
    : 'The bank has decided about the order, and that does not change any more.';
};

const useNow = (walk: Walk, flow: Flow, { capabilities, hasDashboard }: Around, progress: Progress): Now => {
  const { next, isOver } = progress;
  const calls = flow.calls.filter(({ operation }) => capabilities.has(operation));
  const isSubmitted = flow.isOneOff === true && next?.step !== 'use';
  const isComplete = isOver || (isSubmitted && !next);
  const use = callsGroup(walk, flow, calls, walk.consent?.id ?? '', isOver ? undefined : next);
  const end = endGroup(walk, flow, hasDashboard, !next);
  const [inUse, atEnd, after] = flow.next;
  return {
    heading: useHeading(flow, progress),
    words: useWords(flow, progress),
    next: isComplete ? after : next?.step === 'use' ? inUse : atEnd,
    isOver: isComplete,
    buttons: [],
    groups: [
      ...(use.buttons.length > 0 ? [use] : []),
      ...(isOver || isSubmitted ? [] : [end]),
      moreGroup(walk, capabilities),
    ],
  };
};

const nowOf = (walk: Walk, around: Around, progress: Progress): Now => {
  const flow = flowOf(walk.flow);
  switch (walk.stage) {
    case 'request':
      return requestNow(walk, flow);
    case 'login':
      return loginNow(walk);
    case 'consent':
      return consentNow(walk, flow);
    case 'approval':
      return approvalNow(walk);
    case 'refused':
      return refusedNow(walk);
    case 'use':
      return useNow(walk, flow, around, progress);
  }
};

/** The latest status that was received or read: a final status stays. */
const statusOf = (walk: Walk, webhooks: readonly Webhook[]): string | undefined => {
  const final = webhooks.find(({ isVerified, status }) => isVerified && isFinal(status) && isConsent(status));
  return final?.status ?? walk.consent?.status;
};

/** The status of a consent, not of a payment order: those are written in capitals. */
const isConsent = (status: string | undefined): boolean => status !== undefined && /[a-z]/.test(status);

const personIn = ([first]: readonly DemoPsu[]) => ({
  name: first?.name ?? '',
  username: first?.username ?? '',
  password: first?.password ?? '',
});

export const walkView = (walk: Walk, around: Around) => {
  const flow = flowOf(walk.flow);
  const status = statusOf(walk, around.webhooks);
  const next = nextCall(walk, flow, around.capabilities);
  const isSubmitted = flow.isOneOff === true && next?.step !== 'use';
  // An approval that has been used up ends too, but what counts then is the order.
  const isOver = walk.stage === 'use' && isFinal(status) && !isSubmitted;
  return {
    id: walk.id,
    title: flow.title,
    audience: flow.audience,
    way: wayNames[walk.way],
    flow: walk.flow,
    wayId: walk.way,
    steps: stepsOf(walk, flow, next, isOver || (walk.stage === 'use' && isSubmitted && !next)),
    now: nowOf(walk, around, { next, isOver }),
    consent: walk.consent && { id: walk.consent.id, status: status ?? '' },
    person: personIn(around.people),
    records: walk.records,
    latestTurn: walk.turn,
    webhooks: around.webhooks,
    tellsByWebhook: around.hasWebhook && around.capabilities.has('getEvents'),
  };
};
