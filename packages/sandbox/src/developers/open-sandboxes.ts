/**
 * The sandboxes of developers that are open in this process: opened by the first request, closed when they are idle or must give up their
 * place. Every process may open every sandbox; what they share is in its store.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, hasBody, MINUTE, Problem, pathOf, retryAfter, SECOND, type Source } from 'trapeza/base';
import type { App } from 'trapeza/extend';
import { MOST_MIB } from './own-store.js';
import { type Held, Openings, placeToGiveUp } from './places.js';

const STAYS_MS = 10 * SECOND;
const IDLE_MS = 10 * MINUTE;
/** What is still under way then, in a sandbox that gives up its place, is lost to it. */
const DRAIN_MS = 2 * SECOND;

/** The service of one developer. */
export interface Guest extends Pick<App, 'handle'> {
  close(): Promise<void>;
  /** Whether its store takes no more of this kind of request. */
  isFull(isWrite: boolean): Promise<boolean>;
}

interface Open extends Held {
  readonly app: Promise<Guest>;
  source: Source;
  staysUntil: number;
  usedAt: number;
  inFlight: number;
  onIdle: () => void;
}

/** Whose sandbox is asked for, and for whom its place counts. */
export interface Wanted {
  readonly id: string;
  readonly place: string;
  readonly source: Source;
}

export type Refusal = 'places' | 'openings' | 'size';

export interface OpenSandboxesParts {
  readonly clock: Clock;
  /** So many at once. */
  readonly places: number;
  readonly start: (id: string, place: string) => Promise<Guest>;
  readonly onRefused: (reason: Refusal, source: Source) => void;
}

const RESET = '/sandbox/reset';
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const FULL = `This sandbox holds as much as one may (${MOST_MIB} MiB). Reset it with POST ${RESET}, or delete it on /portal and get a new one.`;

/** What fits into its buffer has arrived; a larger body is read by the sandbox, and most are refused there. */
const arrival = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    const events = ['readable', 'close', 'error'] as const;
    const check = (): void => {
      const isComing = !request.complete && !request.destroyed;
      if (isComing && request.readableLength < request.readableHighWaterMark) return;
      for (const event of events) request.off(event, check);
      resolve();
    };
    for (const event of events) request.on(event, check);
    check();
  });

export class OpenSandboxes {
  readonly #parts: OpenSandboxesParts;
  readonly #openings: Openings;
  /** By the id of the developer; the one that was used last is the last one. */
  readonly #open = new Map<string, Open>();

  constructor(parts: OpenSandboxesParts) {
    this.#parts = parts;
    this.#openings = new Openings(parts.clock);
  }

  /** The request's address is already the one that the service knows. One that has not arrived has no place, and keeps none open. */
  async serve(
    wanted: Wanted,
    request: IncomingMessage,
    response: ServerResponse,
    isLate: () => boolean,
  ): Promise<void> {
    if (hasBody(request)) await arrival(request);
    if (response.closed || (request.destroyed && !request.complete)) return;
    const open = this.#take(wanted);
    const leave = this.#enter(open);
    response.once('close', leave);
    try {
      const app = await open.app;
      await this.#admit(app, request, wanted.source);
      if (isLate() || response.closed) return;
      // Of a larger body the rest may never come.
      if (!request.complete) leave();
      app.handle(request, response);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Opens it, so that its store is complete. It has served no call yet, so it gives up its place to the next one. */
  async prepare(wanted: Wanted): Promise<void> {
    const open = this.#take(wanted);
    open.staysUntil = 0;
    await open.app;
  }

  get ids(): readonly string[] {
    return [...this.#open.keys()];
  }

  async closeIdle(): Promise<void> {
    const now = this.#parts.clock.elapsed();
    this.#openings.sweep();
    for (const [id, { inFlight, usedAt }] of this.#open)
      if (inFlight === 0 && usedAt < now - IDLE_MS) await this.close(id);
  }

  /** Waits a little for what is under way. */
  async close(id: string): Promise<void> {
    const open = this.#open.get(id);
    this.#open.delete(id);
    const app = await open?.app.catch(() => undefined);
    if (open && open.inFlight > 0)
      await new Promise<void>((resolve) => {
        open.onIdle = resolve;
        setTimeout(resolve, DRAIN_MS).unref();
      });
    await app?.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.ids.map((id) => this.close(id)));
  }

  /** Returns what ends it. */
  #enter(open: Open): () => void {
    let isIn = true;
    open.inFlight += 1;
    return () => {
      if (!isIn) return;
      isIn = false;
      open.inFlight -= 1;
      if (open.inFlight === 0) open.onIdle();
    };
  }

  #take({ id, place, source }: Wanted): Open {
    const now = this.#parts.clock.elapsed();
    const known = this.#open.get(id);
    if (known) this.#open.delete(id);
    else this.#makeRoom(source, now);
    const open = known ?? {
      app: this.#parts.start(id, place),
      source,
      staysUntil: now + STAYS_MS,
      usedAt: now,
      inFlight: 0,
      onIdle: () => undefined,
    };
    open.source = source;
    open.usedAt = now;
    this.#open.set(id, open);
    // The next request tries again.
    if (!known)
      open.app.catch(() => {
        if (this.#open.get(id) === open) this.#open.delete(id);
      });
    return open;
  }

  #makeRoom(source: Source, now: number): void {
    const waitMs = this.#openings.take(source);
    if (waitMs > 0)
      throw this.#refused('openings', source, new Problem('rate-limited', { headers: retryAfter(waitMs) }));
    if (this.#open.size < this.#parts.places) return;
    const given = placeToGiveUp(this.#open, source, now);
    if (given === undefined)
      throw this.#refused(
        'places',
        source,
        new Problem('overloaded', {
          detail: 'Too many sandboxes of developers are in use right now: try again in some seconds.',
        }),
      );
    void this.close(given);
  }

  async #admit(app: Guest, { method = '', url = '' }: IncomingMessage, source: Source): Promise<void> {
    if (pathOf(url) === RESET || !(await app.isFull(!READS.has(method)))) return;
    throw this.#refused('size', source, new Problem('state-conflict', { detail: FULL }));
  }

  #refused(reason: Refusal, source: Source, problem: Problem): Problem {
    this.#parts.onRefused(reason, source);
    return problem;
  }
}
