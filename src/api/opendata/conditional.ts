/**
 * Conditional reads. The interface puts the conditions into the query; the standard headers of the same names work when
 * neither parameter is sent. An ETag wins over a date.
 */
import { MINUTE, type RealTime, SECOND } from '../../lib/clock.js';
import { parseInstant } from '../../lib/instant.js';
import { type FieldFault, fieldFault } from '../../problem/field.js';

/** Quotes are optional in the query, because they would have to be encoded. */
const ENTITY_TAG = /^(?:W\/)?(?:"[\x21\x23-\x7e]*"|[\x21\x23-\x2b\x2d-\x7e]+)$/;

const tagsOf = (value: string): string[] => value.split(',').map((part) => part.trim());

const ENTITY_TAG_FAULT = fieldFault('format', 'must be an ETag, a list of ETags separated by commas, or *', {
  format: 'etag',
});

/** Most callers send the tag of the current list, which need not be looked at letter by letter each time. */
export const createEntityTagFault = (): ((value: string) => FieldFault | undefined) => {
  let good = '*';
  return (value) => {
    if (value === good) return undefined;
    if (value.trim() !== '*' && !tagsOf(value).every((tag) => ENTITY_TAG.test(tag))) return ENTITY_TAG_FAULT;
    good = value;
    return undefined;
  };
};

export const dateFault = (value: string): FieldFault | undefined => {
  if (parseInstant(value) !== undefined) return undefined;
  const message =
    parseInstant(value.replace(' ', '+')) === undefined
      ? 'must be a date and time with offset such as 2026-11-15T09:30:00Z'
      : 'has a space where a plus sign was meant: write the plus sign as %2B';
  return fieldFault('format', message, { format: 'date-time' });
};

const opaque = (tag: string): string => tag.replace(/^W\//, '').replace(/^"(.*)"$/, '$1');

/** Weak comparison: only the opaque parts count. */
const matches = (value: string, etag: string): boolean =>
  value === etag || value.trim() === '*' || tagsOf(value).some((tag) => opaque(tag) === opaque(etag));

export interface Conditions {
  readonly noneMatch: string | undefined;
  /** Milliseconds. */
  readonly modifiedSince: number | undefined;
}

export const conditionsOf = (
  query: Readonly<Record<string, string | undefined>>,
  headers: Readonly<Record<string, string | undefined>>,
): Conditions => {
  const { if_None_Match: noneMatch, if_Modified_Since: since } = query;
  if (noneMatch || since)
    return { noneMatch: noneMatch || undefined, modifiedSince: since ? parseInstant(since) : undefined };
  const date = Date.parse(headers['if-modified-since'] ?? '');
  return { noneMatch: headers['if-none-match'], modifiedSince: Number.isNaN(date) ? undefined : date };
};

/** A date over a minute ahead of us is a mistake and counts as absent. Fractions of a second are cut. */
export const isUnchanged = (
  conditions: Conditions,
  etag: string,
  lastModifiedMs: number,
  nowMs: RealTime,
): boolean => {
  const { noneMatch, modifiedSince } = conditions;
  if (noneMatch !== undefined) return matches(noneMatch, etag);
  if (modifiedSince === undefined || modifiedSince > nowMs + MINUTE) return false;
  return lastModifiedMs <= Math.floor(modifiedSince / SECOND) * SECOND;
};
