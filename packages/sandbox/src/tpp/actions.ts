/** The buttons of a walk, and what the third party does when one is pressed. */
import { type ConsentId, isUuid, SECOND } from 'trapeza/base';
import type { FlowCall, FormField } from './flows/flow.js';
import { newState, push } from './oauth.js';
import type { Turn } from './turn.js';
import { type Entries, noted, type Walk } from './walk.js';
import { shownUrl } from './wire/shown.js';
import { isWithin } from './wire/wire.js';

/** Where the browser goes next, if not back to the walk. */
export type Leave = string | undefined;

/** A pushed request that is over in a moment would be refused: the visitor needs time to get there. */
const ON_THE_WAY_MS = 10 * SECOND;
const MAX_VALUES = 8;
const MAX_VALUE = 200;

/** Only the fields of the form, and of bearable length. */
const enter = (turn: Turn, fields: readonly FormField[], form: Entries): void => {
  const given = fields.map(({ name }) => [
    name,
    (form[name] ?? []).slice(0, MAX_VALUES).map((value) => value.slice(0, MAX_VALUE)),
  ]);
  turn.change({ entries: { ...turn.walk.entries, ...Object.fromEntries(given) } });
};

const parameterWords: Readonly<Record<string, string>> = {
  client_id: 'Who asks.',
  request_uri: 'The reference to the pushed request; everything else is kept at the bank.',
};

const leaveTo = (turn: Turn, title: string, words: string, target: string): Leave => {
  if (!isWithin(turn.baseUrl, target)) return undefined;
  const url = new URL(target);
  turn.walk = noted(turn.walk, {
    kind: 'redirect',
    title,
    words,
    url: shownUrl(url),
    parameters: [...url.searchParams].map(([name, value]) => ({
      name,
      value,
      words: parameterWords[name] ?? '',
    })),
    checks: [],
  });
  return target;
};

const toLogin = async (turn: Turn): Promise<Leave> => {
  const { pushed } = turn.walk;
  const isLate = !pushed || pushed.goodUntil <= turn.parts.clock.now() + ON_THE_WAY_MS;
  if (isLate && !(await push(turn))) return undefined;
  const words =
    turn.walk.way === 'one'
      ? 'The account holder logs in, sees what is asked and by whom, and approves or refuses: all in this visit.'
      : 'The account holder logs in. A login alone opens nothing: no account can be read with it.';
  return leaveTo(turn, 'Redirect to the bank', words, turn.walk.pushed?.url ?? '');
};

const toApproval = (turn: Turn): Leave =>
  leaveTo(
    turn,
    'Redirect to the approval',
    'The address that the bank has answered with. The account holder sees exactly what is asked and by whom, and approves with a one-time code, or refuses.',
    turn.walk.consent?.scaRedirect ?? '',
  );

export const toBank = async (turn: Turn): Promise<Leave> => {
  if (turn.walk.stage === 'login') return toLogin(turn);
  return turn.walk.stage === 'approval' ? toApproval(turn) : undefined;
};

const begin = async (turn: Turn, form: Entries): Promise<Leave> => {
  if (turn.walk.stage !== 'request') return undefined;
  if (turn.walk.way === 'one') enter(turn, turn.flow.fields, form);
  await push(turn);
  return undefined;
};

const scaRedirectOf = (links: unknown): string => {
  const { scaRedirect } = (links ?? {}) as { scaRedirect?: { href?: unknown } };
  return typeof scaRedirect?.href === 'string' ? scaRedirect.href : '';
};

const create = async (turn: Turn, form: Entries): Promise<Leave> => {
  if (turn.walk.stage !== 'consent') return undefined;
  enter(turn, turn.flow.fields, form);
  const state = newState(turn.walk.id);
  const answer = await turn.call(
    {
      title: 'Create the consent',
      words: `The third party asks for permission ${turn.flow.permission}. Nothing is allowed yet: the consent is Received, and the answer says where the account holder decides.`,
    },
    turn.flow.operations.create,
    {
      headers: { 'TPP-Redirect-URI': turn.redirectUri, 'TPP-State': state },
      body: turn.flow.body(turn.walk.entries),
    },
  );
  const { consentId, consentStatus, _links } = answer?.json ?? {};
  if (answer?.status !== 201 || typeof consentId !== 'string') return undefined;
  turn.change({
    stage: 'approval',
    consent: { id: consentId, status: String(consentStatus), scaRedirect: scaRedirectOf(_links) },
    expected: { kind: 'decision', state },
  });
  return undefined;
};

