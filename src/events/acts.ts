/** Notifications that have not arrived are sent again. */
import { act } from '../acts/act.js';
import { given } from '../acts/field.js';
import { redeliver, retryBacklog } from './backlog.js';
import { texts } from './texts.js';

const aboutApplication = { about: 'existing', kind: 'application', roles: ['service'], texts } as const;

/** Everything that has not reached this application. How many notifications. */
export const retryNotifications = act({
  ...aboutApplication,
  name: 'events.retry',
  input: {},
  page: { path: '/events', things: 'events', done: 'retried' },
  run: (tx, { id }) => retryBacklog(tx, id),
});

/** One event, to the present address. False if the application has no such event, or no address. */
export const redeliverEvent = act({
  ...aboutApplication,
  name: 'events.redeliver',
  input: { eventId: given<string>() },
  audited: ['eventId'],
  run: (tx, { id, input: { eventId } }) => redeliver(tx, id, eventId),
  subject: (id, isDue) => (isDue ? `application:${id}` : undefined),
});
