/** What a security event tells of a visitor of our pages, wherever a login or a code is refused. */
import type { IncomingMessage } from 'node:http';
import type { PageRequest } from '../../http/pages.js';
import type { Security, SecurityFacts } from '../../observe/security-events.js';

export interface VisitorEventParts {
  readonly security: Security;
  readonly addressOf: (request: IncomingMessage) => string;
}

type Visitor = Pick<SecurityFacts, 'userName' | 'personId' | 'reason'>;

export const visitorEvent = (
  { security, addressOf }: VisitorEventParts,
  kind: 'login-refused' | 'code-wrong',
  { raw, requestId }: PageRequest,
  visitor: Visitor,
): void => security.event(kind, { ...visitor, address: addressOf(raw.request), requestId });
