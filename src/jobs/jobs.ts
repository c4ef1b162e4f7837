/** Work that is done now and then: each job is safe on several nodes at once, bounded, and never stops the service. */
import { errorFields, type Log } from '../observe/log.js';

export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** Returns how many things it has done. */
  run(): Promise<number>;
}

export interface Jobs {
  /** Runs every job once, for tests and before a shutdown. */
  runAll(): Promise<void>;
  close(): Promise<void>;
}

export const startJobs = (jobs: readonly Job[], log: Log): Jobs => {
  const running = new Map<string, Promise<void>>();
  const run = (job: Job): Promise<void> => {
    const known = running.get(job.name);
    if (known) return known;
    const turn = job
      .run()
      .then((done) => {
        if (done > 0) log.info({ job: job.name, done }, 'job');
      })
      .catch((error: unknown) => log.error({ job: job.name, ...errorFields(error) }, 'job failed'))
      .finally(() => running.delete(job.name));
    running.set(job.name, turn);
    return turn;
  };
  const timers = jobs.map((job) => setInterval(() => void run(job), job.everyMs).unref());
  return {
    async runAll() {
      for (const job of jobs) await run(job);
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running.values());
    },
  };
};
