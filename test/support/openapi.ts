/** The OpenAPI document of the sandbox: the interface and the controls. */
import { sandbox } from '../../packages/sandbox/src/sandbox.js';
import { describedOperations, openApiText } from '../../src/documents.js';
import { likelyProblems } from '../../src/http/likely-problems.js';

export const openApi: unknown = JSON.parse(openApiText(sandbox));

/** By the id of an operation: the problems that its documentation names. */
export const declaredProblems: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  describedOperations(sandbox).map((each) => [each.id, new Set<string>(likelyProblems(each))]),
);
