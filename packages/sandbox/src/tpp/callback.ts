/** The account holder comes back. Nothing that the browser brings is believed before it fits what the third party has kept. */
import type { ConsentId } from 'trapeza/base';
import { readStatus } from './actions.js';
import { redeem } from './oauth.js';
import type { Turn } from './turn.js';
import { isFinal, noted, type RedirectRecord, type Walk } from './walk.js';
import { shortened, shownUrl } from './wire/shown.js';

export type Query = Readonly<Record<string, string | undefined>>;

/** Why a return does not fit. */
export type Misfit = 'stranger' | 'used' | 'foreign-consent';

type Expected = NonNullable<Walk['expected']>;
type Check = RedirectRecord['checks'][number];

export const walkIdOf = ({ state = '' }: Query): string => state.split('.')[0] ?? '';

export const misfitOf = ({ expected, consent }: Walk, query: Query): Misfit | undefined => {
  if (!expected || expected.state !== query.state) return 'used';
  if (expected.kind === 'decision') return query.consentId === consent?.id ? undefined : 'foreign-consent';
  return query.code === undefined && query.error === undefined ? 'used' : undefined;
};

const MAX_SHOWN = 300;

const parameterWords: Readonly<Record<string, string>> = {
  code: 'Worth nothing without the verifier and the secret of the third party.',
  state: 'What the third party gave along; it must come back unchanged.',
  iss: 'Who answers: it must be the bank that was asked.',
  error: 'Why there is no code.',
  error_description: 'The same in words, for developers.',
  consentId: 'Which consent it was about.',
  result: 'What happened: approved, refused, failed or expired. A hint for the next page, no proof.',
};

const words: Readonly<Record<Expected['kind'], string>> = {
  code: 'The bank sends the browser to the registered address of the third party.',
  decision:
    'The bank sends the browser back with the id of the consent and the result. What a browser carries could be made up, so the third party reads the status from the API.',
};

const checksOf = async (turn: Turn, { kind }: Expected, { iss }: Query): Promise<Check[]> => {
  const state = { words: 'The state is the one that was sent along.', isFine: true };
  if (kind === 'decision')
    return [state, { words: 'The consent is the one that was created.', isFine: true }];
  if (iss === undefined) return [state];
  const { metadata } = await turn.parts.capabilities(turn.baseUrl);
  return [state, { words: 'The issuer is the bank that was asked.', isFine: iss === metadata.issuer }];
};

const noteReturn = async (turn: Turn, expected: Expected, query: Query): Promise<URL> => {
  const url = new URL(turn.redirectUri);
  const known = Object.keys(parameterWords).filter((name) => query[name] !== undefined);
  for (const name of known) url.searchParams.set(name, query[name] ?? '');
  turn.walk = noted(turn.walk, {
    kind: 'redirect',
    title: 'Back from the bank',
    words: words[expected.kind],
    url: shownUrl(url).slice(0, 3 * MAX_SHOWN),
    parameters: known.map((name) => {
      const value = (query[name] ?? '').slice(0, MAX_SHOWN);
      return { name, value: name === 'code' ? shortened(value) : value, words: parameterWords[name] ?? '' };
    }),
    checks: await checksOf(turn, expected, query),
  });
  return url;
};

const settle = async (turn: Turn, consentId: ConsentId, expected: Expected): Promise<void> => {
  const status = await readStatus(turn, consentId);
  if (status === 'Valid') return turn.change({ stage: 'use' });
  if (isFinal(status)) return turn.change({ stage: 'refused' });
  // Not decided yet: the account holder may go there again.
  return turn.change({ stage: 'approval', expected });
};

const withCode = async (turn: Turn, expected: Expected & { kind: 'code' }, url: URL): Promise<void> => {
  const { isDone, consentId } = await redeem(turn, url, expected);
  if (!isDone) return turn.change({ stage: 'request' });
  if (turn.walk.way === 'two') return turn.change({ stage: 'consent' });
  if (consentId === undefined) return turn.change({ stage: 'request' });
  turn.change({ consent: { id: consentId, status: 'Received' } });
  await settle(turn, consentId, expected);
};

/** Call with a walk whose return has been claimed: it is acted upon once. */
export const comeBack = async (turn: Turn, expected: Expected, query: Query): Promise<void> => {
  const url = await noteReturn(turn, expected, query);
  if (expected.kind === 'decision') return settle(turn, turn.walk.consent?.id ?? '', expected);
  if (query.error !== undefined) return turn.change({ stage: 'refused' });
  await withCode(turn, expected, url);
};
