/**
 * Several processes on one port (TRAPEZA_WORKERS). The first process answers no calls: it starts the others, replaces one
 * that dies, counts their limits, and has the one management listener with the sum of their metrics.
 */
import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import type { Config } from '../config.js';
import { createManagementServer, type Readiness } from '../http/listeners/management.js';
import { createLog } from '../observe/log.js';
import { CommandError } from './output.js';

const READY = 'trapeza:ready';
/** A worker that dies again and again before it is ready has a cause that another try does not mend. */
const MAX_FAILED_STARTS = 5;

export const tellPrimary = (url: string): void => {
  process.send?.({ kind: READY, url });
};

const isReadyMessage = (message: unknown): message is { kind: string; url: string } =>
  typeof message === 'object' && message !== null && (message as { kind?: unknown }).kind === READY;

export interface Workers {
  readonly listenUrl: string;
  readonly managementUrl: string;
  close(): Promise<void>;
}

const stopWorker = (worker: Worker, graceMs: number): Promise<void> =>
  new Promise((resolve) => {
    if (worker.isDead()) return resolve();
    const force = setTimeout(() => worker.process.kill('SIGKILL'), graceMs);
    worker.once('exit', () => {
      clearTimeout(force);
      resolve();
    });
    worker.process.kill('SIGTERM');
  });

export const runWorkers = async (config: Config, args: readonly string[]): Promise<Workers> => {
  const log = createLog(config.logLevel);
  const ready = new Set<number>();
  let failedStarts = 0;
  let isStopping = false;
  new RateLimiterClusterMaster();
  const metrics = new AggregatorRegistry();
  // Each worker accepts from the shared listener. Round-robin, Node's default, hands connections over, and those that are on their way
  // to a worker that dies are never answered and never closed.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ args: [...args] });

  const readiness = async (): Promise<Readiness> => {
    const isReady = ready.size === config.workers && !isStopping;
    return { ready: isReady, checks: { workers: isReady ? 'ok' : 'failed' } };
  };
  const registry = { contentType: metrics.contentType, metrics: () => metrics.clusterMetrics() };
  const management = createManagementServer(readiness, registry);
  const address = await management.listen(config.managementHost, config.managementPort);

  const close = async (): Promise<void> => {
    isStopping = true;
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(running.map((worker) => stopWorker(worker, config.drainMs + 2000)));
    await management.close();
    log.flush();
  };

  const listenUrl = await new Promise<string>((resolve, reject) => {
    let isRunning = false;
    const giveUp = (): void => {
      const message = 'the workers cannot be started; their messages above say why';
      if (!isRunning) {
        reject(new CommandError(message));
        return;
      }
      // Without workers the service is over: the supervisor of this process must notice.
      log.fatal({}, message);
      void close().finally(() => process.exit(1));
    };
    const startWorker = (): void => {
      const worker = cluster.fork();
      worker.on('message', (message: unknown) => {
        if (!isReadyMessage(message)) return;
        ready.add(worker.id);
        failedStarts = 0;
        if (ready.size !== config.workers) return;
        isRunning = true;
        resolve(message.url);
      });
      worker.on('exit', (code, signal) => {
        const wasReady = ready.delete(worker.id);
        if (isStopping) return;
        if (!wasReady) failedStarts += 1;
        log.warn({ worker: worker.id, code, signal }, 'worker died');
        if (failedStarts < MAX_FAILED_STARTS) startWorker();
        else giveUp();
      });
    };
    for (let count = 0; count < config.workers; count += 1) startWorker();
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });

  return {
    listenUrl,
    managementUrl: `http://${config.managementHost}:${address.port}`,
    close,
  };
};
