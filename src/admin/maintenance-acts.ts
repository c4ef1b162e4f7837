/** Closing the interface to everybody outside, and opening it again. */
import {
  closeInterface,
  type MaintenanceState,
  openInterface,
  readMaintenance,
} from '../gate/maintenance.js';
import { DAY, type RealTime } from '../lib/clock.js';
import { instantText } from '../lib/instant.js';
import { RegistryError } from '../tpp/registry.js';
import { type ActParts, Acts } from './act-methods.js';

const LONGEST_MESSAGE = 200;
const LONGEST = 30 * DAY;

export interface Closing {
  /** What callers read; it opens nothing. */
  readonly until?: RealTime | undefined;
  readonly message?: string | undefined;
}

export class MaintenanceActs extends Acts {
  readonly #parts: ActParts;

  constructor(parts: ActParts) {
    super(parts);
    this.#parts = parts;
  }

  /** For a node that starts with a closing of this name. */
  maintenance(name?: string): Promise<MaintenanceState> {
    return readMaintenance(this.db, name);
  }

  /** On all nodes within five seconds. If it is closed already, the new time and message hold. */
  async closeInterface({ until, message }: Closing): Promise<void> {
    const now = this.#parts.clock.now();
    if (until !== undefined && (until <= now || until > now + LONGEST))
      throw new RegistryError('maintenance ends in the future, within 30 days');
    if (message !== undefined && (message.trim() === '' || message.length > LONGEST_MESSAGE))
      throw new RegistryError(`the message has 1 to ${LONGEST_MESSAGE} characters`);
    const details = { ...(until === undefined ? {} : { until: instantText(until) }), message };
    await this.change(['maintenance.on', details], 'interface', async (tx, at) => {
      const { closure } = await readMaintenance(tx, undefined);
      const wanted = { until: until ?? null, message: message?.trim() ?? null };
      await closeInterface(tx, { since: closure?.since ?? at, ...wanted });
    });
  }

  /** Also for nodes that were started with a closing of this name. */
  openInterface(name?: string): Promise<void> {
    return this.change(['maintenance.off', { closing: name }], 'interface', (tx, now) =>
      openInterface(tx, name, now),
    );
  }
}
