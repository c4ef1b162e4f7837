/** The part of oidc-provider that is used here; the package has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export type Payload = {
    grantId?: string;
    consumed?: number;
    exp?: number;
    [member: string]: unknown;
  };

  export interface Adapter {
    find(id: string): Promise<Payload | undefined>;
    upsert(id: string, payload: Payload, expiresInSeconds: number): Promise<void>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
    findByUid(uid: string): Promise<Payload | undefined>;
    findByUserCode(code: string): Promise<Payload | undefined>;
  }

  export interface Client {
    readonly clientId: string;
    readonly clientSecret?: string;
    readonly clientName?: string;
    readonly clientAuthMethod: string;
    readonly scope?: string;
    readonly party?: string;
    readonly registration?: string;
    readonly profile?: string;
    readonly jwks?: { readonly keys: readonly object[] };
    compareClientSecret(actual: string): boolean;
  }

  export interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    addRar(detail: object): void;
    save(): Promise<string>;
  }

  export interface Interaction {
    readonly uid: string;
    readonly prompt: { readonly name: string; readonly reasons: readonly string[] };
    readonly params: Readonly<Record<string, string | undefined>>;
    readonly result?: InteractionResult;
    readonly returnTo: string;
  }

  export interface RefreshToken {
    readonly clientId: string;
    readonly accountId: string;
    readonly grantId: string;
    readonly scope?: string;
    readonly iat: number;
    readonly exp: number;
    readonly isValid: boolean;
    readonly rar?: readonly object[];
  }

  export interface Context {
    type: string;
    status: number;
    body: unknown;
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    readonly headers: IncomingMessage['headers'];
    readonly query: Readonly<Record<string, string | string[] | undefined>>;
    set(name: string, value: string): void;
    /** What the library knows about the request so far. */
    readonly oidc: {
      readonly route: string;
      readonly issuer: string;
      readonly params: Record<string, string | undefined>;
      readonly body?: Readonly<Record<string, string | undefined>>;
      readonly client: Client;
      readonly grant?: { readonly rar?: readonly object[] };
      readonly entities: { readonly RefreshToken?: RefreshToken };
    };
  }

  export interface InteractionResult {
    readonly login?: { readonly accountId: string; readonly remember: boolean };
    readonly consent?: { readonly grantId: string };
    readonly error?: string;
    readonly error_description?: string;
  }

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    proxy: boolean;
    readonly Client: {
      readonly prototype: Client;
      find(id: string): Promise<Client | undefined>;
    };
    readonly Grant: {
      new (of: { readonly accountId: string; readonly clientId: string }): Grant;
      find(id: string): Promise<{ readonly rar?: readonly object[] } | undefined>;
    };
    readonly RefreshToken: { find(value: string): Promise<RefreshToken | undefined> };
    readonly ReplayDetection: { unique(issuer: string, id: string, expiresAt: number): Promise<boolean> };
    use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): this;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: InteractionResult,
      options?: { readonly mergeWithLastSubmission?: boolean },
    ): Promise<string>;
    on(event: ProviderErrorEvent, listener: (ctx: Context, error: Error) => void): this;
  }

  type ProviderErrorEvent =
    | 'server_error'
    | 'grant.error'
    | 'authorization.error'
    | 'pushed_authorization_request.error';

  type OidcError = new (detail?: string) => Error;

  export const errors: {
    readonly InvalidAuthorizationDetails: OidcError;
    readonly InvalidGrant: OidcError;
    readonly InvalidClientAuth: OidcError;
    readonly InvalidRequestUri: OidcError;
    readonly InvalidTarget: OidcError;
    readonly SessionNotFound: OidcError;
  };
}
