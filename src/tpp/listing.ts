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
}

export const listTpps = (db: Queries): Promise<TppRow[]> =>
  db.all<TppRow>(
    `select id, name, registration, roles, status, signature_policy as "signaturePolicy"
     from tpps order by name, id limit 10000`,
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

export const listApplications = (db: Queries): Promise<ApplicationRow[]> =>
  db.all<ApplicationRow>(
    `select client_id as "clientId", tpp_id as "tppId", name, redirect_uris as "redirectUris",
            webhook_url as "webhookUrl", token_binding as "binding", profile, status
     from applications order by name, client_id limit 10000`,
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

export const listKeys = (db: Queries): Promise<KeyRow[]> =>
  db.all<KeyRow>(
    `select k.id, s.id as "subscriptionId", s.client_id as "clientId", k.slot, s.products, k.status,
            k.created_at as "createdAt"
     from subscription_keys k join subscriptions s on s.id = k.subscription_id
     where k.revoked_at is null order by s.client_id, s.id, k.slot limit 10000`,
  );
