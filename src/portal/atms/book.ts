/** The published list, prepared for people: in the order of towns, with the places and the values that it knows. */
import type { Atm } from '../../atms/atm.js';
import type { Feed } from '../../atms/feed.js';
import { atmsOf } from '../../atms/publication.js';
import { foldedLetters } from '../../lib/format/folded.js';
import { undisguised } from '../../lib/format/undisguised.js';

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

export interface Entry {
  readonly atm: Atm;
  readonly point: Point | undefined;
}

/** A town or postcode, at the middle of its ATMs. */
export interface Place extends Point {
  readonly name: string;
  readonly count: number;
}

export const facets = ['service', 'access', 'currency', 'language'] as const;
export type Facet = (typeof facets)[number];

export interface Book {
  readonly entries: readonly Entry[];
  readonly byId: ReadonlyMap<string, Entry>;
  readonly values: Readonly<Record<Facet, readonly string[]>>;
  /** By their plain names; towns with the most ATMs first. */
  readonly towns: ReadonlyMap<string, Place>;
  readonly postcodes: ReadonlyMap<string, Place>;
}

export const valuesOf = (atm: Atm, facet: Facet): readonly string[] => {
  const lists = {
    service: atm.atmServices,
    access: atm.accessibilityFeatures,
    currency: atm.currency,
    language: atm.supportedLanguages,
  };
  return lists[facet] ?? [];
};

const pointOf = ({ geographicLocation }: Atm): Point | undefined => {
  const [latitude, longitude] = (geographicLocation ?? '').split(',').map(Number);
  const isPoint = latitude !== undefined && longitude !== undefined;
  return isPoint && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
    ? { latitude, longitude }
    : undefined;
};

const placesOf = (
  entries: readonly Entry[],
  nameOf: (atm: Atm) => string | null | undefined,
): ReadonlyMap<string, Place> => {
  const sums = new Map<string, Place>();
  for (const { atm, point } of entries) {
    const name = undisguised(nameOf(atm) ?? '');
    const key = foldedLetters(name);
    if (key === '' || !point) continue;
    const known = sums.get(key) ?? { name, count: 0, latitude: 0, longitude: 0 };
    sums.set(key, {
      name: known.name,
      count: known.count + 1,
      latitude: known.latitude + point.latitude,
      longitude: known.longitude + point.longitude,
    });
  }
  return new Map(
    [...sums]
      .sort(([, a], [, b]) => b.count - a.count)
      .map(([key, { name, count, latitude, longitude }]) => [
        key,
        { name, count, latitude: latitude / count, longitude: longitude / count },
      ]),
  );
};

const { compare } = new Intl.Collator('el', { numeric: true });
const inOrder = ({ atm: a }: Entry, { atm: b }: Entry): number =>
  compare(a.address.city ?? '\uffff', b.address.city ?? '\uffff') ||
  compare(a.address.street ?? '', b.address.street ?? '') ||
  compare(a.name ?? '', b.name ?? '');

const bookOf = (feed: Feed): Book => {
  const atms = atmsOf({ body: feed.plain.toString() });
  const entries = atms.map((atm) => ({ atm, point: pointOf(atm) })).sort(inOrder);
  const known = (facet: Facet): readonly string[] =>
    [...new Set(atms.flatMap((atm) => valuesOf(atm, facet)))].sort(compare);
  return {
    entries,
    byId: new Map(entries.map((entry) => [entry.atm.id, entry])),
    values: {
      service: known('service'),
      access: known('access'),
      currency: known('currency'),
      language: known('language'),
    },
    towns: placesOf(entries, ({ address }) => address.city),
    postcodes: placesOf(entries, ({ address }) => address.postalCode),
  };
};

/** Made once for each published list. */
export const createBooks = (): ((feed: Feed) => Book) => {
  let last: { readonly feed: Feed; readonly book: Book } | undefined;
  return (feed) => {
    if (last?.feed !== feed) last = { feed, book: bookOf(feed) };
    return last.book;
  };
};

const RADIUS_KM = 6371;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Along the great circle. */
export const distanceKm = (a: Point, b: Point): number => {
  const north = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2;
  const east = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  const share = north + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * east;
  return 2 * RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(share)));
};
