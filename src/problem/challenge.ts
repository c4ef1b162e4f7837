/** What a refused call must bring: the value of WWW-Authenticate, by its problem. */
import type { ProblemSlug } from './problem.js';

const REALM = 'realm="trapeza"';

export const challengeOf = (slug: ProblemSlug): string => {
  if (slug === 'token-missing') return `Bearer ${REALM}`;
  if (slug.startsWith('token-')) return `Bearer ${REALM}, error="invalid_token"`;
  if (slug.startsWith('signature-') || slug === 'certificate-invalid')
    return `Signature ${REALM},headers="digest x-request-id"`;
  return `SubscriptionKey ${REALM}`;
};
