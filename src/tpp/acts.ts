/**
 * Third parties with their applications, keys and certificates: made, changed, suspended, blocked, and let in again. Acts on every node within
 * five seconds.
 */
import { act, type Context } from '../acts/act.js';
import { given, lastDay, optional } from '../acts/field.js';
import type { Certificate } from '../certificate/certificate.js';
import { HOUR } from '../lib/clock.js';
import type { ClientId } from '../model/ids.js';
import type { SignaturePolicy } from '../model/signature-policy.js';
import type { Queries } from '../store/db.js';
import { extensionOf } from '../store/migrate.js';
import * as blocked from './blocked-certificates.js';
import { registerHolder } from './certificates.js';
import * as changes from './own-changes.js';
import * as registrations from './registration.js';
import type { Slot } from './registry.js';
import * as registry from './registry.js';
import type { Security, SecurityWish } from './security.js';
import * as securities from './security.js';
import { texts } from './texts.js';
import * as webhooks from './webhook.js';

const newThing = { about: 'new', roles: [], texts } as const;
const existing = { about: 'existing', roles: [], texts } as const;

const party = { path: '/parties/:id', things: 'parties', isAlone: true } as const;
const partyId = ['id', 'id of the third party'] as const;

export const suspendTpp = act({
  ...existing,
  name: 'tpp.suspend',
  input: { until: optional(lastDay('--until <date>', 'until the end of this day, such as 2026-12-31')) },
  audited: ['until'],
  page: { ...party, done: 'suspended' },
  command: {
    help: 'suspend a third party with all its applications; acts within five seconds',
    id: partyId,
    example: 'TPP_ID --until 2026-12-31 --reason "keys on a public page"',
    says: 'Third party {id} is suspended.',
  },
  // In an emergency one person shuts it out for some days; without an end it takes two.
  needsTwo: ({ until }) => until === undefined,
  run: (tx, { id, input: { until }, reason }) =>
    registry.setSuspended(tx, 'tpp', id, true, { until, reason }),
});

export const resumeTpp = act({
  ...existing,
  name: 'tpp.resume',
  input: {},
  page: { ...party, done: 'resumed' },
  command: {
    help: 'resume a third party with all its applications; acts within five seconds',
    id: partyId,
    example: 'TPP_ID',
    says: 'Third party {id} is active.',
  },
  run: (tx, { id }) => registry.setSuspended(tx, 'tpp', id, false),
});

const applicationId = ['clientId', 'client id of the application'] as const;

export const suspendApplication = act({
  ...existing,
  name: 'application.suspend',
  input: {},
  command: {
    help: 'suspend an application; acts within five seconds',
    id: applicationId,
    example: 'CLIENT_ID',
    says: 'Application {id} is suspended.',
  },
  run: (tx, { id }) => registry.setSuspended(tx, 'application', id, true),
});

export const resumeApplication = act({
  ...existing,
  name: 'application.resume',
  input: {},
  command: {
    help: 'resume an application; acts within five seconds',
    id: applicationId,
    example: 'CLIENT_ID',
    says: 'Application {id} is active.',
  },
  run: (tx, { id }) => registry.setSuspended(tx, 'application', id, false),
});

const keyId = ['keyId', 'id of the key, from trapeza key list'] as const;

export const suspendKey = act({
  ...existing,
  name: 'key.suspend',
  input: {},
  command: {
    help: 'suspend one key; acts within five seconds',
    id: keyId,
    example: 'KEY_ID',
    says: 'Key {id} is suspended.',
  },
  run: (tx, { id }) => registry.setSuspended(tx, 'key', id, true),
});

export const resumeKey = act({
  ...existing,
  name: 'key.resume',
  input: {},
  command: {
    help: 'resume one key; acts within five seconds',
    id: keyId,
    example: 'KEY_ID',
    says: 'Key {id} is active.',
  },
  run: (tx, { id }) => registry.setSuspended(tx, 'key', id, false),
});

const certificateCommand = 'tpp certificates';
const fingerprint = ['fingerprint', 'its SHA-256 fingerprint, with or without colons'] as const;

