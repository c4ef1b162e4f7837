/** What a list is narrowed to: read from the address, understood by the store, and written into the next address. */
import { type ConsentKind, type ConsentStatus, consentKinds, consentStatuses } from '../../consent/record.js';
import type { PermissionTest } from '../../consent/takeout.js';
import type { Place, UseFilter } from '../../consent/watch.js';
import type { PageRequest } from '../../http/pages.js';
import { DAY } from '../../lib/clock.js';
import { endOfDay } from '../../lib/day.js';
import { isUuid } from '../../lib/id.js';
import { isDate } from '../../lib/instant.js';

type Query = PageRequest['query'];

/** Anything that is not understood counts as not chosen. */
export interface Filter {
  readonly state?: ConsentStatus | undefined;
  readonly kind?: ConsentKind | undefined;
  readonly app?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly permission?: string | undefined;
}

const oneOf = <T extends string>(value: string | undefined, known: readonly T[]): T | undefined =>
  known.find((each) => each === value);

const dateOf = (text: string | undefined): string | undefined =>
  text !== undefined && isDate(text) && text > '1970-01-01' && text < '9999-01-01' ? text : undefined;

export const permissionFilterOf = (query: Query): Filter => ({
  state: oneOf(query.state, consentStatuses),
  kind: oneOf(query.kind, consentKinds),
  app: query.app || undefined,
});

export const useFilterOf = (query: Query): Filter => ({
  from: dateOf(query.from),
  to: dateOf(query.to),
  app: query.app || undefined,
  permission: query.permission !== undefined && isUuid(query.permission) ? query.permission : undefined,
});

export const isNarrowed = (filter: Filter): boolean =>
  Object.values(filter).some((value) => value !== undefined);

export const permissionTest =
  ({ state, kind, app }: Filter): PermissionTest =>
  (line, status) =>
    (state === undefined || status === state) &&
    (kind === undefined || line.kind === kind) &&
    (app === undefined || line.clientId === app);

const dayBefore = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) - DAY).toISOString().slice(0, 10);

/** Both days belong to the period, as days of the bank. */
export const storedFilter = ({ from, to, app, permission }: Filter, timeZone: string): UseFilter => ({
  from: from === undefined ? undefined : endOfDay(dayBefore(from), timeZone),
  before: to === undefined ? undefined : endOfDay(to, timeZone),
  clientId: app,
  consentId: permission,
});

/** The filter as the end of an address, with what else belongs there. */
export const addressWith = (path: string, filter: Filter, more: Readonly<Record<string, string>> = {}) => {
  const query = new URLSearchParams(
    Object.entries({ ...filter, ...more }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  ).toString();
  return query === '' ? path : `${path}?${query}`;
};

const PLACE = /^(\d{1,15})_([\w-]{1,64})$/;

/** Where the next page of a list begins. */
export const placeOf = (query: Query): Place | undefined => {
  const [, at, id] = PLACE.exec(query.after ?? '') ?? [];
  return at === undefined || id === undefined ? undefined : { at: Number(at), id };
};

export const placeText = ({ at, id }: Place): string => `${at}_${id}`;
