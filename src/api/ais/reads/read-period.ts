/**
 * Which days may be read. What is asked for explicitly must lie within the consented days, defaults are clamped to them and to
 * the last 90 days; who reaches further back needs an account holder who has just authenticated. Pure.
 */
import type { AccessDetails } from '../../../consent/columns.js';
import type { Field } from '../../../http/operation.js';
import { DAY } from '../../../lib/clock.js';
import { isDate } from '../../../lib/instant.js';
import { type FieldErrors, type FieldFault, fieldFault } from '../../../problem/field.js';
import { Problem } from '../../../problem/problem.js';

/** First and last day, both included. `from` after `to`: no day at all. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export interface ReadPeriod extends Days {
  /** Reaches back further than one authentication opens by default. */
  readonly isOld: boolean;
}

type Consented = Pick<AccessDetails, 'transactionFrom' | 'transactionTo'>;

const DEFAULT_DAYS = 90;

/** The first day that needs no fresh authentication. */
const recentFrom = (today: string): string =>
  new Date(Date.parse(`${today}T00:00:00Z`) - DEFAULT_DAYS * DAY).toISOString().slice(0, 10);

/** The first day that is open without a fresh authentication; undefined if the consent has none of these. */
export const openFrom = (
  { transactionFrom, transactionTo }: Consented,
  today: string,
): string | undefined => {
  const from = later(transactionFrom ?? '', recentFrom(today));
  return transactionTo && transactionTo < from ? undefined : from;
};

export const isOldDay = (day: string, today: string): boolean => day < recentFrom(today);

const later = (a: string, b: string): string => (a > b ? a : b);
const earlier = (a: string, b: string): string => (a < b ? a : b);

const outside = (errors: FieldErrors): Problem =>
  new Problem('invalid-query', {
    detail: 'The period lies outside the days that can be read with this consent.',
    errors,
    code: 'PERIOD_INVALID',
  });

const faultsOf = (
  asked: { readonly dateFrom?: string | undefined; readonly dateTo?: string | undefined },
  { transactionFrom, transactionTo }: Consented,
): FieldErrors => {
  const errors: Record<string, FieldFault[]> = {};
  for (const name of ['dateFrom', 'dateTo'] as const) {
    const day = asked[name];
    if (!day) continue;
    if (transactionFrom && day < transactionFrom)
      errors[`query.${name}`] = [
        fieldFault('out-of-range', `must not be before ${transactionFrom}, the first day of the consent`, {
          from: transactionFrom,
        }),
      ];
    if (transactionTo && day > transactionTo)
      errors[`query.${name}`] = [
        fieldFault('out-of-range', `must not be after ${transactionTo}, the last day of the consent`, {
          to: transactionTo,
        }),
      ];
  }
  return errors;
};

export const readPeriodOf = (
  asked: { readonly dateFrom?: string | undefined; readonly dateTo?: string | undefined },
  consented: Consented,
  today: string,
): ReadPeriod => {
  const errors = faultsOf(asked, consented);
  if (Object.keys(errors).length > 0) throw outside(errors);
  const { transactionFrom, transactionTo } = consented;
  const recent = recentFrom(today);
  const from = asked.dateFrom || later(transactionFrom ?? recent, recent);
  const to = asked.dateTo || earlier(transactionTo ?? today, today);
  if (asked.dateFrom && from > to)
    throw outside({
      'query.dateFrom': [fieldFault('out-of-range', 'must not be after the last day', { to })],
    });
  if (asked.dateTo && from > to)
    throw outside({
      'query.dateFrom': [fieldFault('required', 'is required for a period that ended more than 90 days ago')],
    });
  return { from, to, isOld: from < recent };
};

/** Whether single days may be read at all. */
export const allowsDays = ({ transactionFrom, transactionTo }: Consented, { from, to }: Days): boolean =>
  (!transactionFrom || from >= transactionFrom) && (!transactionTo || to <= transactionTo);

const dateFault = (value: string): FieldFault | undefined =>
  isDate(value) ? undefined : fieldFault('format', 'must be a date such as 2027-01-31', { format: 'date' });

const dateField = (name: string, description: string): Field => ({
  name,
  schema: { type: 'string', format: 'date' },
  description: `${description} In the time zone of the bank.`,
  fault: dateFault,
});

export const periodFields: readonly Field[] = [
  dateField('dateFrom', 'First day. Absent: 90 days ago, or the first day that the consent covers.'),
  dateField('dateTo', 'Last day. Absent: today, or the last day that the consent covers.'),
];
