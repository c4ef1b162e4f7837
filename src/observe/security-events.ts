/**
 * Security events: what a defender wants to see at once, each as a counter and a log line. People and addresses appear as keyed
 * hashes only, so that events of one source can be put together without telling whose they are. A flood cannot fill the log:
 * lines are limited per source and per kind, the counter counts every event.
 */

import type { Counter, Registry } from 'prom-client';
import { MINUTE, monotonicMs } from '../lib/clock.js';
import { keyedHash } from '../lib/hash.js';
import type { Source } from '../lib/net/address.js';
import type { ClientId } from '../model/ids.js';
import { createCounter } from './counter.js';
import type { Log } from './log.js';

export const securityEventKinds = [
  /** A name and password were not accepted, or too many were tried. */
  'login-refused',
  /** A one-time code was wrong, or too many were tried. */
  'code-wrong',
  /** A passkey, or the confirmation at the bank's OpenID provider, was not accepted: forged, repeated, or for something else. */
  'confirmation-refused',
  /** A source had too many authorizations, registrations or sign-ups. */
  'source-limited',
  /** A subscription key or the credential of an application was not accepted. */
  'key-refused',
  /** A code, a proof or a token was used a second time, or a token by an application that it was not issued to. */
  'token-reuse',
  'signature-refused',
  /** A certificate was not accepted for another reason than a block or a revocation. */
  'certificate-refused',
  /** A certificate that the bank has blocked or its issuer has revoked was used. */
  'certificate-blocked',
  /** A trusted list was not accepted, or the one that is kept has expired. */
  'list-refused',
  /** A suspended third party called, or one was suspended. */
  'third-party-suspended',
  /** A sandbox of a developer was not made, opened or written to, because a limit of the test facility was reached. */
  'sandbox-refused',
  /** Funds questions close in on a balance. */
  'funds-bisection',
  /** One application asks for many accounts that it has no consent for. */
  'account-probing',
  /** Reads of one consent claim the presence of the account holder from many addresses. */
  'presence-doubtful',
] as const;

export type SecurityEventKind = (typeof securityEventKinds)[number];

export interface SecurityFacts {
  /** A word of ours, such as the slug of a problem; never what was sent. */
  readonly reason?: string | undefined;
  /** As it was typed. Logged as a keyed hash. */
  readonly userName?: string | undefined;
  /** The bank's id of the account holder. Logged as a keyed hash. */
  readonly personId?: string | undefined;
  /** Of the client. Logged as a keyed hash. */
  readonly address?: Source | undefined;
  /** The application, if it is known. Logged as it is. */
  readonly clientId?: ClientId | undefined;
  readonly requestId?: string | undefined;
}

export type SecurityListener = (kind: SecurityEventKind, facts: SecurityFacts) => void;

export interface SecurityEventParts {
  readonly log: Pick<Log, 'warn'>;
  readonly registry: Registry;
  /** The same on all nodes, so that the hashes are. */
  readonly key: Buffer;
  readonly now?: () => number;
}

const LINES_PER_SOURCE = 10;
const LINES_PER_KIND = 300;
const HASH_LENGTH = 16;

/** The lines of one kind in the running minute. */
interface Quota {
  since: number;
  lines: number;
  omitted: number;
  /** Lines by source: at most LINES_PER_KIND sources, because only who got a line is in it. */
  readonly sources: Map<string, number>;
}

export class SecurityEvents {
  readonly #log: Pick<Log, 'warn'>;
  readonly #key: Buffer;
  readonly #now: () => number;
  readonly #counter: Counter<'kind'>;
  #onEvent: SecurityListener | undefined;
  readonly #quotas = new Map<SecurityEventKind, Quota>();

  constructor({ log, registry, key, now = monotonicMs }: SecurityEventParts) {
    this.#log = log;
    this.#key = key;
    this.#now = now;
    this.#counter = createCounter(registry, {
      name: 'trapeza_security_events_total',
      help: 'Security events by kind',
      labels: { kind: securityEventKinds },
    });
  }

  /** Who keeps them beyond the log, once there is a store. */
  listen(onEvent: SecurityListener): void {
    this.#onEvent = onEvent;
  }

  event(kind: SecurityEventKind, facts: SecurityFacts): void {
    this.#counter.inc({ kind });
    this.#onEvent?.(kind, facts);
    const { reason, userName, personId, address, clientId, requestId } = facts;
    const quota = this.#quotaOf(kind);
    if (!mayLog(quota, clientId ?? address ?? personId ?? '')) {
      quota.omitted += 1;
      return;
    }
    const omitted = quota.omitted === 0 ? undefined : quota.omitted;
    quota.omitted = 0;
    this.#log.warn(
      {
        kind,
        reason,
        user: this.#hash('user', userName?.trim().toLowerCase()),
        person: this.#hash('person', personId),
        address: this.#hash('address', address),
        clientId,
        requestId,
        omitted,
      },
      'security event',
    );
  }

  #quotaOf(kind: SecurityEventKind): Quota {
    const known = this.#quotas.get(kind);
    const now = this.#now();
    if (known && now - known.since < MINUTE) return known;
    const quota = { since: now, lines: 0, omitted: known?.omitted ?? 0, sources: new Map() };
    this.#quotas.set(kind, quota);
    return quota;
  }

  /** Of what a text is comes first, so that equal texts of two kinds have two hashes. */
  #hash(of: string, text: string | undefined): string | undefined {
    return text === undefined ? undefined : keyedHash(this.#key, `${of}:${text}`).slice(0, HASH_LENGTH);
  }
}

/** Whatever tells of security events. */
export type Security = Pick<SecurityEvents, 'event'>;

const mayLog = (quota: Quota, source: string): boolean => {
  const lines = quota.sources.get(source) ?? 0;
  if (lines >= LINES_PER_SOURCE || quota.lines >= LINES_PER_KIND) return false;
  quota.sources.set(source, lines + 1);
  quota.lines += 1;
  return true;
};
