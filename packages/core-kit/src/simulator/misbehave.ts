/** How each fault looks on the wire. Whatever hangs ends with its connection, and the server ends all connections when it closes. */
import type { ServerResponse } from 'node:http';
import { MINUTE, SECOND } from 'trapeza/base';
import type { FaultKind } from './faults.js';

/** An answer as it is sent. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export const send = (response: ServerResponse, { status, headers, body }: Outgoing): void => {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'Content-Length': bytes.length }).end(bytes);
};

/** JSON, or the bytes of a PDF. */
export const answerOf = (body: unknown, headers: Readonly<Record<string, string>>): Outgoing =>
  body instanceof Uint8Array
    ? { status: 200, headers: { 'Content-Type': 'application/pdf', ...headers }, body }
    : jsonAnswer(body, headers);

const json = { 'Content-Type': 'application/json; charset=utf-8' } as const;

export const errorAnswer = (status: number, error: string): Outgoing => ({
  status,
  headers: json,
  body: JSON.stringify({ error }),
});

export const jsonAnswer = (body: unknown, headers: Readonly<Record<string, string>> = {}): Outgoing => ({
  status: 200,
  headers: { ...json, ...headers },
  body: JSON.stringify(body),
});

const cut = (response: ServerResponse): void => {
  response.socket?.destroy();
};

type Instead = (response: ServerResponse) => void;

/** So long the maintenance of a simulator lasts. */
export const MAINTENANCE_S = 600;

/** Faults that come before anything was done: the question is never looked at. */
const before: Readonly<Partial<Record<FaultKind, Instead>>> = {
  refuse: cut,
  'silent-before': cut,
  'half-open': () => undefined,
  'status-500': (response) => send(response, errorAnswer(500, 'a fault that was asked for')),
  maintenance: (response) => {
    const answer = errorAnswer(503, 'a fault that was asked for');
    send(response, { ...answer, headers: { ...answer.headers, 'Retry-After': String(MAINTENANCE_S) } });
  },
  'status-503': (response) => send(response, errorAnswer(503, 'a fault that was asked for')),
};

export const misbehaviourBefore = (kind: FaultKind | undefined): Instead | undefined => kind && before[kind];

const HUGE_BYTES = 100_000_000;
const PIECE = Buffer.alloc(65_536, ' ');

const sendHuge = (response: ServerResponse, { status, headers, body }: Outgoing): void => {
  const end = Buffer.from(body);
  response.writeHead(status, headers);
  let sent = 0;
  const more = (): void => {
    while (sent < HUGE_BYTES && !response.destroyed) {
      sent += PIECE.length;
      if (!response.write(PIECE)) {
        response.once('drain', more);
        return;
      }
    }
    response.end(end);
  };
  more();
};

const sendSlowly = (response: ServerResponse, { status, headers, body }: Outgoing): void => {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'Content-Length': bytes.length });
  response.flushHeaders();
  let place = 0;
  const timer = setInterval(() => {
    response.write(bytes.subarray(place, place + 1));
    place += 1;
    if (place < bytes.length) return;
    clearInterval(timer);
    response.end();
  }, SECOND);
  response.once('close', () => clearInterval(timer));
};

const sendHalf = (response: ServerResponse, { status, headers, body }: Outgoing): void => {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'Content-Length': bytes.length });
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => cut(response));
};

const sendLate = (response: ServerResponse, outgoing: Outgoing): void => {
  const timer = setTimeout(() => send(response, outgoing), MINUTE);
  response.once('close', () => clearTimeout(timer));
};

/** Every member of this name, however deep. */
const changed = (value: unknown, change: (name: string, member: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((each) => changed(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, change(name, changed(member, change))]),
  );
};

const echoed = ['psuId', 'accountId', 'challengeId', 'paymentId', 'consentId'];

const otherId = (id: string): string => (id.endsWith('0') ? `${id.slice(0, -1)}1` : `${id.slice(0, -1)}0`);

const spoil = (
  outgoing: Outgoing,
  change: (name: string, member: unknown) => unknown,
  otherwise: (body: unknown) => unknown = (body) => body,
): Outgoing => {
  const body = changed(JSON.parse(String(outgoing.body)), change);
  const text = JSON.stringify(body);
  return { ...outgoing, body: text === outgoing.body ? JSON.stringify(otherwise(body)) : text };
};

const firstAsList = (body: unknown): unknown =>
  Object.fromEntries(
    Object.entries(body as object).map(([name, member], index) => [name, index === 0 ? [member] : member]),
  );

const days = ['bookingDate', 'valueDate', 'from', 'to'];

/** A year before; a leap day stays a day. */
const yearBefore = (day: string): string =>
  `${Number(day.slice(0, 4)) - 1}${day.slice(4).replace('-02-29', '-02-28')}`;

/** The rows of an answer, changed as a whole. */
const spoilRows = (outgoing: Outgoing, change: (rows: readonly unknown[]) => readonly unknown[]): Outgoing =>
  spoil(outgoing, (_name, member) => (Array.isArray(member) ? change(member) : member));

type Deliver = (response: ServerResponse, outgoing: Outgoing) => void;

/** Faults of the answer to a question that was carried out. */
const after: Readonly<Partial<Record<FaultKind, Deliver>>> = {
  late: sendLate,
  reset: sendHalf,
  'slow-bytes': sendSlowly,
  huge: sendHuge,
  'executed-but-silent': cut,
  garbage: (response, outgoing) => send(response, { ...outgoing, body: '{"status": ‽ not json' }),
  html: (response, outgoing) =>
    send(response, {
      ...outgoing,
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
      body: '<!doctype html><title>Maintenance</title><p>We will be back soon.',
    }),
  'wrong-currency': (response, outgoing) =>
    send(
      response,
      spoil(outgoing, (name, member) =>
        name === 'currency' && member !== null ? (member === 'EUR' ? 'USD' : 'EUR') : member,
      ),
    ),
  'wrong-id': (response, outgoing) =>
    send(
      response,
      spoil(outgoing, (name, member) =>
        echoed.includes(name) && typeof member === 'string' ? otherId(member) : member,
      ),
    ),
  'other-days': (response, outgoing) =>
    send(
      response,
      spoil(outgoing, (name, member) =>
        days.includes(name) && typeof member === 'string' ? yearBefore(member) : member,
      ),
    ),
  unsorted: (response, outgoing) =>
    send(
      response,
      spoilRows(outgoing, (rows) => rows.toReversed()),
    ),
  twice: (response, outgoing) =>
    send(
      response,
      spoilRows(outgoing, (rows) => [...rows, ...rows]),
    ),
  'wrong-type': (response, outgoing) =>
    send(
      response,
      spoil(
        outgoing,
        (_name, member) => (typeof member === 'boolean' ? String(member) : member),
        firstAsList,
      ),
    ),
};

export const deliver = (response: ServerResponse, outgoing: Outgoing, kind: FaultKind | undefined): void => {
  const wrongly = kind && after[kind];
  (wrongly ?? send)(response, outgoing);
};
