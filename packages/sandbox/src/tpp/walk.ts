/** A walk: one person trying one flow. What the third party has to remember between two requests, and what it has seen. */
import type { Tokens } from '@trapeza/client';
import type { AccountId } from 'trapeza/base';

export type FlowId = 'funds' | 'accounts' | 'payment';

/** How often the account holder is sent to the bank. */
export type Way = 'one' | 'two';

export type Stage = 'request' | 'login' | 'consent' | 'approval' | 'use' | 'refused';

/** The fields of a form; one that came several times has several values. */
export type Entries = Readonly<Record<string, readonly string[]>>;

export interface ShownField {
  readonly name: string;
  readonly value: string;
}

export interface CallRecord {
  readonly kind: 'call';
  readonly number: number;
  /** All records of one press of a button have the same turn. */
  readonly turn: number;
  readonly title: string;
  readonly words: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly ShownField[];
    readonly body: string | undefined;
  };
  readonly curl: string;
  readonly answer: {
    /** 0: there was none. */
    readonly status: number;
    readonly headers: readonly ShownField[];
    readonly body: string | undefined;
    /** The slug of the problem, if it is one of the interface. */
    readonly problem: string | undefined;
  };
}

export interface RedirectRecord {
  readonly kind: 'redirect';
  readonly number: number;
  readonly turn: number;
  readonly title: string;
  readonly words: string;
  readonly url: string;
  readonly parameters: readonly (ShownField & { readonly words: string })[];
  readonly checks: readonly { readonly words: string; readonly isFine: boolean }[];
}

export type WalkRecord = CallRecord | RedirectRecord;
export type NewRecord = Omit<CallRecord, 'number' | 'turn'> | Omit<RedirectRecord, 'number' | 'turn'>;

export interface Walk {
  readonly id: string;
  readonly flow: FlowId;
  readonly way: Way;
  readonly stage: Stage;
  /** What was typed last, by field. */
  readonly entries: Entries;
  /** The pushed request, for which the bank keeps an address for a minute. */
  readonly pushed?: { readonly url: string; readonly goodUntil: number };
  /** What the account holder must bring back. */
  readonly expected?:
    | { readonly kind: 'code'; readonly state: string; readonly verifier: string }
    | { readonly kind: 'decision'; readonly state: string };
  readonly tokens?: Tokens;
  readonly consent?: { readonly id: string; readonly status: string; readonly scaRedirect?: string };
  /** The account whose balances and transactions are read. */
  readonly accountId?: AccountId;
  /** The calls that have succeeded, by id: the next thing to do follows from them. */
  readonly done?: readonly string[];
  /** The last event that was read in the feed. */
  readonly seenEvent?: string;
  readonly turn: number;
  readonly count: number;
  readonly records: readonly WalkRecord[];
}

/** A call that is repeated again and again keeps its last answers; the page has to stay readable. */
const MAX_SAME = 2;
const MAX_RECORDS = 18;

export const noted = (walk: Walk, record: NewRecord): Walk => {
  const count = walk.count + 1;
  const same = walk.records.filter(({ title }) => title === record.title);
  const surplus = new Set(same.slice(0, Math.max(0, same.length - MAX_SAME + 1)));
  const kept = walk.records.filter((each) => !surplus.has(each)).slice(1 - MAX_RECORDS);
  return { ...walk, count, records: [...kept, { ...record, number: count, turn: walk.turn }] };
};

export const newWalk = (id: string, flow: FlowId, way: Way, entries: Entries): Walk => ({
  id,
  flow,
  way,
  stage: 'request',
  entries,
  turn: 0,
  count: 0,
  records: [],
});

/** Statuses from which a consent does not come back. */
export const isFinal = (status: string | undefined): boolean =>
  status !== undefined && !['Received', 'Valid'].includes(status);
