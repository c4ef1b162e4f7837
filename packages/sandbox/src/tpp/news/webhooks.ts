/**
 * Receives the bank's webhooks. Verified ones are stored; others only if they name a consent of a walk, and marked. Few are kept,
 * and not for long.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Clock,
  type ConsentId,
  HOUR,
  isUuid,
  type Mount,
  Problem,
  parseStrictJson,
  type Queries,
  type RealTime,
  readBody,
} from 'trapeza/base';
import type { ShownField } from '../walk.js';
import { shownBody } from '../wire/shown.js';

const MAX_BODY = 16_384;
const MAX_HEADER = 600;
const MAX_KEPT = 1000;
const MAX_SHOWN = 8;
const IDLE_MS = 2 * HOUR;

export interface Received {
  readonly request: IncomingMessage;
  readonly body: Buffer;
}

export interface Verdict {
  readonly isVerified: boolean;
  readonly words: string;
}

export interface Webhook extends Verdict {
  readonly receivedAt: number;
  readonly status: string | undefined;
  readonly headers: readonly ShownField[];
  readonly body: string;
}

export interface WebhookParts {
  readonly db: Queries;
  readonly clock: Clock;
  readonly verify: (received: Received) => Promise<Verdict>;
  /** Whether a walk has asked for this consent. */
  readonly hasConsent: (consentId: ConsentId) => Promise<boolean>;
}

interface Message extends Omit<Webhook, 'receivedAt'> {
  readonly eventId: string;
  readonly consentId: ConsentId;
}

const tellingHeaders = ['Event-ID', 'Content-Type', 'Content-Digest', 'Signature-Input', 'Signature'];

const stringOrUndefined = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const membersOf = (body: Buffer): Readonly<Record<string, unknown>> => {
  try {
    const json = parseStrictJson(body);
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

/** Undefined: not an event at all. */
const messageOf = ({ request, body }: Received, verdict: Verdict): Message | undefined => {
  const { id, consentId, consentStatus, transactionStatus } = membersOf(body);
  if (typeof id !== 'string' || typeof consentId !== 'string' || !isUuid(id) || !isUuid(consentId))
    return undefined;
  const headers = tellingHeaders.flatMap((name) => {
    const value = String(request.headers[name.toLowerCase()] ?? '');
    return value === '' ? [] : [{ name, value: value.slice(0, MAX_HEADER) }];
  });
  return {
    ...verdict,
    eventId: id,
    consentId,
    status: (stringOrUndefined(consentStatus) ?? stringOrUndefined(transactionStatus))?.slice(0, 40),
    headers,
    body: shownBody(body.toString('utf8'), 'application/json') ?? '',
  };
};

/** A repeated delivery is the same event. */
const INSERT_WEBHOOK = `insert into demo_webhooks (event_id, is_verified, consent_id, message, received_at) values (?, ?, ?, ?, ?)
  on conflict (event_id, is_verified) do nothing`;
const OF_CONSENT = `select message, received_at from demo_webhooks where consent_id = ?
  order by is_verified desc, received_at desc limit ?`;
const SWEEP_OLD = 'delete from demo_webhooks where received_at <= ?';
/** What is not proven goes first. */
const SWEEP_MANY = `delete from demo_webhooks where event_id not in
  (select event_id from demo_webhooks order by is_verified desc, received_at desc limit ?)`;

export const sweepWebhooks = async (db: Queries, nowMs: RealTime, most = MAX_KEPT): Promise<number> =>
  (await db.run(SWEEP_OLD, [nowMs - IDLE_MS])) + (await db.run(SWEEP_MANY, [most]));

export const clearWebhooks = async (tx: Queries): Promise<void> => {
  await tx.run('delete from demo_webhooks');
};

export class Webhooks {
  readonly #parts: WebhookParts;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
  }

  /** The status of the answer. */
  async receive(received: Received): Promise<number> {
    const { db, clock, verify, hasConsent } = this.#parts;
    const verdict = await verify(received);
    const message = messageOf(received, verdict);
    if (!message) return 400;
    if (verdict.isVerified || (await hasConsent(message.consentId))) {
      await sweepWebhooks(db, clock.now(), MAX_KEPT - 1);
      const { eventId, consentId, ...shown } = message;
      const values = [eventId, Number(verdict.isVerified), consentId, JSON.stringify(shown), clock.now()];
      await db.run(INSERT_WEBHOOK, values);
    }
    return verdict.isVerified ? 204 : 401;
  }

  /** The latest first. */
  async of(consentId: ConsentId): Promise<readonly Webhook[]> {
    const { db } = this.#parts;
    const rows = await db.all<{ message: string; received_at: number }>(OF_CONSENT, [consentId, MAX_SHOWN]);
    return rows.map(({ message, received_at: receivedAt }) => ({
      ...(JSON.parse(message) as Omit<Webhook, 'receivedAt'>),
      receivedAt,
    }));
  }
}

const answer = (response: ServerResponse, status: number): void => {
  response.writeHead(status, {
    'Cache-Control': 'no-store',
    'Content-Length': 0,
    'X-Content-Type-Options': 'nosniff',
  });
  response.end();
};

/** Beside the pages, because a signature covers the very bytes of the message. */
export const webhookMount = (webhooks: Webhooks): Mount => {
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      answer(response, await webhooks.receive({ request, body: await readBody(request, MAX_BODY) }));
    } catch (error) {
      // The rest of a message that is too large is not read.
      if (error instanceof Problem) response.shouldKeepAlive = false;
      answer(response, error instanceof Problem ? 400 : 503);
    }
  };
  const route = { method: 'POST', path: '/sandbox/tpp/webhook', audience: { name: 'everybody' } } as const;
  return { name: 'page', routes: [route], serve: receive };
};
