/** What a visitor asks of the list: filters, a place and a page, each checked; and what is found. */
import type { Params } from '../../http/exchange.js';
import { foldedLetters } from '../../lib/format/folded.js';
import { type Book, distanceKm, type Entry, type Facet, facets, type Point, valuesOf } from './book.js';

export type WishFault = 'value' | 'place' | 'page';

export interface Wish {
  readonly chosen: Readonly<Partial<Record<Facet, string>>>;
  /** As it was written. */
  readonly near: string;
  readonly page: number;
  /** By the field; a filter that has one is not applied. */
  readonly faults: Readonly<Partial<Record<Facet | 'near' | 'page', WishFault>>>;
}

export interface Found extends Entry {
  readonly km: number | undefined;
}

export interface Findings {
  readonly place: (Point & { readonly name: string }) | undefined;
  readonly all: readonly Found[];
  readonly shown: readonly Found[];
  readonly pages: number;
}

export const PAGE_SIZE = 25;
const MAX_NEAR = 100;

const COORDINATES = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/;

const placeOf = (book: Book, near: string): Findings['place'] => {
  const [, latitude, longitude] = COORDINATES.exec(near) ?? [];
  if (latitude !== undefined && longitude !== undefined) {
    const point = {
      latitude: Number(latitude),
      longitude: Number(longitude),
      name: `${latitude}, ${longitude}`,
    };
    return Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180 ? point : undefined;
  }
  const key = foldedLetters(near);
  if (key === '') return undefined;
  const beginning = [...book.towns].find(([town]) => town.startsWith(key))?.[1];
  return book.postcodes.get(key) ?? book.towns.get(key) ?? beginning;
};

export const readWish = (query: Params, book: Book): Wish => {
  const chosen: Partial<Record<Facet, string>> = {};
  const faults: Partial<Record<Facet | 'near' | 'page', WishFault>> = {};
  for (const facet of facets) {
    const value = query[facet] ?? '';
    if (value === '') continue;
    if (book.values[facet].includes(value)) chosen[facet] = value;
    else faults[facet] = 'value';
  }
  const near = (query.near ?? '').trim().slice(0, MAX_NEAR);
  if (near !== '' && !placeOf(book, near)) faults.near = 'place';
  const page = query.page === undefined || query.page === '' ? 1 : Number(query.page);
  const isPage = Number.isSafeInteger(page) && page >= 1;
  if (!isPage) faults.page = 'page';
  return { chosen, near, page: isPage ? page : 1, faults };
};

export const find = (book: Book, { chosen, near, page }: Wish): Findings => {
  const place = near === '' ? undefined : placeOf(book, near);
  const matches = book.entries.filter(({ atm }) =>
    facets.every((facet) => chosen[facet] === undefined || valuesOf(atm, facet).includes(chosen[facet])),
  );
  const all = matches.map((entry) => ({
    ...entry,
    km: place && entry.point ? distanceKm(place, entry.point) : undefined,
  }));
  if (place) all.sort((a, b) => (a.km ?? Number.POSITIVE_INFINITY) - (b.km ?? Number.POSITIVE_INFINITY));
  const pages = Math.max(1, Math.ceil(all.length / PAGE_SIZE));
  const start = (Math.min(page, pages) - 1) * PAGE_SIZE;
  return { place, all, shown: all.slice(start, start + PAGE_SIZE), pages };
};

/** The address of the same wish, on another page. */
export const wishPath = ({ chosen, near }: Wish, page = 1): string => {
  const query = new URLSearchParams({ ...chosen, ...(near === '' ? {} : { near }) });
  if (page > 1) query.set('page', String(page));
  const text = query.toString();
  return text === '' ? '/atms' : `/atms?${text}`;
};
