/** A place in a list of transactions, as third parties carry it from page to page: it names an entry, never an account. */

import { BadCursor } from 'trapeza/bank';
import { isDate, isUuid } from 'trapeza/base';

const BOOKED = /^b(\d{4}-\d{2}-\d{2})\.(\d{1,15})$/;
const PENDING = /^p(\d{1,15})\.([0-9a-f-]{36})$/;

export interface BookedPlace {
  readonly date: string;
  readonly seq: number;
}

export interface PendingPlace {
  readonly at: number;
  readonly id: string;
}

const wrap = (text: string): string => Buffer.from(text).toString('base64url');

/** One text per position: a cursor in any other form was not issued by us. */
const unwrap = (cursor: string, shape: RegExp): readonly [string, string] => {
  const text = cursor.length <= 100 ? Buffer.from(cursor, 'base64url').toString('latin1') : '';
  const [, first = '', second = ''] = shape.exec(text) ?? [];
  if (first === '' || wrap(text) !== cursor) throw new BadCursor();
  return [first, second];
};

export const bookedCursor = ({ date, seq }: BookedPlace): string => wrap(`b${date}.${seq}`);
export const pendingCursor = ({ at, id }: PendingPlace): string => wrap(`p${at}.${id}`);

export const readBookedCursor = (cursor: string): BookedPlace => {
  const [date, seq] = unwrap(cursor, BOOKED);
  if (!isDate(date)) throw new BadCursor();
  return { date, seq: Number(seq) };
};

export const readPendingCursor = (cursor: string): PendingPlace => {
  const [at, id] = unwrap(cursor, PENDING);
  if (!isUuid(id)) throw new BadCursor();
  return { at: Number(at), id };
};
