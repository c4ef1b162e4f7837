/**
 * The sandboxes of developers that are open in this process: at most so many, opened by the first request, closed when they are idle.
 * Every process may open every sandbox; what they share is in its store.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, MINUTE, Problem, SECOND } from 'trapeza/base';
import type { App } from 'trapeza/extend';

const MOST_OPEN = 8;
/** Opening costs more than most requests: who asks for one after the other waits. */
const STAYS_MS = 10 * SECOND;
const IDLE_MS = 10 * MINUTE;

interface Open {
  readonly app: Promise<App>;
  readonly openedAt: number;
  usedAt: number;
  inFlight: number;
}

export interface OpenSandboxesParts {
  readonly clock: Clock;
  readonly start: (id: string, place: string) => Promise<App>;
}

export class OpenSandboxes {
  readonly #parts: OpenSandboxesParts;
  /** By the id of the developer; the one that was used last is the last one. */
  readonly #open = new Map<string, Open>();

  constructor(parts: OpenSandboxesParts) {
    this.#parts = parts;
  }

  /** The request's address is already the one that the service knows. */
  async serve(
    { id, place }: { readonly id: string; readonly place: string },
    request: IncomingMessage,
    response: ServerResponse,
    isLate: () => boolean,
  ): Promise<void> {
    const open = this.#take(id, place);
    open.inFlight += 1;
    response.once('close', () => {
      open.inFlight -= 1;
    });
    const app = await open.app;
    if (!isLate() && !response.closed) app.handle(request, response);
  }

  /** Opens it, so that its store is complete. */
  async prepare(id: string, place: string): Promise<void> {
    await this.#take(id, place).app;
  }

  get ids(): readonly string[] {
    return [...this.#open.keys()];
  }

  async closeIdle(): Promise<void> {
    const now = this.#parts.clock.elapsed();
    for (const [id, { inFlight, usedAt }] of this.#open)
      if (inFlight === 0 && usedAt < now - IDLE_MS) await this.close(id);
  }

  async close(id: string): Promise<void> {
    const open = this.#open.get(id);
    this.#open.delete(id);
    const app = await open?.app.catch(() => undefined);
    await app?.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.ids.map((id) => this.close(id)));
  }

  #take(id: string, place: string): Open {
    const now = this.#parts.clock.elapsed();
    const known = this.#open.get(id);
    if (known) this.#open.delete(id);
    else this.#makeRoom(now);
    const open = known ?? { app: this.#parts.start(id, place), openedAt: now, usedAt: now, inFlight: 0 };
    open.usedAt = now;
    this.#open.set(id, open);
    // The next request tries again.
    if (!known)
      open.app.catch(() => {
        if (this.#open.get(id) === open) this.#open.delete(id);
      });
    return open;
  }

  #makeRoom(now: number): void {
    if (this.#open.size < MOST_OPEN) return;
    const [idle] = [...this.#open].find(
      ([, { inFlight, openedAt }]) => inFlight === 0 && openedAt < now - STAYS_MS,
    ) ?? [undefined];
    if (idle === undefined)
      throw new Problem('overloaded', {
        detail: 'Too many sandboxes of developers are in use right now: try again in some seconds.',
      });
    void this.close(idle);
  }
}
