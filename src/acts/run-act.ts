/** Does an act: role, second person, one transaction, and its row in the audit log. */
import { storedText } from '../audit/audit-log.js';
import type { Queries } from '../store/db.js';
import { type About, type Act, type Context, type Fields, type Input, subjectOf } from './act.js';
import { demandSecond } from './proposals.js';
import { NotAllowed } from './refusal.js';
import { mayAct, SYSTEM } from './role.js';

const detailsOf = <A extends About, F extends Fields, Result, Prepared>(
  { input: fields, audited = [], facts }: Act<A, F, Result, Prepared>,
  input: Input<F>,
  result: Result,
): Readonly<Record<string, unknown>> => {
  const given = input as Readonly<Record<string, unknown>>;
  const noted = audited.flatMap((name) => {
    const value = given[name];
    return value === undefined ? [] : [[name, fields[name]?.noted(value)]];
  });
  return { ...(Object.fromEntries(noted) as object), ...facts?.(result, input) };
};

export const runAct = async <A extends About, F extends Fields, Result, Prepared>(
  context: Context,
  act: Act<A, F, Result, Prepared>,
  id: string,
  input: Input<F>,
): Promise<Result> => {
  const { db, audit, clock, by = SYSTEM } = context;
  const { name } = act;
  if (!mayAct(act.roles, by)) throw new NotAllowed(`${by.actor} has no role for ${name}`);
  const prepared = (await act.prepare?.(context, { id, input })) as Prepared;
  if (act.needsTwo?.(input))
    await demandSecond(context, { act: name, subject: subjectOf(act, id, ''), input: { id, ...input } });
  const why = act.reason?.(input) ?? by.reason;
  const reason = why === undefined ? undefined : storedText(why);
  const work = async (tx: Queries): Promise<Result> => {
    const now = clock.now();
    const result = await act.run(tx, { id, input, now, reason, prepared });
    const subject = act.subject ? act.subject(id, result) : subjectOf(act, id, result);
    const details = detailsOf(act, input, result);
    if (subject !== undefined) await audit.append(tx, { ...by, reason, act: name, subject, details }, now);
    return result;
  };
  const result = await (act.within === 'exclusive' ? db.exclusive(work) : db.transaction(work));
  const failure = act.failure?.(id, result);
  if (failure) throw failure;
  return result;
};
