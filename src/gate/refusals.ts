/** Which refusals of operations are security events. Asked once a request is refused, so that what passes pays nothing for it. */
import { reasons } from '../certificate/reasons.js';
import type { Exchange } from '../http/exchange.js';
import type { Source } from '../lib/net/address.js';
import { ReusedProof } from '../oauth/binding/proofs.js';
import type { Detection } from '../observe/detection.js';
import type { Security, SecurityEventKind } from '../observe/security-events.js';
import type { Problem, ProblemSlug } from '../problem/problem.js';

const kinds: Partial<Record<ProblemSlug, SecurityEventKind>> = {
  'subscription-key-invalid': 'key-refused',
  'access-blocked': 'third-party-suspended',
  'signature-required': 'signature-refused',
  'signature-invalid': 'signature-refused',
  'digest-mismatch': 'signature-refused',
  'certificate-invalid': 'certificate-refused',
};

const kindOf = (problem: Problem): SecurityEventKind | undefined => {
  if (problem instanceof ReusedProof) return 'token-reuse';
  const { code } = problem;
  const isBarred = code === reasons.revoked.code || code === reasons.blocked.code;
  return isBarred ? 'certificate-blocked' : kinds[problem.slug];
};

/** What a funds question names, as its schema has let it pass. */
const accountOf = ({ body }: Exchange): unknown => {
  const { account, cardNumber } = (body ?? {}) as {
    readonly account?: unknown;
    readonly cardNumber?: unknown;
  };
  return [account, cardNumber];
};

export interface RefusalParts {
  readonly security: Security;
  readonly detection: Detection;
  readonly sourceOf: (request: Exchange['request']) => Source;
}

export const watchRefusals =
  ({ security, detection, sourceOf }: RefusalParts) =>
  (exchange: Exchange, problem: Problem): void => {
    if (problem.details.isRehearsed) return;
    const { clientId } = exchange.caller;
    if (problem.slug === 'consent-required' && exchange.operation?.id === 'confirmFunds')
      detection.uncovered({ clientId, requestId: exchange.requestId }, accountOf(exchange));
    const kind = kindOf(problem);
    if (kind === undefined) return;
    security.event(kind, {
      reason: problem.slug,
      address: sourceOf(exchange.request),
      clientId: exchange.access?.clientId,
      requestId: exchange.requestId,
    });
  };
