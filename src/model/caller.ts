/** Vocabulary of who calls: areas of the interface, the roles and scopes they demand, and the caller the gate has established. */
import type { ClientId, PsuId } from './ids.js';
import type { SignaturePolicy } from './signature-policy.js';

export const areas = ['piis', 'opendata', 'ais', 'pis'] as const;
export type Area = (typeof areas)[number];

export const roles = ['PSP_IC', 'PSP_AI', 'PSP_PI'] as const;
export type Role = (typeof roles)[number];

export const scopes = ['piis', 'ais', 'pis'] as const;
export type Scope = (typeof scopes)[number];

/** Where a caller's credentials are asked for: the products, and the feed of events, which belongs to every subscription. */
export type CallArea = Area | 'events';

/** Open data and events are for every subscriber: they demand neither a role nor a scope. */
export const roleOf: Readonly<Record<CallArea, Role | undefined>> = {
  piis: 'PSP_IC',
  opendata: undefined,
  ais: 'PSP_AI',
  pis: 'PSP_PI',
  events: undefined,
};

export const scopeOf: Readonly<Record<CallArea, Scope | undefined>> = {
  piis: 'piis',
  opendata: undefined,
  ais: 'ais',
  pis: 'pis',
  events: undefined,
};

export const areasOfRoles = (held: readonly Role[]): Area[] =>
  areas.filter((area) => {
    const needed = roleOf[area];
    return needed === undefined || held.includes(needed);
  });

/** What the tokens of an application must be tied to: nothing, its client certificate (RFC 8705), or a key of its own (RFC 9449). */
export const bindings = ['none', 'certificate', 'dpop'] as const;
export type Binding = (typeof bindings)[number];

/** `fapi2` turns the strict set on together; see docs/security-profiles.md. */
export const profiles = ['none', 'fapi2'] as const;
export type Profile = (typeof profiles)[number];

/** What a token says it is tied to (its claim `cnf`): the hash of a certificate, the thumbprint of a key. */
export interface Confirmation {
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** Who calls by its certificate alone, before there is an application: as the verified certificate says. */
export interface Registrant {
  /** The organizationIdentifier. */
  readonly registration: string;
  readonly roles: readonly Role[];
  /** The certificate of a signature, or of the connection. */
  readonly use: 'seal' | 'web';
  readonly certificate: Buffer;
  /** Its issuer has checked whose it is. If not, as in a sandbox, the key tells one holder from another. */
  readonly isVouched: boolean;
}

/** The application that calls and the account holder its token stands for. Everything is looked up through this pair. */
export interface Caller {
  readonly clientId: ClientId;
  readonly psuId: PsuId;
}

/** What a subscription key stands for: looked up by the gate, used by the checks that follow. */
export interface Access {
  readonly keyId: string;
  readonly subscriptionId: string;
  readonly clientId: ClientId;
  readonly tppId: string;
  /** The authorisation number of the third party, which its certificates must name. */
  readonly registration: string;
  /** How far its requests must be signed; undefined: as the bank says for everybody. */
  readonly signaturePolicy: SignaturePolicy | undefined;
  readonly roles: readonly Role[];
  readonly products: readonly Area[];
  /** Where the application may have account holders sent back to, exactly. */
  readonly redirectUris: readonly string[];
  /** The address for status changes, unless a consent names another one. */
  readonly webhookUrl: string | undefined;
  readonly binding: Binding;
  readonly profile: Profile;
  /** The third party, the application or the key itself is suspended. */
  readonly blocked: boolean;
  readonly quotaPerMinute: number | undefined;
  readonly quotaPerDay: number | undefined;
}