const idIn = ({ flow }: Turn, consentId: ConsentId) => ({ [flow.idName]: consentId });

/** Reads the status: the only thing that counts, whatever the redirect has said. */
export const readStatus = async (turn: Turn, consentId: ConsentId): Promise<string | undefined> => {
  const answer = await turn.call(
    {
      title: 'Read the status of the consent',
      words: 'What the browser brings back is no proof. The outcome is read from the bank.',
    },
    turn.flow.operations.status,
    { params: idIn(turn, consentId) },
  );
  const status = answer?.status === 200 ? answer.json.status : undefined;
  if (typeof status !== 'string') return undefined;
  turn.change({ consent: { ...turn.walk.consent, id: consentId, status } });
  return status;
};

const use = async (turn: Turn, call: FlowCall, consentId: ConsentId, form: Entries): Promise<Leave> => {
  if (call.fields) enter(turn, call.fields, form);
  const place = call.place(turn.walk, consentId);
  if (!place) return undefined;
  const answer = await turn.call({ title: call.label, words: call.words }, call.operation, {
    ...place,
    ...(call.namesConsent ? { headers: { 'Consent-ID': consentId } } : {}),
    ...(call.body ? { body: call.body(turn.walk.entries) } : {}),
  });
  if (answer?.status === 200 && call.learn) turn.walk = call.learn(turn.walk, answer.json);
  const { done = [] } = turn.walk;
  const isSuccess = answer !== undefined && Math.floor(answer.status / 100) === 2;
  if (isSuccess && (call.isDone?.(answer.json) ?? true) && !done.includes(call.id))
    turn.change({ done: [...done, call.id] });
  return undefined;
};

const withdraw = async (turn: Turn, consentId: ConsentId): Promise<Leave> => {
  const about = {
    title: 'The account holder withdraws',
    words:
      'A control of the sandbox acts for the account holder. The bank does not ask the third party; it sends an event.',
  };
  const decide = turn.fetch(about)(`${turn.baseUrl}/sandbox/consents/${consentId}/decision`, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify({ decision: 'revoke' }),
  });
  // If there is no answer, the record says so.
  await decide.catch(() => undefined);
  return undefined;
};

const end = async (turn: Turn, consentId: ConsentId): Promise<Leave> => {
  const about = {
    title: 'End the consent',
    words: 'The third party gives the permission back, as it must when it is no longer needed.',
  };
  const answer = await turn.call(about, turn.flow.operations.end, { params: idIn(turn, consentId) });
  if (answer?.status === 204) await readStatus(turn, consentId);
  return undefined;
};

const FEED_PAGE = 50;

const lastEvent = (events: unknown): string | undefined => {
  const { id } = ((Array.isArray(events) ? events.at(-1) : undefined) ?? {}) as { id?: unknown };
  return typeof id === 'string' && isUuid(id) ? id : undefined;
};

const feed = async (turn: Turn): Promise<Leave> => {
  const about = {
    title: 'Read the event feed',
    words:
      'The same events as the webhooks, oldest first, for a third party that polls. It continues after the last event that was read.',
  };
  const query = { limit: FEED_PAGE, after: turn.walk.seenEvent };
  const answer = await turn.call(about, 'getEvents', { query });
  const last = lastEvent(answer?.json.events);
  if (last !== undefined) turn.change({ seenEvent: last });
  return undefined;
};

const isDecided = ({ stage, consent }: Walk): boolean => stage === 'use' && consent !== undefined;

/** Unknown buttons, and those of another stage, do nothing: the page was old. */
export const act = async (turn: Turn, action: string, form: Entries): Promise<Leave> => {
  if (action === 'push') return begin(turn, form);
  if (action === 'bank') return toBank(turn);
  if (action === 'create') return create(turn, form);
  const { consent } = turn.walk;
  if (!isDecided(turn.walk) || !consent) return undefined;
  switch (action) {
    case 'status':
      await readStatus(turn, consent.id);
      return undefined;
    case 'withdraw':
      return withdraw(turn, consent.id);
    case 'end':
      return end(turn, consent.id);
    case 'feed':
      return feed(turn);
  }
  const call = turn.flow.calls.find(({ id }) => id === action);
  return call && use(turn, call, consent.id, form);
};
