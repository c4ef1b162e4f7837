/**
 * An operation is data plus a handler. Routing, the checks, validation, OpenAPI, the documentation page, metric labels and
 * the test matrix all derive from this one value.
 */
import type { IncomingMessage } from 'node:http';
import type { Static, TSchema } from 'typebox';
import type { Eventual } from '../lib/turn.js';
import type { Access, CallArea, Caller, Registrant } from '../model/caller.js';
import type { ClientId } from '../model/ids.js';
import type { FieldFault } from '../problem/field.js';
import type { Problem, ProblemSlug } from '../problem/problem.js';
import { type Audience, everybody } from './audience.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A request header or query parameter: how it is documented and what is wrong with a value, if anything. */
export interface Field {
  readonly name: string;
  readonly required?: boolean;
  readonly description: string;
  readonly schema: object;
  readonly example?: string;
  readonly fault?: (value: string) => FieldFault | undefined;
  /** It decides what the call does or whom it concerns, so the strict signature policy wants it signed. Not for credentials. */
  readonly hasEffect?: true;
}

export type SuccessHeader = 'RateLimit' | 'RateLimit-Policy';

export interface Reply {
  readonly status: number;
  /** Written through the operation's response schema: members that are not in it are dropped. */
  readonly body?: unknown;
  /** Bytes, if the body was rendered before. */
  readonly bytes?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** The application that the call was about, where no credential names one: for the log. */
  readonly clientId?: ClientId;
}

/** What a handler is given. Every check of the gate has passed. */
export interface Call<Body = unknown> {
  readonly caller: Caller;
  /** As it arrived, for what only its connection tells. */
  readonly request: IncomingMessage;
  /** What the subscription key stands for; undefined on the open controls of the sandbox. */
  readonly access: Access | undefined;
  /** On operations that ask for a certificate and nothing else. */
  readonly registrant: Registrant | undefined;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Body;
  readonly requestId: string;
  /** The trace that it belongs to, for those that are asked on its behalf. */
  readonly traceparent: string | undefined;
  /** One of the operation's `otherMedia`, where Accept prefers it; undefined means JSON. */
  readonly mediaType: string | undefined;
  /** Whether the caller would also take JSON in place of it. */
  readonly takesJson: boolean;
  /** Everything of this request that has an effect, as one hash (decisions on X-Request-ID). */
  readonly fingerprint: string;
  /** True once the deadline has passed and the caller has its 408: effects must no longer happen. */
  isLate(): boolean;
  /** Ends the connection without an answer, as a network that fails does. */
  breakOff(): void;
  /** The problem that the caller gets if the deadline passes from now on. */
  whenLate: 'processing-timeout' | 'request-in-progress';
}

/** An area beside those of the interface: its operations are open to everybody, or to everybody with a qualified certificate. */
export interface OpenArea {
  readonly id: string;
  readonly title: string;
  /** For whom, and what for; as the reference says it. */
  readonly audience: string;
  readonly purpose: string;
  /** For the OpenAPI document. */
  readonly description: string;
  readonly asks?: 'certificate';
}

export interface Operation<Body = unknown> {
  readonly id: string;
  readonly method: Method;
  /** With `:name` for parameters. */
  readonly path: string;
  readonly area: CallArea | OpenArea;
  /** It is in the interface document, so its answer never gains a member. */
  readonly isSpecified?: true;
  readonly summary: string;
  readonly description: string;
  readonly headers: readonly Field[];
  readonly query: readonly Field[];
  readonly params: readonly Field[];
  readonly body?: TSchema;
  /** No bytes at all count as an empty object. */
  readonly isBodyOptional?: boolean;
  /** How much a body may be, if it may be more than that of other operations: its bytes, and the members of each object or list. */
  readonly bodyLimit?: { readonly bytes: number; readonly members: number };
  /** An example body for the documentation. */
  readonly bodyExample?: unknown;
  readonly success: {
    readonly status: number;
    readonly description: string;
    readonly schema?: TSchema;
    readonly example?: unknown;
    /** Headers beside X-Request-ID, by the names that OpenAPI describes. */
    readonly headers?: readonly SuccessHeader[];
  };
  /** Media types beside JSON that the operation answers with as `bytes`, where Accept prefers one of them. */
  readonly otherMedia?: readonly string[];
  /**
   * Large answers are compressed for callers that accept it. The length of a compressed answer tells what it repeats, so this is
   * only for answers without a credential or a secret of a form, to calls that no attacker can cause (BREACH).
   */
  readonly isCompressed?: true;
  /** Answers without body that are neither success nor problem. */
  readonly others?: Readonly<Record<number, string>>;
  /** What its handler refuses. What every call of its shape may meet is added (`likely-problems.ts`). */
  readonly problems?: readonly ProblemSlug[];
  /** The name of a refusal for clients that expect errors of OAuth: its body has `error` and `error_description` too. */
  readonly oauthError?: (problem: Problem) => string | undefined;
  /** What the X-Request-ID of an earlier call means for this one. */
  readonly repeat: 'ignored' | 'evaluated-again' | 'replayed';
  handle(call: Call<Body>): Eventual<Reply>;
}

/** A request that the service sends to third parties, as the document describes it. */
export interface Webhook extends Pick<Operation, 'id' | 'summary' | 'description' | 'headers'> {
  readonly name: string;
  readonly body: TSchema;
  readonly example: unknown;
}

/** Whom the gate admits, before it reads the body. */
export const audienceOf = ({ area }: Pick<Operation, 'area'>): Pick<Audience, 'name'> => {
  if (typeof area === 'string') return { name: 'application' };
  return area.asks === 'certificate' ? { name: 'certificate' } : everybody;
};

/** Ties the handler's body type to the schema. */
export const operation = <Body extends TSchema>(
  value: Omit<Operation<Static<Body>>, 'body'> & { readonly body?: Body },
): Operation => value as Operation;

export const errorStatuses = [400, 401, 403, 404, 405, 406, 408, 409, 415, 429, 500, 503] as const;
