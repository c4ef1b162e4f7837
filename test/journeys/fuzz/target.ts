/** What the oracle knows of a place that can be asked: an operation, a page or an endpoint, written down from the interface and the decisions. */
import type { Random } from './random.js';
import type { World } from './world.js';

export type Scope = 'piis' | 'ais' | 'pis';

/** A request on its way to be sent; a broken rule changes it. */
export interface Draft {
  readonly target: Target;
  psu: string;
  method: string;
  path: string;
  headers: [string, string][];
  body: Buffer | undefined;
  /** A JSON body before it was written. */
  json: Json | undefined;
}

export type Json = Record<string, unknown>;
export type Apply = (draft: Draft, random: Random, world: World) => void;
export type Change = (body: Json, random: Random) => unknown;

/** A rule of the interface, a way to break it, and what must answer. */
export interface Rule {
  readonly name: string;
  readonly status: number;
  /** The problem, or the OAuth error; undefined if nothing fixes it. */
  readonly slug: string | undefined;
  readonly apply: Apply;
  readonly appliesTo: (target: Target) => boolean;
}

export interface Target {
  readonly id: string;
  /** A control is an operation of the sandbox, which needs no credentials. */
  readonly kind: 'operation' | 'control' | 'page' | 'oauth';
  readonly method: string;
  /** Other methods of the same path. */
  readonly alsoAllowed?: readonly string[];
  /** Of a request with nothing broken. */
  readonly success: readonly number[];
  readonly scope?: Scope;
  readonly product?: Scope | 'opendata';
  /** Which headers it checks. */
  readonly checks?: readonly ('request id' | 'psu' | 'redirects' | 'signature' | 'session' | 'access')[];
  /** Values of its query that are wrong, as they are written. */
  readonly badQueries?: readonly string[];
  /** Wrong bodies of an operation that takes JSON. */
  readonly badBodies?: readonly Change[];
  readonly isBodyOptional?: boolean;
  /** Whose X-Request-IDs it must not share with another content. */
  readonly claims?: 'funds' | 'writes';
  /** What happens once only: so many good requests there can be. */
  readonly pool?: 'submissions' | 'decisions';
  /** Nothing good is asked of it: it would end the run. */
  readonly isNeverGood?: boolean;
  /** Ends what a good request has made, so that the next one is not one too many. */
  readonly undo?: (location: string) => string;
  /** Its own rules beside the common ones. */
  readonly rules?: readonly Rule[];
  readonly fill: (draft: Draft, random: Random, world: World) => void;
}

export const rule = (
  name: string,
  answer: string,
  apply: Apply,
  appliesTo: Rule['appliesTo'] = () => true,
): Rule => {
  const [status = '', slug] = answer.split(' ');
  return { name, status: Number(status), slug, apply, appliesTo };
};

export const setHeader = (draft: Draft, name: string, value: string | undefined): void => {
  draft.headers = draft.headers.filter(([each]) => each.toLowerCase() !== name.toLowerCase());
  if (value !== undefined) draft.headers.push([name, value]);
};

export const all =
  (...steps: readonly Apply[]): Apply =>
  (draft, random, world) => {
    for (const step of steps) step(draft, random, world);
  };

/** One of the values; undefined leaves the header out. */
export const header =
  (name: string, ...values: readonly (string | undefined)[]): Apply =>
  (draft, random) =>
    setHeader(draft, name, values[random.int(values.length)]);

export const path =
  (change: (path: string, random: Random, world: World) => string): Apply =>
  (draft, random, world) => {
    draft.path = change(draft.path, random, world);
  };

/** A body of this type, whether the operation takes one or not. */
export const typed =
  (type: string): Apply =>
  (draft) => {
    draft.body ??= Buffer.from('{}');
    setHeader(draft, 'Content-Type', type);
  };

export const writeJson = (draft: Draft, random: Random): void => {
  draft.body = Buffer.from(JSON.stringify(draft.json, null, random.pick([0, 0, 2])));
};

/** A changed body does not fit its digest any more, and that would answer first. */
export const unsigned = all(header('Digest', undefined), header('Signature', undefined));

export const json = (...changes: readonly Change[]): Apply =>
  all((draft, random) => {
    draft.json ??= {};
    random.pick(changes)(draft.json, random);
    writeJson(draft, random);
  }, unsigned);

export const put = (more: object) => (body: Json) => Object.assign(body, more);

export const toBytes = ({ method, path, headers, body }: Draft): Buffer => {
  const lines = [`${method} ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (body) lines.push(`Content-Length: ${body.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)]);
};

/** A day as the interface writes it, so many days from now. */
export const day = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
