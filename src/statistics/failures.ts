/**
 * The first five failures in each ten seconds: they are enough to find the first of five consecutive ones within thirty, and a flood of
 * failures stays small.
 */
import { SECOND } from '../lib/clock.js';
import { REQUESTS } from './availability.js';

const SLOT_MS = 10 * SECOND;
/** No answer comes later than this after its request was received. */
const SETTLED_MS = 60 * SECOND;

export interface Slot {
  readonly slot: number;
  readonly received: readonly number[];
}

export class Failures {
  readonly #slots = new Map<number, number[]>();
  readonly #changed = new Set<number>();

  add(receivedAt: number): void {
    const slot = Math.floor(receivedAt / SLOT_MS) * SLOT_MS;
    const received = this.#slots.get(slot) ?? [];
    if (received.length === REQUESTS && receivedAt >= (received[REQUESTS - 1] ?? 0)) return;
    // They end in another order than they came.
    const kept = [...received, receivedAt].sort((a, b) => a - b).slice(0, REQUESTS);
    this.#slots.set(slot, kept);
    this.#changed.add(slot);
  }

  /** What has changed since the last time. */
  take(now: number): readonly Slot[] {
    const taken = [...this.#changed].map((slot) => ({ slot, received: this.#slots.get(slot) ?? [] }));
    this.#changed.clear();
    for (const slot of this.#slots.keys()) if (slot < now - SETTLED_MS) this.#slots.delete(slot);
    return taken;
  }
}