/** Returns the fingerprint in its usual form. */
export const blockCertificate = act({
  ...existing,
  name: 'certificate.block',
  input: {},
  command: {
    help: 'refuse a certificate, registered or not, and what it has issued; acts within five seconds',
    below: certificateCommand,
    id: fingerprint,
    example: '5a:01:…:9c --reason "key is lost"',
    says: 'Certificate {result} is blocked.',
  },
  async run(tx, { id, reason, now }) {
    const known = blocked.fingerprintOf(id);
    await blocked.blockCertificate(tx, known, reason, now);
    return known;
  },
  subject: (_id, known) => `certificate:${known}`,
});

export const unblockCertificate = act({
  ...existing,
  name: 'certificate.unblock',
  input: {},
  command: {
    help: 'accept a blocked certificate again, if it is good',
    below: certificateCommand,
    id: fingerprint,
    example: '5a:01:…:9c',
    says: 'Certificate {result} is no longer blocked.',
  },
  async run(tx, { id }) {
    const known = blocked.fingerprintOf(id);
    await blocked.unblockCertificate(tx, known);
    return known;
  },
  subject: (_id, known) => `certificate:${known}`,
});

/** The id of the new third party. */
export const createTpp = act({
  ...newThing,
  name: 'tpp.create',
  input: {
    id: optional(given<string>()),
    name: given<string>(),
    registration: given<string>(),
    roles: given<readonly string[]>(),
  },
  audited: ['registration', 'roles'],
  run: (tx, { input, now }) => registry.createTpp(tx, input, now),
});

/** Registers the third party of a certificate, or keeps one more certificate of it. Verify it before. */
export const registerCertificate = act({
  ...newThing,
  name: 'tpp.register',
  input: {
    certificate: given<Certificate>(),
    name: optional(given<string>()),
    roles: optional(given<readonly string[]>()),
  },
  run: (tx, { input: { certificate, ...wanted }, now }) => registerHolder(tx, certificate, wanted, now),
  subject: (_id, { id }) => `tpp:${id}`,
  facts: (_made, { certificate: { fingerprint } }) => ({ fingerprint }),
});

/** Without a policy: as the bank says for everybody. */
export const setSignaturePolicy = act({
  ...existing,
  name: 'tpp.policy',
  input: { policy: optional(given<SignaturePolicy>()) },
  run: (tx, { id, input: { policy } }) => registry.setSignaturePolicy(tx, id, policy),
  facts: (_done, { policy = 'default' }) => ({ policy }),
});

/** Reads a day without the account holder. Without a number: as the bank says for everybody. */
export const setUnattended = act({
  ...existing,
  name: 'tpp.unattended',
  input: { perDay: optional(given<number>()) },
  run: (tx, { id, input: { perDay } }) => registry.setUnattended(tx, id, perDay),
  facts: (_done, { perDay = 'default' }) => ({ perDay }),
});

/** Opens the interface to what waits: all applications of a third party, or one. How many. */
export const approveRegistration = act({
  ...existing,
  name: 'registration.approve',
  input: {},
  run: (tx, { id }) => registrations.approveRegistration(tx, id),
  subject: (id, count) => (count > 0 ? `registration:${id}` : undefined),
});

/** A test system may send to itself. */
const putWebhook = async (tx: Queries, clientId: ClientId, url: string | null): Promise<void> =>
  webhooks.setWebhook(tx, clientId, url, (await extensionOf(tx)) !== undefined);

/** The bank may want the strict profile of everybody. */
const putSecurity = async (
  tx: Queries,
  clientId: ClientId,
  wish: SecurityWish,
  { fapi2Only }: Context['config'],
): Promise<Security> => {
  const security = await securities.setSecurity(tx, clientId, wish);
  if (fapi2Only === 'on' && security.profile !== 'fapi2')
    throw new registry.RegistryError(
      'every application must be in the profile fapi2 (TRAPEZA_FAPI2_ONLY): give --profile fapi2 with --binding dpop or --binding certificate',
    );
  return security;
};

const readConfig = async ({ config }: Context): Promise<Context['config']> => config;

