/** What an act asks for. One definition reads a form and an option of a command, and says what the audit log keeps. */
import type { RealTime } from '../lib/clock.js';
import { endOfDay, localMoment } from '../lib/day.js';
import { instantText, isDate, parseInstant } from '../lib/instant.js';

/** Where and when a value is read. */
export interface Place {
  readonly timeZone: string;
  readonly now: RealTime;
}

export type FieldKind = 'lines' | 'moment' | 'last-day' | 'upload' | 'given';

export interface Field<Value = unknown, IsOptional extends boolean = boolean> {
  readonly kind: FieldKind;
  readonly isOptional: IsOptional;
  /** The option of the command with what it takes, such as `--from <moment>`, and its help; absent if no command has it. */
  readonly option?: readonly [flag: string, help: string];
  /** Undefined: it is none. */
  readonly fromForm: (text: string, place: Place) => Value | undefined;
  readonly fromOption: (text: string, place: Place) => Value | undefined;
  /** What an option must be. */
  readonly expected: string;
  /** As the audit log keeps it. */
  noted(value: Value): unknown;
  /** Of an upload: its reader, in the thread of uploads. */
  readonly upload?: Upload;
}

export interface Upload {
  readonly reader: string;
  readonly bytes: number;
  /** For the button of the browser. */
  readonly accept: string;
}

type Option = NonNullable<Field['option']>;

const same = <Value>(value: Value): Value => value;

/** What everybody reads. */
export const lines = (...option: Option): Field<string, false> => ({
  kind: 'lines',
  isOptional: false,
  option,
  fromForm: same,
  fromOption: same,
  expected: 'a text',
  noted: same,
});

export const moment = (...option: Option): Field<RealTime, false> => ({
  kind: 'moment',
  isOptional: false,
  option,
  fromForm: (text, { timeZone }) => localMoment(text, timeZone),
  fromOption: (text) => parseInstant(text),
  expected: 'a moment such as 2026-12-06T02:00:00+02:00',
  noted: instantText,
});

/** The end of a day that is not over, in the zone of the bank. */
const lastDayIn = (text: string, { timeZone, now }: Place): RealTime | undefined => {
  const end = isDate(text) ? endOfDay(text, timeZone) : undefined;
  return end !== undefined && end > now ? end : undefined;
};

export const lastDay = (...option: Option): Field<RealTime, false> => ({
  kind: 'last-day',
  isOptional: false,
  option,
  fromForm: lastDayIn,
  fromOption: lastDayIn,
  expected: 'a date such as 2026-12-31, today or later',
  noted: instantText,
});

/** A file, or its text, as the thread of uploads has read it. */
export const upload = <Value>(how: Upload): Field<Value, false> => ({
  kind: 'upload',
  isOptional: false,
  fromForm: () => undefined,
  fromOption: () => undefined,
  expected: 'a file',
  noted: same,
  upload: how,
});

/** What no form and no option has: programs give it. */
export const given = <Value>(): Field<Value, false> => ({
  kind: 'given',
  isOptional: false,
  fromForm: () => undefined,
  fromOption: () => undefined,
  expected: 'given',
  noted: same,
});

export const optional = <Value>(field: Field<Value, false>): Field<Value, true> => ({
  ...field,
  isOptional: true,
});
