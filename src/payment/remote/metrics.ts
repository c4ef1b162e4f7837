/** Metrics of payments to a remote core: how many wait for an operator to find out their outcome. */
import { Gauge, type Registry } from 'prom-client';
import type { Queries } from '../../store/db.js';

const COUNT = 'select count(*) as count from payment_orders where unresolved_at is not null';

export const createUnresolvedGauge = (registry: Registry, db: Queries): void => {
  new Gauge({
    name: 'trapeza_payments_unresolved',
    help: 'Payments whose outcome is not known and has to be settled by hand',
    registers: [registry],
    // Every worker asks the same store: their figures are one, not a sum.
    aggregator: 'max',
    async collect() {
      const row = await db.one<{ count: number }>(COUNT).catch(() => undefined);
      // A store that is away must not take the other figures with it, nor say that all is well.
      this.set(row?.count ?? Number.NaN);
    },
  });
};
