/** A flow as data: whom it plays, what it asks for, and what it does with the permission. The machine that walks it is the same for all. */
import type { OperationName } from '@trapeza/client';
import type { ConsentId } from 'trapeza/base';
import type { Entries, FlowId, Walk } from '../walk.js';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface FormField {
  readonly name: string;
  readonly label: string;
  /** The preset values; several only if there are choices. */
  readonly preset: readonly string[];
  readonly hint?: string;
  /** Ticked one by one. */
  readonly choices?: readonly Choice[];
}

type Values = Readonly<Record<string, string | number | undefined>>;

/** What is sent, beside the credentials. */
export interface Wanted {
  readonly params?: Values;
  readonly query?: Values;
  readonly headers?: Values;
  readonly body?: object;
}

/** Something the third party does once it is allowed to. */
export interface FlowCall {
  readonly id: string;
  readonly label: string;
  readonly words: string;
  /** Shown only if the service offers it. */
  readonly operation: OperationName;
  /** Undefined: something else has to be read first. */
  readonly place: (walk: Walk, consentId: ConsentId) => Pick<Wanted, 'params' | 'query'> | undefined;
  readonly fields?: readonly FormField[];
  readonly body?: (entries: Entries) => object;
  /** Takes what later calls need from the answer. */
  readonly learn?: (walk: Walk, answer: unknown) => Walk;
  readonly namesConsent?: boolean;
  /** The step of the walk that it is the thing to do in; the others may be done at any time. */
  readonly step?: 'use' | 'end';
  /** Whether the answer leaves nothing to do in it; any success if absent. */
  readonly isDone?: (answer: Readonly<Record<string, unknown>>) => boolean;
}

export interface Flow {
  readonly id: FlowId;
  readonly title: string;
  readonly audience: string;
  readonly words: string;
  readonly scope: string;
  /** Its type in `authorization_details`, with members that say which creation call it stands for. */
  readonly details: Readonly<Record<string, string>>;
  readonly operations: Readonly<Record<'create' | 'status' | 'end', OperationName>>;
  /** What the interface calls the id of such a consent. */
  readonly idName: 'consentId' | 'paymentConsentId';
  /** What is asked for, in the middle of a sentence. */
  readonly permission: string;
  readonly fields: readonly FormField[];
  readonly body: (entries: Entries) => object;
  readonly calls: readonly FlowCall[];
  /** The last two steps of the walk. */
  readonly steps: readonly [use: string, end: string];
  /** What comes next, once it is approved: in the step of its use, in the last step, and after it. */
  readonly next: readonly [use: string, end: string, after: string];
  /** It ends by itself when it has been used, and is not withdrawn afterwards. */
  readonly isOneOff?: boolean;
}

const MAX_TEXT = 200;

/** What was typed, or undefined if the field was left empty. */
export const entryOf = (entries: Entries, name: string): string | undefined =>
  entries[name]?.[0]?.trim().slice(0, MAX_TEXT) || undefined;

/** A number, if the text is one. The bank gets anything else as it is and reports the fault. */
export const amountOf = (entries: Entries, name: string): number | string => {
  const text = entryOf(entries, name) ?? '';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
};
