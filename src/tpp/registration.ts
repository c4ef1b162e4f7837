/**
 * Third parties that register themselves by their certificate (RFC 7591), and their applications. A third party is one row, whatever the
 * number of its certificates; an application is one for each software id. Call within a transaction.
 */
import { certificateOf } from '../certificate/certificate.js';
import type { RealTime } from '../lib/clock.js';
import { newId } from '../lib/id.js';
import type { Area, Binding, Profile, Registrant, Role } from '../model/caller.js';
import type { ClientId } from '../model/ids.js';
import { Problem } from '../problem/problem.js';
import type { Queries } from '../store/db.js';
import { holderOf, insertCertificate } from './certificates.js';
import { redirectUrisColumn } from './columns.js';
import { findInRegister } from './eba/stored-register.js';
import { findNumber, hasKey } from './registrant-keys.js';
import { createApplication, createSubscription, type IssuedKey } from './registry.js';
import { setSecurity } from './security.js';
import { bumpVersion } from './version.js';
import { narrowToRoles } from './withdrawal.js';

/** What an application is to be, as its metadata says. */
export interface RegistrationWish {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly products: readonly Area[];
  readonly jwks: string | null;
  readonly binding: Binding;
  readonly profile: Profile;
}

export interface RegisteredApplication {
  readonly clientId: ClientId;
  readonly name: string;
  readonly redirectUris: string;
  readonly jwks: string | null;
  readonly binding: Binding;
  readonly profile: Profile;
  readonly softwareId: string;
  readonly waitingSince: number | null;
  readonly createdAt: number;
  readonly status: string;
  readonly products: string;
  readonly subscriptionId: string;
  readonly tppName: string;
  readonly tppStatus: string;
  readonly registration: string;
  readonly roles: string;
}

const REGISTERED = `
  select a.client_id as "clientId", a.name, a.redirect_uris as "redirectUris", a.jwks, a.token_binding as "binding",
         a.profile, a.software_id as "softwareId", a.waiting_since as "waitingSince", a.created_at as "createdAt", a.status,
         s.products, s.id as "subscriptionId", t.name as "tppName", t.status as "tppStatus", t.registration, t.roles
  from applications a join tpps t on t.id = a.tpp_id join subscriptions s on s.client_id = a.client_id
  where t.registration = ? and a.client_id = ? and a.software_id is not null and a.ended_at is null
  order by s.created_at, s.id`;

/** Undefined unless this third party has registered it: what an operator has made, the operator changes. */
export const findRegistered = async (
  db: Queries,
  registrant: Registrant,
  clientId: ClientId,
): Promise<RegisteredApplication | undefined> => {
  const found = await db.one<RegisteredApplication>(REGISTERED, [registrant.registration, clientId]);
  return found && (await isSameHolder(db, registrant)) ? found : undefined;
};

const INSERT_TPP = `
  insert into tpps (id, name, registration, roles, status, created_at, registered_by) values (?, ?, ?, ?, 'active', ?, 'certificate')
  on conflict (registration) do nothing`;
const FIND_TPP = `
  select id, roles, status, registered_by as "registeredBy", withdrawn_for as "withdrawnFor" from tpps where registration = ?`;
const NEWEST_ROLES = `
  select roles from tpp_certificates
  where tpp_id = ? and roles is not null and revoked_at is null order by not_before desc, added_at desc limit 1`;
const SET_ROLES = 'update tpps set roles = ? where id = ?';
const RESTORE = `update tpps set status = 'active', withdrawn_for = null where id = ?`;

interface TppState {
  readonly id: string;
  readonly roles: string;
  readonly status: string;
  readonly registeredBy: string;
  readonly withdrawnFor: string | null;
}

export interface KeptTpp {
  readonly id: string;
  readonly roles: readonly Role[];
}

/** Those of the certificate that the register of the EBA has too, if the bank has read it and this third party is in it. */
const rolesInRegister = async (tx: Queries, registration: string, held: string): Promise<string> => {
  const entry = await findInRegister(tx, registration);
  if (!entry) return held;
  if (!entry.isAuthorised)
    throw new Problem('role-not-permitted', {
      detail: `By the register of the EBA the authorisation of ${registration} ended on ${entry.changedOn}.`,
    });
  const kept = held.split(' ').filter((role) => entry.roles.some((each) => each === role));
  if (kept.length === 0)
    throw new Problem('role-not-permitted', {
      detail: `The register of the EBA has none of the roles of the certificate (${held}) for ${registration} in this country.`,
    });
  return kept.join(' ');
};

/** A third party that an operator has registered keeps the roles that it was given. */
const rolesOf = async (
  tx: Queries,
  { id, roles, registeredBy }: TppState,
  registration: string,
): Promise<string> => {
  if (registeredBy !== 'certificate') return roles;
  const newest = (await tx.one<{ roles: string }>(NEWEST_ROLES, [id]))?.roles ?? roles;
  const held = await rolesInRegister(tx, registration, newest);
  if (held !== roles) {
    await tx.run(SET_ROLES, [held, id]);
    await narrowToRoles(tx, id, held.split(' ') as Role[]);
  }
  return held;
};