/** The client id and the secret, which is shown only now. */
export const createApplication = act({
  ...newThing,
  name: 'application.create',
  input: {
    clientId: optional(given<ClientId>()),
    tppId: given<string>(),
    name: given<string>(),
    redirectUris: given<readonly string[]>(),
    secret: optional(given<string>()),
    jwks: optional(given<string>()),
    webhook: optional(given<string>()),
    binding: optional(given<string>()),
    profile: optional(given<string>()),
  },
  prepare: readConfig,
  async run(tx, { input: { webhook, binding, profile, ...application }, now, prepared }) {
    const made = await registry.createApplication(tx, application, now);
    if (webhook !== undefined) await putWebhook(tx, made.clientId, webhook);
    await putSecurity(tx, made.clientId, { binding, profile }, prepared);
    return made;
  },
  subject: (_id, { clientId }) => `application:${clientId}`,
  facts: (_made, { tppId, redirectUris, webhook, binding, profile }) => ({
    ...{ tppId, redirectUris, webhook: webhooks.hostOf(webhook), binding, profile },
  }),
});

export const renameApplication = act({
  ...existing,
  name: 'application.rename',
  input: { name: given<string>() },
  audited: ['name'],
  run: (tx, { id, input: { name } }) => changes.renameApplication(tx, id, name),
});

export const endApplication = act({
  ...existing,
  name: 'application.end',
  input: {},
  run: (tx, { id, now }) => changes.endApplication(tx, id, now),
});

/** Null takes it away: the events stay in the feed. */
export const setWebhook = act({
  ...existing,
  name: 'application.webhook',
  input: { url: given<string | null>() },
  run: (tx, { id, input: { url } }) => putWebhook(tx, id, url),
  facts: (_done, { url }) => ({ host: webhooks.hostOf(url) }),
});

export const setSecurity = act({
  ...existing,
  name: 'application.security',
  input: { binding: optional(given<string>()), profile: optional(given<string>()) },
  audited: ['binding', 'profile'],
  prepare: readConfig,
  run: (tx, { id, input, prepared }) => putSecurity(tx, id, input, prepared),
});

export const setRedirectUris = act({
  ...existing,
  name: 'application.redirects',
  input: { uris: given<readonly string[]>() },
  audited: ['uris'],
  run: (tx, { id, input: { uris } }) => changes.setRedirectUris(tx, id, uris),
});

/** The new client secret, which is shown only now. The one before works for so many hours more; for none if absent. */
export const rollSecret = act({
  ...existing,
  name: 'application.secret',
  input: { overlapHours: optional(given<number>()) },
  async run(tx, { id, input: { overlapHours = 0 }, now }) {
    if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > changes.MOST_OVERLAP_HOURS)
      throw new registry.RegistryError(
        `the last secret works for 0 to ${changes.MOST_OVERLAP_HOURS} hours more`,
      );
    return changes.rollSecret(tx, id, overlapHours === 0 ? null : now + overlapHours * HOUR);
  },
  facts: (_secret, { overlapHours = 0 }) => ({ overlapHours }),
});

/** A subscription with its two keys, which are shown only now. */
export const createSubscription = act({
  ...newThing,
  name: 'key.create',
  input: {
    id: optional(given<string>()),
    clientId: given<ClientId>(),
    products: optional(given<readonly string[]>()),
    quotaPerMinute: optional(given<number>()),
    quotaPerDay: optional(given<number>()),
    /** Fixed keys, for the sandbox only. */
    keys: optional(given<Readonly<Record<Slot, string>>>()),
  },
  audited: ['clientId', 'products', 'quotaPerMinute', 'quotaPerDay'],
  run: (tx, { input, now }) => registry.createSubscription(tx, input, now),
  subject: (_id, { subscriptionId }) => `subscription:${subscriptionId}`,
});

/** What is absent stays; null: as the bank says for everybody. */
export const setQuota = act({
  ...existing,
  name: 'key.quota',
  kind: 'subscription',
  input: { perMinute: optional(given<number | null>()), perDay: optional(given<number | null>()) },
  audited: ['perMinute', 'perDay'],
  run: (tx, { id, input }) => registry.setQuota(tx, id, input),
});

export const rollKey = act({
  ...existing,
  name: 'key.roll',
  kind: 'subscription',
  input: { slot: given<Slot>() },
  audited: ['slot'],
  run: (tx, { id, input: { slot }, now }) => registry.rollKey(tx, id, slot, now),
});
