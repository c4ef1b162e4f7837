/** The register as operators read it: no secrets, because the store has none. */
import type { ClientId } from '../model/ids.js';
import type { Queries } from '../store/db.js';

export interface TppRow {
  readonly id: string;
  readonly name: string;
  readonly registration: string;
  readonly roles: string;
  readonly status: string;
  /** Null: as the bank says for everybody. */
  readonly signaturePolicy: string | null;
  /** Reads a day without the account holder; null: as the bank says for everybody. */
  readonly unattendedPerDay: number | null;
  readonly suspendedUntil: number | null;
  readonly suspensionReason: string | null;
  /** Why the service itself has suspended it, such as `certificate-expired` or `register-ended`. */
  readonly withdrawnFor: string | null;
}

/** All, or the one with this id. */
export const listTpps = (db: Queries, id: string | null = null): Promise<TppRow[]> =>
  db.all<TppRow>(
    `select id, name, registration, roles, status, signature_policy as "signaturePolicy", unattended_per_day as "unattendedPerDay",
            suspended_until as "suspendedUntil", suspension_reason as "suspensionReason", withdrawn_for as "withdrawnFor"
     from tpps where id = coalesce(?, id) order by name, id limit 10000`,
    [id],
  );

export interface ApplicationRow {
  readonly clientId: ClientId;
  readonly tppId: string;
  readonly name: string;
  readonly redirectUris: string;
  readonly webhookUrl: string | null;
  readonly binding: string;
  readonly profile: string;
  readonly status: string;
}

/** Of all third parties, or of one; so are the lists below. */
export const listApplications = (db: Queries, tppId: string | null = null): Promise<ApplicationRow[]> =>
  db.all<ApplicationRow>(
    `select client_id as "clientId", tpp_id as "tppId", name, redirect_uris as "redirectUris",
            webhook_url as "webhookUrl", token_binding as "binding", profile,
            case when ended_at is not null then 'ended' when waiting_since is not null then 'waiting' else status end as status
     from applications where tpp_id = coalesce(?, tpp_id) order by name, client_id limit 10000`,
    [tppId],
  );

export interface KeyRow {
  readonly id: string;
  readonly subscriptionId: string;
  readonly clientId: ClientId;
  readonly slot: string;
  readonly products: string;
  readonly status: string;
  readonly createdAt: number;
}

export const listKeys = (db: Queries, tppId: string | null = null): Promise<KeyRow[]> =>
  db.all<KeyRow>(
    `select k.id, s.id as "subscriptionId", s.client_id as "clientId", k.slot, s.products, k.status,
            k.created_at as "createdAt"
     from subscription_keys k join subscriptions s on s.id = k.subscription_id
     join applications a on a.client_id = s.client_id
     where k.revoked_at is null and a.tpp_id = coalesce(?, a.tpp_id)
     order by s.client_id, s.id, k.slot limit 10000`,
    [tppId],
  );

/** Null: as the bank says for everybody. */
export interface QuotaRow {
  readonly subscriptionId: string;
  readonly perMinute: number | null;
  readonly perDay: number | null;
}

/** Of the subscriptions of an application. */
export const listQuotas = (db: Queries, clientId: ClientId): Promise<QuotaRow[]> =>
  db.all<QuotaRow>(
    `select id as "subscriptionId", quota_per_minute as "perMinute", quota_per_day as "perDay"
     from subscriptions where client_id = ? order by id limit 100`,
    [clientId],
  );
