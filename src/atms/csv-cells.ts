/**
 * The CSV form of an ATM, shared by import and export: the header, and how a cell says "null", "empty list" and
 * "exactly this text", so that an exported file can be imported again without any change.
 */
import { ADDRESS_MEMBERS, ATM_MEMBERS, LIST_MEMBERS } from './atm.js';

/** The contract's members in order; those of the address are written `address.street`. */
export const CSV_HEADER: readonly string[] = ATM_MEMBERS.flatMap((member) =>
  member === 'address' ? ADDRESS_MEMBERS.map((name) => `address.${name}`) : [member],
);

const NULL = 'null';
const EMPTY_LIST = '[]';

export const isListMember = (name: string): boolean => (LIST_MEMBERS as readonly string[]).includes(name);

/** Undefined for an empty cell: the file says nothing about this member. */
export const readText = (cell: string): string | null | undefined => {
  const trimmed = cell.trim();
  if (trimmed === '') return undefined;
  if (trimmed === NULL) return null;
  return trimmed.startsWith('\\') ? trimmed.slice(1) : cell;
};

/** Items are separated by `|` or `;`; a backslash takes the next character as it is. */
export const readList = (cell: string): string[] | null | undefined => {
  const trimmed = cell.trim();
  if (trimmed === '') return undefined;
  if (trimmed === NULL) return null;
  if (trimmed === EMPTY_LIST) return [];
  const items: string[] = [];
  let item = '';
  let literal = false;
  for (const character of trimmed) {
    if (!literal && character === '\\') literal = true;
    else if (!literal && (character === '|' || character === ';')) {
      items.push(item);
      item = '';
    } else {
      item += character;
      literal = false;
    }
  }
  return [...items, item];
};

/**
 * Text that would be read back as something else gets a backslash in front. So does text that a spreadsheet would run as
 * a formula. Telephone numbers and locations start with a sign too, but hold no letters and stay as they are.
 */
const guarded = (text: string): string =>
  text === NULL || text === EMPTY_LIST || /^[\\=@]/.test(text) || /^[+-].*\p{L}/su.test(text)
    ? `\\${text}`
    : text;

export const writeText = (value: string | null | undefined): string => {
  if (value === undefined) return '';
  return value === null ? NULL : guarded(value);
};

export const writeList = (items: readonly string[] | null | undefined): string => {
  if (items === undefined) return '';
  if (items === null) return NULL;
  if (items.length === 0) return EMPTY_LIST;
  const cell = items.map((item) => item.replace(/[\\|;]/g, '\\$&')).join('|');
  // A cell that starts with a backslash already reads back as it is and is no formula.
  return cell.startsWith('\\') ? cell : guarded(cell);
};

/** Quotes as in RFC 4180. */
export const quoteCell = (cell: string): string =>
  /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
