/**
 * Consents asked for within the authorization request (RFC 9396): what the authorization server must know about them. What an
 * entry may say, how it becomes a consent and what was granted is the knowledge of the operations, handed in from above.
 */

import type {
  AccessToken,
  AuthorizationDetail,
  KoaContextWithOIDC as Context,
  errors as OidcErrors,
  RichAuthorizationRequestsActiveConfiguration,
} from 'oidc-provider';
import type { Caller, Scope } from '../model/caller.js';
import type { ClientId, ConsentId, PsuId } from '../model/ids.js';

/** The types of an entry, each with the scope that its consent is used with. */
export const detailScopes = {
  account_access: 'ais',
  funds_confirmation: 'piis',
  payment_initiation: 'pis',
} as const satisfies Readonly<Record<string, Scope>>;

export type DetailType = keyof typeof detailScopes;
export const detailTypes = Object.keys(detailScopes) as readonly DetailType[];

/** An entry as it was sent. */
export type Detail = Readonly<Record<string, unknown>> & { readonly type: DetailType };

/** What a grant remembers of an entry; everything else is read from the consent. */
export interface GrantedDetail {
  readonly type: DetailType;
  readonly consentId: ConsentId;
}

/** The consent of an interaction, as it stands now. */
export interface InteractionDecision {
  readonly id: string;
  readonly psuId: PsuId;
  readonly decision: 'open' | 'approved' | 'refused';
}

export interface ConsentRequests {
  /** What is wrong with the entries, as they were sent, in words for the application. */
  faultOf(entries: string, clientId: ClientId): Promise<string | undefined>;
  /** Creates the consent of an interaction, or finds the one it has. Undefined if the interaction is over. */
  begin(uid: string, caller: Caller, detail: Detail): Promise<InteractionDecision | undefined>;
  find(uid: string, clientId: ClientId): Promise<InteractionDecision | undefined>;
  /** The entry as it was approved, with the status of its consent now. */
  granted(detail: GrantedDetail, caller: Caller): Promise<AuthorizationDetail>;
}

/** The parameters of an authorization request: the library refuses any that is not a string, but its types do not say so. */
export const paramsOf = (request: { readonly params?: object | undefined }) =>
  (request.params ?? {}) as Record<string, string | undefined>;

/** The entry of a checked request, if it has one. */
export const detailOf = (request: { readonly params?: object | undefined }): Detail | undefined => {
  const { authorization_details: entries } = paramsOf(request);
  return entries === undefined ? undefined : (JSON.parse(entries) as Detail[])[0];
};

const isGranted = (detail: unknown): detail is GrantedDetail =>
  typeof (detail as { consentId?: unknown }).consentId === 'string';

/** For the token response and introspection; undefined if no consent belongs to the token. */
export const grantedDetails = async (
  requests: ConsentRequests,
  rar: readonly unknown[] | undefined,
  caller: Caller,
): Promise<readonly AuthorizationDetail[] | undefined> =>
  rar && rar.length > 0
    ? Promise.all(rar.filter(isGranted).map((detail) => requests.granted(detail, caller)))
    : undefined;

export const ONE_ENTRY = 'authorization_details must have exactly one entry';

type Errors = typeof OidcErrors;

/** Grants the scope of the type beside what was asked for: without it the consent could not be used. */
const addScope = ({ oidc }: Context, scope: Scope): void => {
  const params = paramsOf(oidc);
  const asked = (params.scope ?? '').split(' ').filter(Boolean);
  params.scope = [...new Set([...asked, scope])].join(' ');
};

const validateWith =
  ({ InvalidAuthorizationDetails }: Errors, requests: ConsentRequests) =>
  async (ctx: Context, { type }: AuthorizationDetail): Promise<void> => {
    if (ctx.oidc.route === 'token')
      throw new InvalidAuthorizationDetails('authorization_details belong into the authorization request');
    const { authorization_details: entries = '[]' } = paramsOf(ctx.oidc);
    const fault = await requests.faultOf(entries, ctx.oidc.client?.clientId ?? '');
    if (fault !== undefined) throw new InvalidAuthorizationDetails(fault);
    addScope(ctx, detailScopes[type as DetailType]);
  };

/** For the library: the types, and that a token tells what its consent is, not what the request has said. */
export const detailFeature = (
  errors: Errors,
  requests: ConsentRequests,
): RichAuthorizationRequestsActiveConfiguration => {
  const validate = validateWith(errors, requests);
  return {
    enabled: true,
    types: Object.fromEntries(detailTypes.map((type) => [type, { validate }])),
    authorizationDetailsForGrantSource: async ({ oidc }) => oidc.grant?.rar,
    authorizationDetailsForAccessToken: async (_ctx, token, source) => {
      const { clientId = '', accountId } = token as AccessToken;
      return grantedDetails(requests, source?.rar, { clientId, psuId: accountId });
    },
  };
};

/** The library treats an empty list as absent; an empty list is a mistake of the client. */
export const refuseEmptyDetails =
  ({ InvalidAuthorizationDetails }: Errors) =>
  async ({ oidc, query }: Context, value: string | undefined): Promise<void> => {
    const sent = oidc.route === 'pushed_authorization_request' ? oidc.body : query;
    if (sent?.authorization_details && value === undefined) throw new InvalidAuthorizationDetails(ONE_ENTRY);
  };
