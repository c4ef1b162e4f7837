/** Whether the interface is closed, as this node knows it. */
import { Gauge } from 'prom-client';
import { Maintenance } from '../gate/maintenance.js';
import type { Foundation } from './foundation.js';
import type { AppOptions, Closers } from './options.js';

/** A guest is behind the interface of its host. */
export const openMaintenance = async (
  { isGuest = false }: AppOptions,
  base: Foundation,
  closers: Closers,
): Promise<Maintenance> => {
  const { unguarded: db, clock, site, log, metrics, config } = base;
  const name = isGuest ? undefined : config.maintenance;
  const onChange = (isClosed: boolean): void => {
    if (isClosed) log.warn({ closing: name }, 'closed for maintenance');
    else log.info({}, 'open again after maintenance');
  };
  const maintenance = closers.add(new Maintenance({ db, clock, site, name, onChange }), (each) =>
    each.close(),
  );
  await maintenance.refresh();
  if (!isGuest)
    new Gauge({
      name: 'trapeza_maintenance',
      help: '1 while the interface is closed by an operator',
      registers: [metrics.registry],
      collect() {
        this.set(maintenance.isClosed ? 1 : 0);
      },
    });
  return maintenance;
};
