/** Closing the interface to everybody outside, and opening it again: on all nodes within five seconds. */
import { act } from '../acts/act.js';
import { given, optional } from '../acts/field.js';
import { DAY, type RealTime } from '../lib/clock.js';
import { instantText } from '../lib/instant.js';
import { RegistryError } from '../tpp/registry.js';
import * as records from './closure.js';
import { texts } from './texts.js';

const LONGEST_MESSAGE = 200;
const LONGEST = 30 * DAY;

const closing = { about: 'new', roles: [], texts, subject: () => 'interface' } as const;

/** If it is closed already, the new time and message hold. */
export const closeInterface = act({
  ...closing,
  name: 'maintenance.on',
  input: {
    /** What callers read; it opens nothing. */
    until: optional(given<RealTime>()),
    message: optional(given<string>()),
  },
  async run(tx, { input: { until, message }, now }) {
    if (until !== undefined && (until <= now || until > now + LONGEST))
      throw new RegistryError('maintenance ends in the future, within 30 days');
    if (message !== undefined && (message.trim() === '' || message.length > LONGEST_MESSAGE))
      throw new RegistryError(`the message has 1 to ${LONGEST_MESSAGE} characters`);
    const { closure } = await records.readMaintenance(tx, undefined);
    const wanted = { until: until ?? null, message: message?.trim() ?? null };
    await records.closeInterface(tx, { since: closure?.since ?? now, ...wanted });
  },
  facts: (_done, { until, message }) => ({
    ...(until === undefined ? {} : { until: instantText(until) }),
    message,
  }),
});

/** Also for nodes that were started with a closing of this name. */
export const openInterface = act({
  ...closing,
  name: 'maintenance.off',
  input: { closing: optional(given<string>()) },
  audited: ['closing'],
  run: (tx, { input, now }) => records.openInterface(tx, input.closing, now),
});
