/** Events: the feed of one application, and signed notifications. */
import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { objectsIn } from '../bank/access.js';
import type { Bank } from '../bank/bank.js';
import { stage } from '../bank/consents.js';
import type { Answer } from '../bank/http.js';
import { type Delivery, delivery } from '../bank/receiver.js';
import { casesOf, profile, rfc, type Sketch } from '../case.js';
import { now } from '../clock.js';
import { DATE_TIME, demandStatus, isObject, type Members, membersOf } from '../shapes.js';
import { demand, NotRun, need } from '../verdict.js';

const EVENTS = '/events/psd2/v1';
const CHANGES = profile('Consents and payments, Status changes');

/** The document has no events: a bank without a feed is not judged by that. */
const feed = async (bank: Bank, query = ''): Promise<Answer> => {
  const answer = await bank.call({ path: `${EVENTS}${query}` });
  need(answer.status !== 404, `the bank has no ${EVENTS}`);
  return answer;
};

const eventsIn = (answer: Answer): readonly Members[] => objectsIn(membersOf(answer).events);

const MOST_PAGES = 50;

/** All there are. */
const wholeFeed = async (bank: Bank): Promise<readonly Members[]> => {
  const all: Members[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const last = all.at(-1)?.id;
    const answer = await feed(bank, last === undefined ? '?limit=100' : `?limit=100&after=${last}`);
    need(answer.status === 200, `the feed is answered ${answer.status}`);
    const events = eventsIn(answer);
    if (events.length === 0) return all;
    all.push(...events);
  }
  throw new NotRun('the feed has too many events');
};

/** With at least one event in it. */
const someEvents = (
  bank: Bank,
): Promise<{ readonly events: readonly Members[]; readonly consentId: string }> =>
  bank.once('a feed with an event', async () => {
    const staged = await stage(bank, 'ConfirmationOfFunds');
    await bank.person.decide(staged, 'approve');
    const events = await wholeFeed(bank);
    return { events, consentId: staged.id };
  });

const feedSketches: readonly Sketch[] = [
  ['feed', 'the feed is answered with 200', CHANGES, async (bank) => demandStatus(await feed(bank), 200)],
  [
    'change',
    'an approval is in the feed',
    CHANGES,
    async (bank) => {
      const { events, consentId } = await someEvents(bank);
      const isThere = events.some(
        (event) => event.consentId === consentId && event.consentStatus === 'Valid',
      );
      demand(isThere, 'an event with Valid', 'none');
    },
  ],
  [
    'members',
    'every event has an id, a type and its time',
    CHANGES,
    async (bank) => {
      const bad = (await someEvents(bank)).events.filter(
        ({ id, type, occurredAt }) =>
          typeof id !== 'string' || typeof type !== 'string' || !DATE_TIME.test(String(occurredAt)),
      );
      demand(bad.length === 0, 'id, type and occurredAt', `${bad.length} events without`);
    },
  ],
  [
    'order',
    'positions only grow',
    CHANGES,
    async (bank) => {
      const positions = (await someEvents(bank)).events.map(({ position }) => Number(position));
      const isGrowing = positions.every(
        (position, index) => index === 0 || position > (positions[index - 1] ?? 0),
      );
      demand(isGrowing, 'growing positions', 'others');
    },
  ],
  [
    'limit',
    'a page has no more events than were asked for',
    CHANGES,
    async (bank) => {
      need((await someEvents(bank)).events.length > 1, 'there is one event only');
      const { length } = eventsIn(await feed(bank, '?limit=1'));
      demand(length === 1, 'one event', `${length}`);
    },
  ],
  [
    'after',
    'after an event come those after it',
    CHANGES,
    async (bank) => {
      const [first, second] = (await someEvents(bank)).events;
      need(second !== undefined, 'there is one event only');
      const [next] = eventsIn(await feed(bank, `?after=${first?.id}&limit=1`));
      demand(next?.id === second?.id, 'the second event', 'another one, or none');
    },
  ],
  [
    'private',
    'events have ids and statuses, nothing of the account',
    CHANGES,
    async (bank) => {
      const { iban } = bank.given('account');
      const { events } = await someEvents(bank);
      demand(!JSON.stringify(events).includes(iban), 'no IBAN', 'an IBAN');
    },
  ],
  [
    'own',
    'events of one application are not in the feed of another',
    CHANGES,
    async (bank) => {
      const { consentId } = await someEvents(bank);
      const { status, text } = await bank.call({ as: 'other', path: `${EVENTS}?limit=100` });
      need(status === 200, `the feed is answered ${status}`);
      demand(!text.includes(consentId), 'none of them', 'one of them');
    },
  ],
  [
    'limit-malformed',
    'a limit that is no number is refused',
    CHANGES,
    async (bank) => demandStatus(await feed(bank, '?limit=many'), 400),
  ],
];

