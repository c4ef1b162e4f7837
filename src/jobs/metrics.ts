/** What is measured of jobs: how they end, when each last succeeded on any node, and for how long its oldest thing has been due. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Job } from './jobs.js';
import type { Leases } from './leases.js';

export interface JobMetrics {
  ended(job: string, outcome: 'done' | 'failed'): void;
  did(job: string, things: number): void;
  watch(jobs: readonly Job[], leases: Leases): void;
}

const labelNames = ['job'] as const;

export const createJobMetrics = (registry: Registry): JobMetrics => {
  const registers = [registry];
  const runs = new Counter({
    name: 'trapeza_job_runs_total',
    help: 'Runs of a job by outcome',
    labelNames: ['job', 'outcome'] as const,
    registers,
  });
  const things = new Counter({
    name: 'trapeza_job_things_total',
    help: 'Things that a job has done, such as consents ended or records deleted',
    labelNames,
    registers,
  });
  return {
    did: (job, count) => things.inc({ job }, count),
    ended: (job, outcome) => runs.inc({ job, outcome }),
    watch(jobs, leases) {
      new Gauge({
        name: 'trapeza_job_last_success_timestamp_seconds',
        help: 'When a job last came to its end, on any node',
        labelNames,
        registers,
        async collect() {
          // If the store is away, the last known moments stand.
          for (const { name, succeededAt } of await leases.all().catch(() => []))
            if (succeededAt !== null) this.set({ job: name }, succeededAt / 1000);
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
