/** What the authorization server refuses and a defender wants to know: credentials of applications, and what is used twice. */
import type { KoaContextWithOIDC as Context, Provider } from 'oidc-provider';
import { reasons } from '../../certificate/reasons.js';
import type { Source } from '../../lib/net/address.js';
import type { Security, SecurityEventKind } from '../../observe/security-events.js';

export interface ProviderEventParts {
  readonly security: Security;
  readonly sourceOf: (request: Context['req']) => Source;
}

type Refused = Error & { readonly error?: string; readonly error_detail?: string };

/** The library's words and ours (../records.ts) for what has been used already. */
const REUSED = /already (consumed|used)|used before/;

const judge = ({ error, error_detail: detail = '' }: Refused): [SecurityEventKind, string] | undefined => {
  if (REUSED.test(detail)) return ['token-reuse', 'used-before'];
  if (detail === 'client mismatch') return ['token-reuse', 'other-application'];
  return error === 'invalid_client' ? ['key-refused', 'client-credential'] : undefined;
};

export const watchProvider = (provider: Provider, { security, sourceOf }: ProviderEventParts): void => {
  const refused = (ctx: Context, error: Error): void => {
    const [kind, reason] = judge(error) ?? [];
    if (kind === undefined) return;
    security.event(kind, {
      reason,
      address: sourceOf(ctx.req),
      clientId: ctx.oidc.client?.clientId,
      requestId: String(ctx.res.getHeader('X-Request-ID')),
    });
  };
  provider.on('grant.error', refused);
  provider.on('pushed_authorization_request.error', refused);
  provider.on('authorization.error', refused);
};

const barred: ReadonlySet<string> = new Set([reasons.blocked.detail, reasons.revoked.detail]);

/** The certificate of a call to the authorization server was not accepted, for the reason that `detail` says. */
export const certificateEvent = (
  { security, sourceOf }: ProviderEventParts,
  request: Context['req'],
  requestId: string,
  detail: string,
): void =>
  security.event(barred.has(detail) ? 'certificate-blocked' : 'certificate-refused', {
    address: sourceOf(request),
    requestId,
  });
