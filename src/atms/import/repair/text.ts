/** Cleans single texts and lists of texts: what is safe is repaired, what could hide something is refused. */
import { quote } from '../show.js';
import type { Ledger } from './ledger.js';

const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** A text without surrounding blanks, '' if nothing is left; undefined if it was refused. */
export const tidy = (raw: unknown, field: string, ledger: Ledger): string | undefined => {
  if (typeof raw === 'number' && Number.isSafeInteger(raw)) {
    ledger.change(field, 'is a number; written as text');
    return String(raw);
  }
  if (typeof raw !== 'string') return ledger.refuse(field, 'is not a text');
  if (!raw.isWellFormed()) return ledger.refuse(field, 'holds half a surrogate pair, which is no character');
  if (raw.includes('\0')) return ledger.refuse(field, 'holds a NUL character');
  const trimmed = raw.trim();
  if (trimmed !== raw) ledger.change(field, 'had blanks around it');
  const oneLine = trimmed.replace(LINE_BREAKS, ' ');
  if (oneLine !== trimmed) ledger.change(field, 'had line breaks or tabs in it; blanks instead');
  if (/\p{Cc}/u.test(oneLine)) return ledger.refuse(field, 'holds a control character');
  // The same letters, but equal bytes for equal text: some systems store accents as separate characters.
  const composed = oneLine.normalize('NFC');
  if (composed !== oneLine) ledger.change(field, 'had accents as separate characters; composed');
  return composed;
};

/** A nullable text. Undefined when it is absent, or was refused. */
export const cleanText = (raw: unknown, field: string, ledger: Ledger): string | null | undefined => {
  if (raw === undefined || raw === null) return raw;
  const text = tidy(raw, field, ledger);
  if (text !== '') return text;
  ledger.change(field, 'is blank; null instead');
  return null;
};

/** A nullable list of texts without blanks and repetitions. Undefined when it is absent, or was refused. */
export const cleanList = (raw: unknown, field: string, ledger: Ledger): string[] | null | undefined => {
  if (raw === undefined || raw === null) return raw;
  if (!Array.isArray(raw)) return ledger.refuse(field, 'is not a list');
  const items = new Set<string>();
  let refused = false;
  raw.forEach((entry: unknown, index) => {
    const text = entry === null ? '' : tidy(entry, `${field}[${index}]`, ledger);
    if (text === undefined) refused = true;
    else if (text === '') ledger.change(field, 'had an empty entry; dropped');
    else if (items.has(text)) ledger.change(field, `names ${quote(text)} twice; once is enough`);
    else items.add(text);
  });
  return refused ? undefined : [...items];
};

/** A list that the contract demands, but lets be null. */
export const requireList = (raw: unknown, field: string, ledger: Ledger): string[] | null | undefined => {
  if (raw !== undefined) return cleanList(raw, field, ledger);
  ledger.change(field, 'is missing; null instead');
  return null;
};
