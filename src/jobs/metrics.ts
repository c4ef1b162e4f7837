/** What is measured of jobs: how they end, when each last succeeded on any node, and for how long its oldest thing has been due. */
import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../lib/clock.js';
import { createCounter } from '../observe/counter.js';
import type { Job } from './jobs.js';
import type { Leases } from './leases.js';

export interface JobMetrics {
  ended(job: string, outcome: 'done' | 'failed'): void;
  did(job: string, things: number): void;
  watch(jobs: readonly Job[], leases: Leases, clock: Clock): void;
}

const labelNames = ['job'] as const;

export const createJobMetrics = (registry: Registry, jobs: readonly Pick<Job, 'name'>[]): JobMetrics => {
  const registers = [registry];
  const names = jobs.map(({ name }) => name);
  const runs = createCounter(registry, {
    name: 'trapeza_job_runs_total',
    help: 'Runs of a job by outcome',
    labels: { job: names, outcome: ['done', 'failed'] },
  });
  const things = createCounter(registry, {
    name: 'trapeza_job_things_total',
    help: 'Things that a job has done, such as consents ended or records deleted',
    labels: { job: names },
  });
  return {
    did: (job, count) => things.inc({ job }, count),
    ended: (job, outcome) => runs.inc({ job, outcome }),
    watch(jobs, leases, clock) {
      const interval = new Gauge({
        name: 'trapeza_job_interval_seconds',
        help: 'How often a job runs; its last success should not be older than three times that',
        labelNames,
        registers,
      });
      for (const { name, everyMs } of jobs) interval.set({ job: name }, everyMs / 1000);
      const watchedSince = clock.now();
      const leased = jobs.filter(({ isLocal }) => !isLocal);
      new Gauge({
        name: 'trapeza_job_last_success_timestamp_seconds',
        help: 'When a job last came to its end, on any node; since when this node waits for it, if it never has',
        labelNames,
        registers,
        async collect() {
          const rows = await leases.all().catch(() => undefined);
          // If the store is away, the last known moments stand.
          if (!rows) return;
          const succeeded = new Map(rows.map(({ name, succeededAt }) => [name, succeededAt]));
          for (const { name } of leased)
            this.set({ job: name }, (succeeded.get(name) ?? watchedSince) / 1000);
        },
      });
      new Gauge({
        name: 'trapeza_job_backlog_seconds',
        help: 'For how long the oldest thing that a job has to do has been due; 0 if nothing is',
        labelNames,
        registers,
        async collect() {
          // A store that is away must not say that all is well.
          for (const job of jobs)
            if (job.overdueMs)
              this.set({ job: job.name }, (await job.overdueMs().catch(() => Number.NaN)) / 1000);
        },
      });
    },
  };
};
