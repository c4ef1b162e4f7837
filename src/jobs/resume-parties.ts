/** A suspension with an end ends by itself. */
import { type Clock, MINUTE } from '../lib/clock.js';
import type { Queries } from '../store/db.js';
import { overdueSuspensions } from '../tpp/registry.js';
import type { Job } from './jobs.js';

export const resumeParties = (db: Queries, clock: Clock, resume: (id: string) => Promise<void>): Job => ({
  name: 'resume third parties',
  everyMs: MINUTE,
  async step() {
    const due = await overdueSuspensions(db, clock.now());
    for (const { id } of due) await resume(id);
    return due.length;
  },
});
