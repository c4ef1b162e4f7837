/** Signed notifications: what is sent to a third party, how it is signed, and what happens if it is refused. */
import type { Bank } from '../bank/bank.js';
import { publishedKeys, wholeFeed } from '../bank/feed.js';
import { bodyOf, coveredBy, digestOf, headerOf, isSignedBy, parameterOf } from '../bank/notification.js';
import { AGAIN_S, type Arrival, notifications } from '../bank/receiver.js';
import { profile, rfc, type Sketch } from '../case.js';
import { now } from '../clock.js';
import { DATE_TIME } from '../shapes.js';
import { demand, NotRun, need } from '../verdict.js';

const CHANGES = profile('Consents and payments, Status changes');
const AGAIN = profile('Consents and payments, Status changes (repeated if refused)');
const FRESH_S = 300;

const first = async (bank: Bank): Promise<Arrival> => {
  const [arrival] = (await notifications(bank)).arrivals;
  if (!arrival) throw new NotRun('no notification has arrived');
  return arrival;
};

const statusIn = (arrival: Arrival): unknown => bodyOf(arrival).consentStatus;

/** The approval once more, after it was refused, and where each is among all that arrived. */
const repeated = async (bank: Bank) => {
  const before = await first(bank);
  const { arrivals } = await notifications(bank);
  const againAt = arrivals.findIndex((each, at) => at > 0 && statusIn(each) === statusIn(before));
  const endAt = arrivals.findIndex((each) => statusIn(each) !== statusIn(before));
  return { before, again: arrivals[againAt], againAt, endAt };
};

const onceMore = async (bank: Bank): Promise<{ readonly before: Arrival; readonly again: Arrival }> => {
  const { before, again } = await repeated(bank);
  if (!again) throw new NotRun('a refused notification is not sent again');
  return { before, again };
};

const content: readonly Sketch[] = [
  [
    'delivered',
    'an approval is sent to the third party',
    CHANGES,
    async (bank) => {
      const [arrival] = (await notifications(bank)).arrivals;
      demand(arrival !== undefined, 'a notification', 'none');
      demand(
        arrival !== undefined && statusIn(arrival) === 'Valid',
        'the consent and Valid',
        'something else',
      );
    },
  ],
  [
    'notification-media-type',
    'a notification is JSON and says so',
    CHANGES,
    async (bank) => {
      const type = headerOf(await first(bank), 'content-type');
      demand(/^application\/([\w.-]+\+)?json\b/.test(type), 'a JSON media type', type || 'no Content-Type');
    },
  ],
  [
    'notification-members',
    'a notification has the type of the event and its time',
    CHANGES,
    async (bank) => {
      const { type, occurredAt } = bodyOf(await first(bank));
      demand(
        typeof type === 'string' && DATE_TIME.test(String(occurredAt)),
        'type and occurredAt',
        'one without',
      );
    },
  ],
  [
    'notification-id',
    'the id of the event is in the message and in its header',
    CHANGES,
    async (bank) => {
      const arrival = await first(bank);
      const { id } = bodyOf(arrival);
      demand(
        typeof id === 'string' && id === headerOf(arrival, 'event-id'),
        'the same id twice',
        'different ones',
      );
    },
  ],
  [
    'notification-private',
    'a notification has nothing of the account',
    CHANGES,
    async (bank) => {
      const { iban } = bank.given('account');
      demand(!(await first(bank)).body.includes(iban), 'no IBAN', 'an IBAN');
    },
  ],
  [
    'notification-in-feed',
    'what is sent is in the feed too, for those who missed it',
    CHANGES,
    async (bank) => {
      const { id } = bodyOf(await first(bank));
      const events = await wholeFeed(bank, (await notifications(bank)).application);
      demand(
        events.some((event) => event.id === id),
        'an event with its id',
        'none',
      );
    },
  ],
];

