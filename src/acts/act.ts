/**
 * An act of the bank's people, as a value. From it come the form of the console, the command, the method for embedders, the row in the
 * audit log, the row of the permission matrix and its documentation; `run` is the only part written by hand. Nothing of these is compulsory:
 * an act without `page` has no form of its own, one without `command` a command of its own or none.
 */

import type { AuditLog } from '../audit/audit-log.js';
import type { BankTime, Clock, RealTime } from '../lib/clock.js';
import type { Db, Queries } from '../store/db.js';
import type { Field } from './field.js';
import type { By, Roles } from './role.js';
import type { Texts } from './texts.js';

/** What acts, lists and jobs are given, on the command line too. */
export interface Context {
  readonly db: Db;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly bankTime: () => Promise<BankTime>;
  readonly config: {
    readonly timeZone: string;
    readonly twoPeople?: 'on' | 'off' | undefined;
    readonly fapi2Only?: 'on' | 'off' | undefined;
  };
  /** The service itself if absent. */
  readonly by?: By | undefined;
  /** Another person has proposed it. */
  readonly isConfirmed?: boolean;
}

export type Fields = Readonly<Record<string, Field>>;
type ValueOf<F> = F extends Field<infer Value> ? Value : never;
type Keys<F extends Fields, IsOptional extends boolean> = {
  [Name in keyof F]: F[Name] extends Field<unknown, IsOptional> ? Name : never;
}[keyof F];
export type Input<F extends Fields> = {
  readonly [Name in Keys<F, false>]: ValueOf<F[Name]>;
} & { readonly [Name in Keys<F, true>]?: ValueOf<F[Name]> | undefined };

/** `new`: it makes a thing. `existing`: it is about a thing with an id. */
export type About = 'new' | 'existing';

/** Where its form stands. */
export interface ActPage {
  /** Below the console, also where it leads. */
  readonly path: string;
  /** The first segment of the address of its form, before id and verb. */
  readonly things: string;
  /** The page shows one such thing. */
  readonly isAlone?: true;
  /** Of the text `done.X`. */
  readonly done: string;
}

export interface ActCommand {
  /** Of which commands it is one, if that is not its thing. */
  readonly group?: string;
  readonly help: string;
  /** Its argument, of an act about an existing thing. */
  readonly id?: readonly [name: string, help: string];
  /** What follows the name of the command. */
  readonly example: string;
  /** What it prints; `{id}` is the thing, `{result}` what the act returns. */
  readonly says: string;
}

/** What an act is given to do its work with. */
export interface Call<F extends Fields, Prepared> {
  /** Empty for a new thing. */
  readonly id: string;
  readonly input: Input<F>;
  readonly now: RealTime;
  readonly reason: string | undefined;
  readonly prepared: Prepared;
}

export interface Act<A extends About, F extends Fields, Result, Prepared = undefined> {
  /** Thing and verb: in the audit log, on the command line, and as the key of its texts. */
  readonly name: `${string}.${string}`;
  readonly about: A;
  readonly roles: Roles;
  readonly texts: Texts;
  readonly input: F;
  /** Members of the input that the audit log keeps. Never free text. */
  readonly audited?: readonly (keyof F & string)[];
  /** No other process does the same meanwhile. */
  readonly within?: 'exclusive';
  readonly page?: ActPage;
  readonly command?: ActCommand;
  /** It cannot be taken back: one person proposes, another one confirms. */
  needsTwo?(input: Input<F>): boolean;
  /** Before the transaction: slow reads and other clocks. */
  prepare?(context: Context, asked: { readonly id: string; readonly input: Input<F> }): Promise<Prepared>;
  run(tx: Queries, call: Call<F, Prepared>): Promise<Result>;
  /** Of what it is about, for the audit log, if that is not the thing of its name. */
  readonly kind?: string;
  /** Why it was done, if its input says so. */
  reason?(input: Input<F>): string;
  /** What it was about, if that is not KIND:ID; undefined if nothing was done. */
  subject?(id: string, result: Result): string | undefined;
  /** Thrown once the transaction is over: what it wrote stays. */
  failure?(id: string, result: Result): Error | undefined;
  /** What else the audit log keeps. */
  facts?(result: Result, input: Input<F>): Readonly<Record<string, unknown>>;
}

/** Any act, for those who derive something from it. */
export type AnyAct = Act<About, Fields, unknown, unknown>;

export const act = <A extends About, const F extends Fields, Result, Prepared = undefined>(
  definition: Act<A, F, Result, Prepared>,
): Act<A, F, Result, Prepared> => definition;

/** Of a new thing the result is its id. */
export const subjectOf = <Result>(
  { name, kind }: Pick<AnyAct, 'name' | 'kind'>,
  id: string,
  result: Result,
): string => `${kind ?? thingOf({ name })}:${id || String(result)}`;

export const thingOf = ({ name }: Pick<AnyAct, 'name'>): string => name.slice(0, name.indexOf('.'));
export const verbOf = ({ name }: Pick<AnyAct, 'name'>): string => name.slice(name.indexOf('.') + 1);
