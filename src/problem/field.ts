/** What is wrong with one member, header or parameter of a request: a code for programs beside the sentence for people. */

/** The closed list, with what each means and the facts that come with it. */
export const fieldCodes = {
  required: 'It is missing.',
  unknown: 'The operation does not have it. `nearest` is the name that was probably meant.',
  repeated: 'It was sent more than once, or a list has an entry twice.',
  duplicate: 'An object of the body has this member twice.',
  type: 'It has another JSON type. `expected` lists the right ones.',
  format: 'It is not in its format. `format` names it.',
  'not-allowed': 'It is none of the allowed values. `allowed` lists them.',
  'not-registered': 'It is no address that the application has registered.',
  'too-short': 'It has fewer than `min` characters.',
  'too-long': 'It has more than `max` characters.',
  'too-few': 'It has fewer than `min` entries.',
  'too-many': 'It has more than `max` entries.',
  'too-small': 'It is less than `min`, or not more than `above`.',
  'too-large': 'It is more than `max`.',
  'too-precise': 'It has more digits than `digits`, or more decimals than the currency has.',
  'out-of-range': 'It is a date before `from` or after `to`.',
  conflict: 'It does not fit another part of the request. `with` names that part.',
  'not-found': 'It names nothing that this application can use.',
  refused: 'The bank does not carry out such a payment.',
} as const;

export type FieldCode = keyof typeof fieldCodes;

export interface FieldFault {
  readonly code: FieldCode;
  /** For people; without anything of the caller's. */
  readonly message: string;
  /** What a program needs to say it in its own words. */
  readonly facts?: Readonly<Record<string, string | number | readonly string[]>>;
}

/** Named faults: `instructedAmount.amount`, `header.X-Request-ID`, `query.if_None_Match`. */
export type FieldErrors = Readonly<Record<string, readonly FieldFault[]>>;

export const fieldFault = (
  code: FieldCode,
  message: string,
  facts: NonNullable<FieldFault['facts']> = {},
): FieldFault => ({ code, message, facts });

export const isRequired = fieldFault('required', 'is required');

export const isNoneOf = (allowed: readonly string[]): FieldFault =>
  fieldFault('not-allowed', `must be one of ${allowed.join(', ')}`, { allowed });

const mapped = <T>(errors: FieldErrors, map: (fault: FieldFault) => T): Record<string, T[]> =>
  Object.fromEntries(Object.entries(errors).map(([name, faults]) => [name, faults.map(map)]));

/** Member `errors` of the contract's body. */
export const sentencesOf = (errors: FieldErrors): Record<string, string[]> =>
  mapped(errors, ({ message }) => message);

/** Member `extensions.errors`. */
export const codesOf = (errors: FieldErrors): Record<string, object[]> =>
  mapped(errors, ({ code, facts }) => ({ code, ...facts }));