const signature: readonly Sketch[] = [
  [
    'notification-digest',
    'a notification has the digest of its bytes',
    rfc('9530, 2'),
    async (bank) => {
      const arrival = await first(bank);
      const isRight = headerOf(arrival, 'content-digest') === digestOf(arrival);
      demand(isRight, 'Content-Digest of the body', 'none, or another');
    },
  ],
  [
    'notification-covers',
    'the signature covers method, address and digest',
    rfc('9421, 1.4'),
    async (bank) => {
      const covered = coveredBy(await first(bank));
      const missing = ['@method', '@target-uri', 'content-digest'].filter((name) => !covered.includes(name));
      demand(missing.length === 0, 'all three', `not ${missing.join(', ')}`);
    },
  ],
  [
    'notification-covers-id',
    'the signature covers the id of the event, by which repetitions are known',
    rfc('9421, 7.2.2 (replay)'),
    async (bank) => {
      const isCovered = coveredBy(await first(bank)).includes('event-id');
      demand(isCovered, 'a signature that covers Event-ID', 'one that does not');
    },
  ],
  [
    'notification-fresh',
    'the signature says when it was made',
    rfc('9421, 2.3 (created)'),
    async (bank) => {
      const age = now() / 1000 - Number(parameterOf(await first(bank), 'created'));
      demand(Math.abs(age) < FRESH_S, 'created within five minutes', 'none, or another time');
    },
  ],
  [
    'notification-key',
    'the signature names a key that the bank publishes',
    rfc('9421, 2.3 (keyid)'),
    async (bank) => {
      const keyid = parameterOf(await first(bank), 'keyid');
      const isPublished = (await publishedKeys(bank)).some(({ kid }) => kid === keyid);
      demand(isPublished, 'a published key', 'another one');
    },
  ],
  [
    'notification-signed',
    'the signature is by the key that it names',
    rfc('9421, 3.2'),
    async (bank) => {
      const arrival = await first(bank);
      const keyid = parameterOf(arrival, 'keyid');
      const jwk = (await publishedKeys(bank)).find(({ kid }) => kid === keyid);
      if (!jwk) throw new NotRun('the key of the signature is not published');
      const { url } = await notifications(bank);
      demand(isSignedBy(arrival, url, jwk), 'a signature that fits', 'one that does not');
    },
  ],
  [
    'keys',
    'the keys of notifications are public ones',
    rfc('7517, 4'),
    async (bank) => {
      const secrets = (await publishedKeys(bank)).filter((key) => 'd' in key || 'k' in key);
      demand(secrets.length === 0, 'no private members', `${secrets.length} keys with them`);
    },
  ],
];

const refusal: readonly Sketch[] = [
  [
    'notification-again',
    `a notification that is answered with 503 is sent again within ${AGAIN_S} seconds`,
    AGAIN,
    async (bank) => demand((await repeated(bank)).again !== undefined, 'it again', 'nothing'),
  ],
  [
    'notification-again-same',
    'what is sent again has the same id and the same bytes',
    AGAIN,
    async (bank) => {
      const { before, again } = await onceMore(bank);
      const isSame =
        before.body.equals(again.body) && headerOf(before, 'event-id') === headerOf(again, 'event-id');
      demand(isSame, 'the same', 'another id, or other bytes');
    },
  ],
  [
    'notification-again-fresh',
    'what is sent again is signed again, so that it is not taken for a replay',
    rfc('9421, 7.2.2 (replay)'),
    async (bank) => {
      const { before, again } = await onceMore(bank);
      const [old, fresh] = [before, again].map((each) => Number(parameterOf(each, 'created'))) as [
        number,
        number,
      ];
      demand(fresh > old, 'a later time in created', 'the same, or none');
    },
  ],
  [
    'notification-order',
    'what happens later is sent later, after the refused notification was taken',
    AGAIN,
    async (bank) => {
      await onceMore(bank);
      const { againAt, endAt } = await repeated(bank);
      need(endAt !== -1, 'the end of the consent is not sent');
      demand(againAt < endAt, 'the approval, then the end', 'the end first');
    },
  ],
];

export const notificationSketches: readonly Sketch[] = [...content, ...signature, ...refusal];
