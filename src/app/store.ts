/** The store of a service: opened, brought up to date, and watched for what it may have forgotten. */
import type { Clock } from '../lib/clock.js';
import { createCounter } from '../observe/counter.js';
import { errorFields, type Log } from '../observe/log.js';
import type { Metrics } from '../observe/metrics.js';
import { createStoreWatch, showStore } from '../observe/store-metrics.js';
import { Continuity } from '../store/continuity/continuity.js';
import { markerPathOf } from '../store/continuity/marker.js';
import { evidences, type Loss } from '../store/continuity/pulse.js';
import type { Db } from '../store/db.js';
import { poolingFaults, storeFaults } from '../store/fitness.js';
import { migrate, migrationState } from '../store/migrate.js';
import { openDb } from '../store/open.js';
import type { AppOptions, Closers } from './options.js';
import { demandNone } from './start-checks.js';

/** While an upgrade is rolled out, or after it was taken back. */
const AHEAD = 'migrations of a newer version';
const FORGOT = 'the store has forgotten what was committed';

interface StoreRooms {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

const openContinuity = (
  { databaseUrl, dataFolder }: AppOptions['config'],
  { clock, log, metrics }: StoreRooms,
): Continuity => {
  const losses = createCounter(metrics.registry, {
    name: 'trapeza_store_losses_total',
    help: 'How often this node noticed, or was told, that the store has forgotten what was committed',
    labels: { evidence: evidences },
  });
  return new Continuity({
    clock,
    marker: markerPathOf(databaseUrl, dataFolder),
    onLoss: (loss: Loss) => {
      losses.inc({ evidence: loss.evidence });
      log.error({ ...loss, remedy: 'docs/runbook.md, TrapezaStoreForgot: trapeza store accept' }, FORGOT);
    },
    onAccepted: () => log.warn({}, 'the store was accepted'),
    onMarkerFault: (error) => log.warn(errorFields(error), 'the marker of the store cannot be written'),
  });
};

/** In a service that is a guest of another one nothing is done that a bank would miss. */
export const openStore = async (
  { config, extensions = [], isGuest = false }: AppOptions,
  rooms: StoreRooms,
  closers: Closers,
): Promise<{ readonly store: Db; readonly continuity: Continuity | undefined }> => {
  const { clock, log, metrics } = rooms;
  const { databaseUrl, databasePool, statementMs, databasePooling: pooling } = config;
  const continuity = isGuest ? undefined : openContinuity(config, rooms);
  await continuity?.checkFile(databaseUrl);
  if (!isGuest) demandNone(await poolingFaults(databaseUrl, pooling));
  const store = closers.add(
    await openDb(databaseUrl, databasePool, {
      ...{ statementMs, pooling, watch: createStoreWatch(metrics.registry) },
      ...(continuity ? { checkConnection: (reads) => continuity.checkConnection(reads) } : {}),
    }),
    (each) => each.close(),
  );
  showStore(metrics.registry, store, databaseUrl);
  if (store.engine === 'postgres') await continuity?.checkMarker(store);
  else continuity?.watchFile(databaseUrl);
  const owners = extensions.map(({ name }) => name);
  demandNone(await storeFaults(store, owners));
  await migrate(
    store,
    clock.now(),
    extensions.flatMap(({ migrations }) => migrations),
  );
  const { ahead } = await migrationState(store);
  if (ahead.length > 0) log.warn({ ahead }, AHEAD);
  // What an older version has left is known by now.
  demandNone(await storeFaults(store, owners));
  await continuity?.begin(store);
  if (continuity) closers.add(continuity, (each) => each.close());
  return { store, continuity };
};
