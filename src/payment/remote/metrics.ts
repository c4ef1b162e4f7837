/** Metrics of payments to a remote core: how many wait for people, and how long the oldest has waited for any answer. */
import { Gauge, type Registry } from 'prom-client';
import type { BankTime } from '../../lib/clock.js';
import type { Queries } from '../../store/db.js';

const COUNT = 'select count(*) as count from payment_orders where unresolved_at is not null';
/** By when it was submitted: the other moments of an order are what a wrong clock would have written. */
const OLDEST = `
  select min(created_at) as "at" from payment_orders where status = 'RCVD' and look_again_at is not null`;

export const createPaymentGauges = (
  registry: Registry,
  db: Queries,
  bankTime: () => Promise<BankTime>,
): void => {
  const registers = [registry];
  new Gauge({
    name: 'trapeza_payments_unresolved',
    help: 'Payments whose outcome is not known and has to be settled by hand',
    registers,
    async collect() {
      const row = await db.one<{ count: number }>(COUNT).catch(() => undefined);
      // A store that is away must not take the other figures with it, nor say that all is well.
      this.set(row?.count ?? Number.NaN);
    },
  });
  new Gauge({
    name: 'trapeza_payments_oldest_received_seconds',
    help: 'Age of the oldest payment that the core has said nothing about; 0 if there is none',
    registers,
    async collect() {
      const oldest = async (): Promise<number> => {
        const at = (await db.one<{ at: BankTime | null }>(OLDEST))?.at ?? null;
        return at === null ? 0 : Math.max(0, (await bankTime()) - at) / 1000;
      };
      this.set(await oldest().catch(() => Number.NaN));
    },
  });
};
