/** What a form of an act does: reads its fields, runs the act in the name of the operator, and says beside its field why not. */
import type { AnyAct, Context } from '../acts/act.js';
import type { Field } from '../acts/field.js';
import { Proposed } from '../acts/proposals.js';
import { Gone, Refusal } from '../acts/refusal.js';
import type { By } from '../acts/role.js';
import { runAct } from '../acts/run-act.js';
import { type PageAnswer, seeOther } from '../http/pages.js';
import { fieldId, pageOf, sectionOf } from './derived-form.js';
import { hrefOf } from './frame.js';
import { refused, type Visit } from './visit.js';

const LONGEST_REASON = 140;

/** The page of a form again, if it was refused. */
export type Show = (visit: Visit) => Promise<PageAnswer>;

/** In whose name and why; undefined without a good reason. */
export const byOf = ({ operator, request }: Visit): By | undefined => {
  const reason = request.form.reason?.trim() ?? '';
  if (reason === '' || reason.length > LONGEST_REASON) return undefined;
  return { actor: `operator:${operator.name}`, role: operator.role, reason };
};

export const refusedReason = (visit: Visit, section: string): Visit =>
  refused(visit, `${section}-reason`, visit.messages.reasonMissing);

/** Undefined: it was not given. False: it cannot be read. */
const valueIn = (visit: Visit, name: string, field: Field, now: number): unknown => {
  const { request, timeZone } = visit;
  if (field.upload) return request.uploaded ?? false;
  const text = request.form[name] ?? '';
  if (field.isOptional && text.trim() === '') return undefined;
  return field.fromForm(field.kind === 'lines' ? text : text.trim(), { timeZone, now }) ?? false;
};

const refusalOf = (visit: Visit, act: AnyAct, section: string, error: Refusal): Visit => {
  const { field: name = 'reason' } = error;
  const field = act.input[name];
  return refused(
    visit,
    field ? fieldId(section, name, field) : `${section}-${name}`,
    error.textIn(visit.lang),
  );
};

export const pressAct = async (
  { context, show }: { readonly context: Context; readonly show: Show },
  visit: Visit,
  act: AnyAct,
): Promise<PageAnswer> => {
  const id = act.about === 'new' ? '' : (visit.request.params.id ?? '');
  const section = sectionOf(act, id);
  const by = byOf(visit);
  if (!by) return show(refusedReason(visit, section));
  const input: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(act.input)) {
    const value = valueIn(visit, name, field, context.clock.now());
    if (value === false)
      return show(refused(visit, fieldId(section, name, field), visit.messages.wrong[field.kind] ?? ''));
    if (value !== undefined) input[name] = value;
  }
  const lead = (done: string): PageAnswer =>
    seeOther(`${hrefOf(visit, pageOf(act).path.replace(':id', encodeURIComponent(id)))}?done=${done}`);
  try {
    await runAct({ ...context, by }, act, id, input);
    return lead(pageOf(act).done);
  } catch (error) {
    if (error instanceof Refusal) return show(refusalOf(visit, act, section, error));
    if (error instanceof Proposed) return lead('proposed');
    if (error instanceof Gone) return lead(error.done);
    throw error;
  }
};
