/** What may change within a version: the sentence that documents and pages quote, and the schemas that say the same. */
import { namedSchemas } from './openapi-schema.js';
import type { Operation, Webhook } from './operation.js';

export const CHANGE_RULE =
  'Requests, the four operations of the interface document and the error body are closed; every other answer, every event and the `extensions` of an error are open: members may be added, and enumerations marked `x-extensible-enum` may grow, so ignore what you do not know.';

/** A schema that allows further members. If its name is that of a closed one, it gets a name of its own. */
const opened = <Schema>(schema: Schema, closedNames: ReadonlySet<unknown>): Schema => {
  const open = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(open);
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(
      ([name, each]) => name !== 'additionalProperties' || each !== false,
    );
    return Object.fromEntries(
      kept.map(([name, each]) => [
        name,
        name === 'title' && closedNames.has(each) ? `${each}Response` : open(each),
      ]),
    );
  };
  return open(schema) as Schema;
};

/** Operations and webhooks with open answers and events. */
export const openContract = (
  operations: readonly Operation[],
  webhooks: readonly Webhook[],
): { readonly operations: readonly Operation[]; readonly webhooks: readonly Webhook[] } => {
  const closed = operations.map(({ body, isSpecified, success }) => [body, isSpecified && success.schema]);
  const closedNames = new Set<unknown>(namedSchemas(closed).map(([name]) => name));
  return {
    operations: operations.map((each) => {
      const { success, isSpecified } = each;
      if (isSpecified || !success.schema) return each;
      return { ...each, success: { ...success, schema: opened(success.schema, closedNames) } };
    }),
    webhooks: webhooks.map((each) => ({ ...each, body: opened(each.body, closedNames) })),
  };
};
