/** What a security event tells of a visitor of our pages, wherever a login or a code is refused. */
import type { IncomingMessage } from 'node:http';
import type { PageRequest } from '../../http/pages.js';
import type { Source } from '../../lib/net/address.js';
import type { Security, SecurityFacts } from '../../observe/security-events.js';

export interface VisitorEventParts {
  readonly security: Security;
  readonly sourceOf: (request: IncomingMessage) => Source;
}

type Visitor = Pick<SecurityFacts, 'userName' | 'personId' | 'reason'>;

export const visitorEvent = (
  { security, sourceOf }: VisitorEventParts,
  kind: 'code-wrong',
  { raw, requestId }: PageRequest,
  visitor: Visitor,
): void => security.event(kind, { ...visitor, address: sourceOf(raw.request), requestId });
