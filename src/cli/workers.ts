/**
 * Several processes on one port (TRAPEZA_WORKERS). The first process answers no calls: it starts the others, replaces one
 * that dies, counts their limits, and has the one management listener with the sum of their metrics.
 */
import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, Counter, Registry } from 'prom-client';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import type { App } from '../app/app.js';
import type { Config } from '../config/config.js';
import { createManagementServer, type MetricsSource, type Readiness } from '../http/listeners/management.js';
import { monotonicMs, SECOND } from '../lib/clock.js';
import { errorFields, type Log } from '../observe/log.js';
import { leaveOneFile } from '../store/open.js';
import { answerCalls, createConsoleRelay, offerConsole } from './console-relay.js';
import { longestEndMs, stopMessage } from './ending.js';
import { newsCall, receiveNews } from './news-relay.js';
import { CommandError } from './output.js';

const REPORT = 'trapeza:report';
/** A worker that dies again and again before it is ready has a cause that another try does not mend. */
const MAX_FAILED_STARTS = 5;

interface Report {
  readonly url: string;
  readonly readiness: Readiness;
}

const isReport = (message: unknown): message is Report =>
  (message as { type?: unknown } | null)?.type === REPORT;

/** In a worker that has started: tells the first process how it is, now and often enough to be believed. */
export const reportToPrimary = (app: App, { readyWithinMs }: Config): void => {
  const report = (): void => {
    if (process.connected) process.send?.({ type: REPORT, url: app.listenUrl, readiness: app.readiness() });
  };
  receiveNews(app);
  offerConsole(app);
  report();
  setInterval(report, readyWithinMs / 4).unref();
};

/** Reports of the workers: one that is ready is enough, and one that stops reporting is not ready. */
class Reports {
  readonly #withinMs: number;
  readonly #last = new Map<number, { readonly readiness: Readiness; readonly at: number }>();

  constructor(withinMs: number) {
    this.#withinMs = withinMs;
  }

  get size(): number {
    return this.#last.size;
  }

  has(id: number): boolean {
    return this.#last.has(id);
  }

  add(id: number, readiness: Readiness): void {
    this.#last.set(id, { readiness, at: monotonicMs() });
  }

  /** Whether there was any. */
  delete(id: number): boolean {
    return this.#last.delete(id);
  }

  summary(isStopping: boolean): Readiness {
    const fresh = [...this.#last.values()]
      .filter(({ at }) => at > monotonicMs() - this.#withinMs)
      .map(({ readiness }) => readiness);
    const best = fresh.find(({ ready }) => ready);
    // If none is ready, the reasons of one of them are as good as those of another.
    const checks = { workers: best ? 'ok' : 'failed', ...(best ?? fresh[0])?.checks } as const;
    if (isStopping) return { ready: false, checks: { ...checks, accepting: 'failed' } };
    return { ready: best !== undefined, checks };
  }
}

export interface Workers {
  readonly listenUrl: string;
  readonly managementUrl: string;
  close(options?: { readonly delayMs?: number }): Promise<void>;
}

/** `hasStarted`: it receives the message; before that a signal ends it at once. */
const stopWorker = (worker: Worker, hasStarted: boolean, delayMs: number, mostMs: number): Promise<void> =>
  new Promise((resolve) => {
    if (worker.isDead()) return resolve();
    const force = setTimeout(() => worker.process.kill('SIGKILL'), mostMs);
    worker.once('exit', () => {
      clearTimeout(force);
      resolve();
    });
    if (hasStarted && worker.isConnected()) worker.send(stopMessage(delayMs));
    else worker.process.kill('SIGTERM');
  });

/** The figures of the workers, and those that only the first process knows. */
const createPrimaryMetrics = () => {
  const ofWorkers = new AggregatorRegistry();
  const own = new Registry();
  const deaths = new Counter({
    name: 'trapeza_worker_deaths_total',
    help: 'Workers that ended although nobody stopped them',
    registers: [own],
  });
  const source: MetricsSource = {
    contentType: own.contentType,
    metrics: async () => `${await own.metrics()}${await ofWorkers.clusterMetrics()}`,
  };
  return { deaths, source };
};

const openManagement = async (
  config: Config,
  log: Log,
  source: MetricsSource,
  reports: Reports,
  isStopping: () => boolean,
): Promise<{ readonly url: string; close(): Promise<void> }> => {
  let url = '';
  const pages = createConsoleRelay(
    (id) => reports.has(id),
    () => url,
  );
  const server = createManagementServer(
    () => reports.summary(isStopping()),
    source,
    newsCall(config, log),
    pages,
  );
  const { port } = await server.listen(config.managementHost, config.managementPort);
  url = `http://${config.managementHost}:${port}`;
  return { url, close: () => server.close() };
};

export const runWorkers = async (config: Config, args: readonly string[], log: Log): Promise<Workers> => {
  const reports = new Reports(config.readyWithinMs);
  let failedStarts = 0;
  let isStopping = false;
  new RateLimiterClusterMaster();
  const { deaths, source } = createPrimaryMetrics();
  // Each worker accepts from the shared listener. Round-robin, Node's default, hands connections over, and those that are on their way
  // to a worker that dies are never answered and never closed.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ args: [...args] });

  const management = await openManagement(config, log, source, reports, () => isStopping);

  const close: Workers['close'] = async ({ delayMs = 0 } = {}) => {
    isStopping = true;
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const mostMs = longestEndMs(delayMs, config);
    await Promise.all(running.map((worker) => stopWorker(worker, reports.has(worker.id), delayMs, mostMs)));
    await leaveOneFile(config.databaseUrl).catch((error: unknown) =>
      log.warn(errorFields(error), 'the log of the store stays beside it'),
    );
    await management.close();
    log.flush();
  };

  const listenUrl = await new Promise<string>((resolve, reject) => {
    let isRunning = false;
    const giveUp = () => {
      const message = 'the workers cannot be started; their messages above say why';
      if (!isRunning) return reject(new CommandError(message));
      // Without workers the service is over: the supervisor of this process must notice.
      log.fatal({}, message);
      void close().finally(() => process.exit(1));
    };
    const startWorker = (): void => {
      if (isStopping) return;
      const worker = cluster.fork();
      answerCalls(worker);
      worker.on('message', (message: unknown) => {
        if (!isReport(message)) return;
        if (!reports.has(worker.id)) failedStarts = 0;
        reports.add(worker.id, message.readiness);
        if (reports.size !== config.workers) return;
        isRunning = true;
        resolve(message.url);
      });
      worker.on('exit', (code, signal) => {
        const hadStarted = reports.delete(worker.id);
        if (isStopping) return;
        if (!hadStarted) failedStarts += 1;
        deaths.inc();
        log.warn({ worker: worker.id, code, signal }, 'worker died');
        // At the first start each has one try, as a process without workers has.
        const tries = isRunning ? MAX_FAILED_STARTS : Math.min(config.workers, MAX_FAILED_STARTS);
        if (failedStarts >= tries && reports.size === 0) giveUp();
        // While others serve, one that cannot start is tried again and again: its database may come back.
        else setTimeout(startWorker, isRunning && !hadStarted ? SECOND : 0);
      });
    };
    for (let count = 0; count < config.workers; count += 1) startWorker();
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });

  return { listenUrl, managementUrl: management.url, close };
};
