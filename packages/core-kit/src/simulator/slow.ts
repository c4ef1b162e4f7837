/**
 * A core that takes its time for payments: each has a delay of its own, after which it is carried out and the question that brought it is
 * answered. Questions in between read that it is pending. The delays are kept, so that a core that dies decides after its restart.
 */
import { setTimeout } from 'node:timers/promises';
import { Random } from '@trapeza/sandbox/demo-bank';
import { type Db, jsonColumn, members, SECOND, text } from 'trapeza/base';
import type { Asked, Core } from './contract.js';
import { stateOf } from './wire.js';

type Payment = Asked<'executePayment'>['body'];

const bodyColumn = jsonColumn<Payment>('a payment that waits', members({ paymentId: text }));
const INSERT_DELAY = `
  insert into simulator_delays (id, received_at, decides_at, body) values (?, ?, ?, ?) on conflict (id) do nothing`;
const FIND = 'select decides_at as "decidesAt", body from simulator_delays where id = ?';

export interface SlowOptions {
  readonly db: Db;
  /** The longest delay. */
  readonly seconds: number;
  /** The same seed gives the same delays, one after the other. */
  readonly seed: number;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

export const slowly = (core: Core, { db, seconds, seed, signal }: SlowOptions): Core => {
  const random = new Random(`delays:${seed}`);
  const find = (id: string) => db.one<{ decidesAt: number; body: string }>(FIND, [id.toLowerCase()]);
  return {
    ...core,
    async executePayment(asked) {
      const { params, body, at, isLate } = asked;
      if (isLate) return core.executePayment(asked);
      const delay = Math.round(random.next() * seconds * SECOND);
      await db.run(INSERT_DELAY, [params.paymentId.toLowerCase(), at, at + delay, bodyColumn.write(body)]);
      const decidesAt = (await find(params.paymentId))?.decidesAt ?? at;
      await setTimeout(Math.max(0, decidesAt - at), undefined, { signal });
      return core.executePayment({ ...asked, at: Math.max(at, decidesAt) });
    },
    async readPayment(asked) {
      const { params, at } = asked;
      const waiting = await find(params.paymentId);
      if (!waiting) return core.readPayment(asked);
      const { decidesAt, body } = waiting;
      if (at < decidesAt)
        return { ...stateOf(params.paymentId, { status: 'PDNG', lookAgainAt: 0 }), lookAgainAt: null };
      // The id makes it happen once, here or in the call that brought it.
      await core.executePayment({ ...asked, query: {}, body: bodyColumn.read(body), at: decidesAt });
      return core.readPayment(asked);
    },
    async cancelPayment(asked) {
      const waiting = await find(asked.params.paymentId);
      if (!waiting || asked.at >= waiting.decidesAt) return core.cancelPayment(asked);
      return this.readPayment(asked);
    },
  };
};
