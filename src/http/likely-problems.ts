/** The refusals that a caller of an operation is likely to meet: those of its handler, and those that follow from its shape. */
import { scopeOf } from '../model/caller.js';
import type { ProblemSlug } from '../problem/problem.js';
import type { Operation } from './operation.js';
import { problemSlugs } from './problem-schema.js';

const ofCredentials = ({ area }: Operation): readonly ProblemSlug[] => {
  if (typeof area !== 'string') return [];
  return [
    'subscription-key-missing',
    'subscription-key-invalid',
    'token-missing',
    'token-invalid',
    'token-expired',
    'quota-exceeded',
    'dependency-unavailable',
    ...(area === 'events' ? [] : (['product-not-subscribed'] as const)),
    ...(scopeOf[area] ? (['insufficient-scope', 'role-not-permitted'] as const) : []),
  ];
};

const ofMessage = ({ headers, query, params, body, repeat }: Operation): readonly ProblemSlug[] => [
  ...(headers.length > 0 ? (['invalid-header'] as const) : []),
  ...(query.length > 0 ? (['invalid-query'] as const) : []),
  ...(body ? (['invalid-json', 'validation-failed'] as const) : []),
  ...(params.length > 0 ? (['resource-not-found'] as const) : []),
  ...(headers.some(({ name }) => name === 'Signature') ? (['signature-invalid'] as const) : []),
  ...(repeat === 'ignored' ? [] : (['request-id-conflict'] as const)),
];

/** In the order of their statuses. */
export const likelyProblems = (operation: Operation): readonly ProblemSlug[] => {
  const all = new Set([...(operation.problems ?? []), ...ofMessage(operation), ...ofCredentials(operation)]);
  return problemSlugs.filter((slug) => all.has(slug));
};
