/** Where one is in a list, and the way to what is newer and older. */
import { COUNTED_AT_MOST, type ListPage, type Place } from '../../../consent/page.js';
import { numberFormat } from '../../../lib/format/intl.js';
import { addressWith, type Filter, placeText } from '../filters.js';
import type { HolderVisit } from '../parts.js';

export const numberOf = ({ asking }: Pick<HolderVisit, 'asking'>, count: number): string =>
  numberFormat(asking.locale).format(count);

const totalText = (visit: HolderVisit, total: number): string =>
  total > COUNTED_AT_MOST
    ? visit.messages.board.moreThan(numberOf(visit, COUNTED_AT_MOST))
    : numberOf(visit, total);

/** `41–50 of 2,013`. */
export const rangeText = (visit: HolderVisit, newerRows: number, shown: number, total: number): string => {
  const { board } = visit.messages;
  if (newerRows >= COUNTED_AT_MOST) return board.moreThan(numberOf(visit, COUNTED_AT_MOST));
  return board.range(
    numberOf(visit, newerRows + 1),
    numberOf(visit, newerRows + shown),
    totalText(visit, total),
  );
};

export interface PagesProps {
  readonly visit: HolderVisit;
  readonly path: string;
  readonly filter: Filter;
  readonly page: Pick<ListPage<Place>, 'rows' | 'newerRows' | 'total' | 'hasNewer' | 'hasOlder'>;
  /** Nothing is counted in a list that was tested line by line. */
  readonly isCounted?: boolean;
}

export const Pages = ({ visit, path, filter, page, isCounted = true }: PagesProps) => {
  const { messages, frame } = visit;
  const { rows, newerRows, total, hasNewer, hasOlder } = page;
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return null;
  const link = (place: Readonly<Record<string, string>>): string =>
    frame.href(addressWith(path, filter, place));
  return (
    <nav class="pages" aria-label={messages.pages}>
      {isCounted && <p class="quiet">{rangeText(visit, newerRows, rows.length, total)}</p>}
      {(hasNewer || hasOlder) && (
        <p class="actions">
          {hasNewer && (
            <a class="button second" href={link({ before: placeText(first) })} rel="prev">
              ‹ {messages.board.newer}
            </a>
          )}
          {hasOlder && (
            <a class="button second" href={link({ after: placeText(last) })} rel="next">
              {messages.board.older} ›
            </a>
          )}
        </p>
      )}
    </nav>
  );
};
