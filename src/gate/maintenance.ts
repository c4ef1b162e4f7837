/**
 * The interface is closed for maintenance: every call and page of the public listener is 503. Operators close and open it in the store, for all
 * nodes. A node may also start closed, by a name in its settings: a database that is brought back to an earlier moment has forgotten that it
 * was closed, and no earlier moment knows that this name was released.
 */
import type { Exchange } from '../http/exchange.js';
import type { Site } from '../http/render.js';
import { pathOf } from '../http/router.js';
import { type Clock, DAY, HOUR, SECOND } from '../lib/clock.js';
import { instantText } from '../lib/instant.js';
import type { Completion } from '../lib/turn.js';
import { Problem } from '../problem/problem.js';
import type { Queries } from '../store/db.js';
import { Snapshot } from '../store/snapshot.js';
import { type MaintenanceState, readMaintenance } from './closure.js';

/** Of the problem while the interface is closed. */
export const MAINTENANCE_CODE = 'MAINTENANCE';
/** If no operator has said until when. */
const RETRY_SECONDS = 300;

export interface MaintenanceParts {
  readonly db: Queries;
  readonly clock: Clock;
  readonly site: Pick<Site, 'baseUrl'>;
  /** Of the closing that this node starts with. */
  readonly name: string | undefined;
  readonly onChange: (isClosed: boolean) => void;
}

export class Maintenance {
  readonly #parts: MaintenanceParts;
  readonly #state: Snapshot<MaintenanceState>;

  constructor(parts: MaintenanceParts) {
    const { db, clock, name, onChange } = parts;
    this.#parts = parts;
    const first: MaintenanceState = { closure: undefined, isReleased: name === undefined };
    let wasClosed = false;
    const read = async (): Promise<MaintenanceState> => {
      const state = await readMaintenance(db, name);
      const isClosed = state.closure !== undefined || !state.isReleased;
      if (isClosed !== wasClosed) onChange(isClosed);
      wasClosed = isClosed;
      return state;
    };
    this.#state = new Snapshot(first, read, clock);
  }

  async refresh(): Promise<void> {
    await this.#state.refresh();
  }

  get isClosed(): boolean {
    const { closure, isReleased } = this.#state.value;
    return closure !== undefined || !isReleased;
  }

  /** Throws while the interface is closed, except for what tells people about it. */
  check(exchange: Exchange): Completion {
    // While the store is away, what was last known holds.
    if (this.#state.isFresh(HOUR)) this.#judge(exchange);
    else return this.#readAndJudge(exchange);
    return undefined;
  }

  async #readAndJudge(exchange: Exchange): Promise<void> {
    await this.refresh().catch(() => undefined);
    this.#judge(exchange);
  }

  #judge(exchange: Exchange): void {
    if (!this.isClosed) return;
    const path = pathOf(exchange.request.url ?? '').split('?')[0] ?? '';
    if (!exchange.mount?.staysOpen?.(path)) throw this.#problem();
  }

  close(): void {
    this.#state.close();
  }

  #problem(): Problem {
    const { site, clock } = this.#parts;
    const { until, message } = this.#state.value.closure ?? { until: null, message: null };
    const left = until === null ? 0 : Math.ceil((until - clock.now()) / SECOND);
    const status = `${site.baseUrl}/status`;
    const end = until === null || left <= 0 ? '' : ` until ${instantText(until)}`;
    const seconds = left > 0 ? Math.min(left, DAY / SECOND) : RETRY_SECONDS;
    return new Problem('dependency-unavailable', {
      code: MAINTENANCE_CODE,
      detail: `The bank has closed this interface for maintenance${end}. ${message === null ? '' : `${message.replace(/[.!?]?$/, (end) => end || '.')} `}News: ${status}`,
      headers: { 'Retry-After': String(seconds), Link: `<${status}>; rel="status"` },
    });
  }
}
