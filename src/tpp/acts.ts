/**
 * Third parties, applications, keys and certificates are suspended or blocked, and let in again. Acts on every node within five seconds.
 */
import { act } from '../acts/act.js';
import { lastDay, optional } from '../acts/field.js';
import * as blocked from './blocked-certificates.js';
import { setSuspended } from './registry.js';
import { texts } from './texts.js';

const party = { path: '/parties/:id', things: 'parties', isAlone: true } as const;
const partyId = ['id', 'id of the third party'] as const;

export const suspendTpp = act({
  name: 'tpp.suspend',
  about: 'existing',
  roles: [],
  texts,
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
  run: (tx, { id, input: { until }, reason }) => setSuspended(tx, 'tpp', id, true, { until, reason }),
});

export const resumeTpp = act({
  name: 'tpp.resume',
  about: 'existing',
  roles: [],
  texts,
  input: {},
  page: { ...party, done: 'resumed' },
  command: {
    help: 'resume a third party with all its applications; acts within five seconds',
    id: partyId,
    example: 'TPP_ID',
    says: 'Third party {id} is active.',
  },
  run: (tx, { id }) => setSuspended(tx, 'tpp', id, false),
});

const applicationId = ['clientId', 'client id of the application'] as const;

export const suspendApplication = act({
  name: 'application.suspend',
  about: 'existing',
  roles: [],
  texts,
  input: {},
  command: {
    help: 'suspend an application; acts within five seconds',
    id: applicationId,
    example: 'CLIENT_ID',
    says: 'Application {id} is suspended.',
  },
  run: (tx, { id }) => setSuspended(tx, 'application', id, true),
});

export const resumeApplication = act({
  name: 'application.resume',
  about: 'existing',
  roles: [],
  texts,
  input: {},
  command: {
    help: 'resume an application; acts within five seconds',
    id: applicationId,
    example: 'CLIENT_ID',
    says: 'Application {id} is active.',
  },
  run: (tx, { id }) => setSuspended(tx, 'application', id, false),
});

const keyId = ['keyId', 'id of the key, from trapeza key list'] as const;

export const suspendKey = act({
  name: 'key.suspend',
  about: 'existing',
  roles: [],
  texts,
  input: {},
  command: {
    help: 'suspend one key; acts within five seconds',
    id: keyId,
    example: 'KEY_ID',
    says: 'Key {id} is suspended.',
  },
  run: (tx, { id }) => setSuspended(tx, 'key', id, true),
});

export const resumeKey = act({
  name: 'key.resume',
  about: 'existing',
  roles: [],
  texts,
  input: {},
  command: {
    help: 'resume one key; acts within five seconds',
    id: keyId,
    example: 'KEY_ID',
    says: 'Key {id} is active.',
  },
  run: (tx, { id }) => setSuspended(tx, 'key', id, false),
});

const fingerprint = ['fingerprint', 'its SHA-256 fingerprint, with or without colons'] as const;

/** Returns the fingerprint in its usual form. */
export const blockCertificate = act({
  name: 'certificate.block',
  about: 'existing',
  roles: [],
  texts,
  input: {},
  command: {
    help: 'refuse a certificate, registered or not, and what it has issued; acts within five seconds',
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
  name: 'certificate.unblock',
  about: 'existing',
  roles: [],
  texts,
  input: {},
  command: {
    help: 'accept a blocked certificate again, if it is good',
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
