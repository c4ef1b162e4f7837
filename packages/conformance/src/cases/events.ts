/** Events: the feed of one application. */
import type { Bank } from '../bank/bank.js';
import { stage } from '../bank/consents.js';
import { EVENTS, eventsIn, feed, wholeFeed } from '../bank/feed.js';
import { casesOf, profile, type Sketch } from '../case.js';
import { DATE_TIME, demandStatus, type Members } from '../shapes.js';
import { demand, need } from '../verdict.js';
import { notificationSketches } from './notifications.js';

const CHANGES = profile('Consents and payments, Status changes');

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

export const eventCases = casesOf('events', [...feedSketches, ...notificationSketches]);
