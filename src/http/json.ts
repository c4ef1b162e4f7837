/** Strict JSON: UTF-8 or nothing, bounded depth and width, no lone surrogates and no NUL in any string. */
import { isUtf8 } from 'node:buffer';
import { Problem } from '../problem/problem.js';

const MAX_DEPTH = 20;
const MAX_MEMBERS = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Counted on the bytes: parsing or printing 200,000 brackets would overflow the stack. */
const depthOf = (bytes: Buffer): number => {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (quoted) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) quoted = false;
    } else if (byte === QUOTE) quoted = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return deepest;
};

const isCleanText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

const isClean = (value: unknown, most: number): boolean => {
  if (typeof value === 'string') return isCleanText(value);
  if (typeof value !== 'object' || value === null) return true;
  const members = Object.entries(value);
  return (
    members.length <= most && members.every(([name, member]) => isCleanText(name) && isClean(member, most))
  );
};

/** As `isClean` of a text without backslashes: only an escape can bring in what it looks for in texts. */
const isNarrow = (value: unknown, most: number): boolean => {
  if (typeof value !== 'object' || value === null) return true;
  let members = 0;
  for (const name in value) {
    members += 1;
    if (members > most || !isNarrow((value as Record<string, unknown>)[name], most)) return false;
  }
  return true;
};

const refuse = (detail: string): never => {
  throw new Problem('invalid-json', { detail });
};

export const parseJson = (bytes: Buffer, most = MAX_MEMBERS): unknown => {
  if (bytes.length === 0) return refuse('The body is empty; a JSON object is expected.');
  if (depthOf(bytes) > MAX_DEPTH) return refuse(`The body is nested more than ${MAX_DEPTH} levels deep.`);
  if (!isUtf8(bytes)) return refuse('The body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('The body is not valid JSON.');
  }
  if (!(bytes.includes(BACKSLASH) ? isClean(value, most) : isNarrow(value, most))) {
    return refuse(
      `The body has a lone surrogate or NUL in a text, or an object or a list with more than ${most} members.`,
    );
  }
  return value;
};