const headerOf = ({ headers }: Delivery, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

const bodyOf = ({ body }: Delivery): Members => {
  try {
    const value: unknown = JSON.parse(body.toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
};

const digestOf = ({ body }: Delivery): string =>
  `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;

const inputOf = (arrived: Delivery): string => headerOf(arrived, 'signature-input').replace(/^[\w-]+=/, '');

const parameter = (arrived: Delivery, name: string): string =>
  new RegExp(`;${name}="?([^";]+)"?(?=;|$)`).exec(inputOf(arrived))?.[1] ?? '';

const keysOf = async (bank: Bank): Promise<readonly (JsonWebKey & { readonly kid?: string })[]> => {
  const { keys } = membersOf(await bank.send({ path: `${EVENTS}/keys` }));
  need(Array.isArray(keys) && keys.length > 0, 'no keys are published');
  return keys as readonly JsonWebKey[];
};

const baseOf = (arrived: Delivery): string => {
  const values: Readonly<Record<string, string>> = { '@method': arrived.method, '@target-uri': arrived.url };
  const covered = [...(/^\(([^)]*)\)/.exec(inputOf(arrived))?.[1] ?? '').matchAll(/"([^"]+)"/g)];
  const lines = covered.map(([, name = '']) => `"${name}": ${values[name] ?? headerOf(arrived, name)}`);
  return [...lines, `"@signature-params": ${inputOf(arrived)}`].join('\n');
};

const FRESH_S = 300;

const webhookSketches: readonly Sketch[] = [
  [
    'delivered',
    'an approval is sent to the third party',
    CHANGES,
    async (bank) => {
      const { consentId, consentStatus } = bodyOf(await delivery(bank));
      demand(consentId !== undefined && consentStatus === 'Valid', 'the consent and Valid', 'something else');
    },
  ],
  [
    'notification-id',
    'the id of the event is in the message and in its header',
    CHANGES,
    async (bank) => {
      const arrived = await delivery(bank);
      demand(bodyOf(arrived).id === headerOf(arrived, 'event-id'), 'the same id twice', 'different ones');
    },
  ],
  [
    'notification-digest',
    'a notification has the digest of its bytes',
    rfc('9530, 2'),
    async (bank) => {
      const arrived = await delivery(bank);
      demand(
        headerOf(arrived, 'content-digest') === digestOf(arrived),
        'Content-Digest of the body',
        'none, or another',
      );
    },
  ],
  [
    'notification-covers',
    'the signature covers method, address and digest',
    rfc('9421, 1.4'),
    async (bank) => {
      const input = inputOf(await delivery(bank));
      const missing = ['@method', '@target-uri', 'content-digest'].filter(
        (name) => !input.includes(`"${name}"`),
      );
      demand(missing.length === 0, 'all three', `not ${missing.join(', ')}`);
    },
  ],
  [
    'notification-fresh',
    'the signature says when it was made',
    rfc('9421, 2.3 (created)'),
    async (bank) => {
      const age = now() / 1000 - Number(parameter(await delivery(bank), 'created'));
      demand(Math.abs(age) < FRESH_S, 'created within five minutes', 'none, or another time');
    },
  ],
  [
    'notification-signed',
    'the signature is by a key that the bank publishes',
    rfc('9421, 3.2'),
    async (bank) => {
      const arrived = await delivery(bank);
      const jwk = (await keysOf(bank)).find(({ kid }) => kid === parameter(arrived, 'keyid'));
      demand(jwk !== undefined, 'a published key', 'another one');
      const key = {
        key: createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }),
        dsaEncoding: 'ieee-p1363',
      } as const;
      const bytes = Buffer.from(/:([^:]+):/.exec(headerOf(arrived, 'signature'))?.[1] ?? '', 'base64');
      demand(
        verify('sha256', Buffer.from(baseOf(arrived)), key, bytes),
        'a signature that fits',
        'one that does not',
      );
    },
  ],
  [
    'notification-private',
    'a notification has nothing of the account',
    CHANGES,
    async (bank) => {
      const { iban } = bank.given('account');
      demand(!(await delivery(bank)).body.includes(iban), 'no IBAN', 'an IBAN');
    },
  ],
  [
    'keys',
    'the keys of notifications are public ones',
    rfc('7517, 4'),
    async (bank) => {
      const secrets = (await keysOf(bank)).filter((key) => 'd' in key || 'k' in key);
      demand(secrets.length === 0, 'no private members', `${secrets.length} keys with them`);
    },
  ],
];

export const eventCases = casesOf('events', [...feedSketches, ...webhookSketches]);
