/** A suspension with an end ends by itself. */
import { type Clock, MINUTE } from '../lib/clock.js';
import type { Queries } from '../store/db.js';
import { overdueSuspensions } from '../tpp/registry.js';
import type { Job } from './jobs.js';
import { sumOfEach } from './slices.js';

export const resumeParties = (
  db: Queries,
  clock: Clock,
  /** False if the suspension was changed meanwhile. */
  resume: (id: string) => Promise<boolean>,
): Job => ({
  name: 'resume third parties',
  everyMs: MINUTE,
  async step() {
    const due = await overdueSuspensions(db, clock.now());
    return sumOfEach(due, async ({ id }) => ((await resume(id)) ? 1 : 0));
  },
});
