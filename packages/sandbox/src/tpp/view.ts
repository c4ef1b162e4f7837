/** A walk as its page shows it: which step it is, what can be done now, and what has happened so far. */
import type { ConsentId } from 'trapeza/base';
import type { DemoPsu } from '../bank/people.js';
import { FEED } from './actions.js';
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

const USE_HEADING = 'Use the permission';
const END_HEADING = 'End the permission';

const positions: Readonly<Record<Way, Partial<Record<Stage, number>>>> = {
  two: { request: 0, login: 1, consent: 2, approval: 3, use: 4 },
  one: { request: 0, login: 1, use: 2 },
};

type StepState = 'done' | 'now' | 'next';

const stepsOf = ({ way, stage, consent }: Walk, isOver: boolean) => {
  const titles = [...stepTitles[way], USE_HEADING, END_HEADING];
  const last = titles.length - 1;
  // A refusal ends the walk at the step in which the account holder was asked.
  const refusedAt = consent === undefined ? 1 : stepTitles[way].length - 1;
  const position = isOver ? last : stage === 'refused' ? refusedAt : (positions[way][stage] ?? 0);
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
      ? 'What is wanted goes to the bank first, directly from third party to bank. Change it if you like; the bank will say what it cannot take.'
      : 'The third party asks the bank for a login of the account holder. This request goes directly from third party to bank.',
  next: 'The bank answers with a short reference. With it the browser is sent to the bank.',
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
    'Now you play the account holder. The bank asks for your name and password on its own page; the third party never sees them.',
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
  words: `The third party knows the account holder by a token now, but may do nothing yet. It asks for the permission ${flow.permission}.`,
  next: 'The bank answers with the address at which the account holder decides.',
  buttons: [button(walk, { id: 'create', label: 'Create the consent', fields: flow.fields })],
  groups: [],
});

const approvalNow = (walk: Walk): Now => ({
  heading: 'Send the account holder to approve',
  words:
    'The bank shows who asks and for what, and asks for a one-time code. Approve it, or refuse and see what the third party learns.',
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

const callsGroup = (walk: Walk, calls: readonly FlowCall[], consentId: ConsentId): Group => ({
  heading: USE_HEADING,
  words: 'Each of these is one call of the interface, with the access token of the login.',
  buttons: calls
    .filter((call) => call.path(walk, consentId) !== undefined)
    .map(({ id, label, words, fields }) => button(walk, { id, label, words, ...(fields ? { fields } : {}) })),
});

const endGroup = (walk: Walk, hasDashboard: boolean): Group => ({
  heading: END_HEADING,
  words: hasDashboard
    ? 'The account holder sees every permission on the dashboard of the bank and can withdraw it there. Withdraw, come back, and repeat a call: it is refused.'
    : 'The account holder can withdraw at any time. Withdraw, then repeat a call: it is refused.',
  buttons: [
    button(walk, { id: 'withdraw', label: 'Withdraw as the account holder' }),
    button(walk, { id: 'end', label: 'End it as the third party' }),
  ],
  ...(hasDashboard ? { link: { path: '/dashboard', label: 'Open the dashboard' } } : {}),
});

const moreGroup = (walk: Walk, { has }: Capabilities): Group => ({
  heading: 'Stay informed',
  words: 'A third party may ask for the status at any time; changes are also sent by webhook.',
  buttons: [
    button(walk, { id: 'status', label: 'Read the status' }),
    ...(has('GET', FEED) ? [button(walk, { id: 'feed', label: 'Read the event feed' })] : []),
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

const useNow = (walk: Walk, flow: Flow, { capabilities, hasDashboard }: Around, isOver: boolean): Now => {
  const calls = flow.calls.filter(({ method, template }) => capabilities.has(method, template));
  const [use, end, more] = [
    callsGroup(walk, calls, walk.consent?.id ?? ''),
    endGroup(walk, hasDashboard),
    moreGroup(walk, capabilities),
  ];
  return {
    heading: isOver ? 'The permission is over' : 'The third party is allowed',
    words: isOver
      ? 'It does not come back. Every call that needs it is refused from now on: try one.'
      : `The consent is Valid: the third party is allowed ${flow.permission}, and nothing else.`,
    next: isOver
      ? 'Try another flow, or look at the problem that a refused call is answered with.'
      : 'Use it as often as you like, then let the account holder withdraw it.',
    isOver,
    buttons: [],
    groups: [...(use.buttons.length > 0 ? [use] : []), ...(isOver ? [more] : [end, more])],
  };
};

const nowOf = (walk: Walk, around: Around, isOver: boolean): Now => {
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
      return useNow(walk, flow, around, isOver);
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
  const isOver = walk.stage === 'use' && isFinal(status);
  return {
    id: walk.id,
    title: flow.title,
    audience: flow.audience,
    way: wayNames[walk.way],
    flow: walk.flow,
    wayId: walk.way,
    steps: stepsOf(walk, isOver),
    now: nowOf(walk, around, isOver),
    consent: walk.consent && { id: walk.consent.id, status: status ?? '' },
    person: personIn(around.people),
    records: walk.records,
    latestTurn: walk.turn,
    webhooks: around.webhooks,
    tellsByWebhook: around.hasWebhook && around.capabilities.has('GET', FEED),
  };
};