/** Whether a verified certificate stands for the registered third party that it names. */
const isSameHolder = async (
  db: Queries,
  { isVouched, registration, certificate }: Registrant,
): Promise<boolean> => {
  if (isVouched) return true;
  const known = await findNumber(db, registration);
  return known !== undefined && hasKey(known, certificateOf(certificate).publicKey);
};

/**
 * The third party of a verified certificate, which is kept. One that was withdrawn because its certificate had ended comes back; one that
 * an operator has suspended does not.
 */
export const keepRegistrant = async (
  tx: Queries,
  registrant: Registrant,
  nowMs: RealTime,
): Promise<KeptTpp> => {
  const { certificate: der, registration, use } = registrant;
  const certificate = certificateOf(der);
  const { name, roles } = holderOf(certificate);
  // All changes of the register wait here for each other.
  await bumpVersion(tx);
  const isNew = (await tx.run(INSERT_TPP, [newId(), name, registration, roles.join(' '), nowMs])) === 1;
  if (!isNew && !(await isSameHolder(tx, registrant)))
    throw new Problem('state-conflict', {
      detail:
        'This organizationIdentifier is registered with another key. The authority of a sandbox checks nobody, so the number belongs to the first one: choose another number, or use the key of an earlier certificate.',
    });
  const tpp = await tx.one<TppState>(FIND_TPP, [registration]);
  if (!tpp) throw new Error('the third party was not kept');
  const returns = tpp.withdrawnFor?.startsWith('certificate') ?? false;
  if (tpp.status !== 'active' && !returns) throw new Problem('access-blocked');
  await insertCertificate(tx, tpp.id, certificate, use, nowMs);
  if (returns) await tx.run(RESTORE, [tpp.id]);
  return { id: tpp.id, roles: (await rolesOf(tx, tpp, registration)).split(' ') as Role[] };
};

const FIND_BY_SOFTWARE =
  'select client_id as "clientId" from applications where tpp_id = ? and software_id = ? and ended_at is null';
const MARK_SOFTWARE =
  'update applications set software_id = ?, waiting_since = ?, status = ? where client_id = ?';

export interface NewRegistration extends RegistrationWish {
  readonly softwareId: string;
  /** An operator must approve it before it can be used. */
  readonly waits: boolean;
}

export interface Registered {
  readonly clientId: ClientId;
  readonly clientSecret: string;
  readonly keys: readonly IssuedKey[];
}

/** The id of the application if there is one with this software id already. */
export const registerApplication = async (
  tx: Queries,
  { id: tppId }: KeptTpp,
  wish: NewRegistration,
  nowMs: RealTime,
): Promise<Registered | { readonly existing: ClientId }> => {
  const { name, redirectUris, products, jwks, binding, profile, softwareId, waits } = wish;
  const known = await tx.one<{ clientId: ClientId }>(FIND_BY_SOFTWARE, [tppId, softwareId]);
  if (known) return { existing: known.clientId };
  const wanted = { tppId, name, redirectUris, ...(jwks === null ? {} : { jwks }) };
  const { clientId, clientSecret } = await createApplication(tx, wanted, nowMs);
  const [status, since] = waits ? (['suspended', nowMs] as const) : (['active', null] as const);
  await tx.run(MARK_SOFTWARE, [softwareId, since, status, clientId]);
  await setSecurity(tx, clientId, { binding, profile });
  const { keys } = await createSubscription(tx, { clientId, products }, nowMs);
  return { clientId, clientSecret, keys };
};

const CHANGE_APPLICATION =
  'update applications set name = ?, redirect_uris = ?, jwks = ? where client_id = ?';
const SET_PRODUCTS = 'update subscriptions set products = ? where client_id = ?';

export const changeApplication = async (
  tx: Queries,
  clientId: ClientId,
  { name, redirectUris, products, jwks, binding, profile }: RegistrationWish,
): Promise<void> => {
  await bumpVersion(tx);
  await tx.run(CHANGE_APPLICATION, [name, redirectUrisColumn.write(redirectUris), jwks, clientId]);
  await tx.run(SET_PRODUCTS, [products.join(' '), clientId]);
  await setSecurity(tx, clientId, { binding, profile });
};

const APPROVE = `
  update applications set status = 'active', waiting_since = null
  where waiting_since is not null and ended_at is null and (tpp_id = ? or client_id = ?)`;

/** All waiting applications of a third party, or one. How many. */
export const approveRegistration = async (tx: Queries, id: string): Promise<number> => {
  await bumpVersion(tx);
  return tx.run(APPROVE, [id, id]);
};
