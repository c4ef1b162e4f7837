/** A suspension with an end ends by itself: the act of letting in again, unless an operator was faster. */
import { act, type Context } from '../acts/act.js';
import { runAct } from '../acts/run-act.js';
import { resumeTpp } from './acts.js';
import { resumeIfOver } from './registry.js';

const { name, about, roles, texts, input } = resumeTpp;

const resume = act({
  ...{ name, about, roles, texts, input },
  run: (tx, { id, now }) => resumeIfOver(tx, id, now),
  subject: (id, isResumed) => (isResumed ? `tpp:${id}` : undefined),
});

/** False, and no row in the audit log, if it was suspended anew, or resumed, meanwhile. */
export const resumeOverdue = (context: Context, id: string): Promise<boolean> =>
  runAct(context, resume, id, {});
