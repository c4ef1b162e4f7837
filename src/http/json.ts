/** The body of a request: strict JSON (`lib/format/strict-json.ts`) of bounded width, no lone surrogates and no NUL in any text. */
import { JsonFault, parseStrictJson } from '../lib/format/strict-json.js';
import { fieldFault } from '../problem/field.js';
import { Problem } from '../problem/problem.js';
import { shownName } from './validate.js';

const MAX_MEMBERS = 64;

const BACKSLASH = 0x5c;

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

const refusalOf = (error: unknown): Problem => {
  if (!(error instanceof JsonFault))
    return new Problem('invalid-json', { detail: 'The body is not valid JSON.' });
  const { message, duplicate } = error;
  return new Problem('invalid-json', {
    detail: `The body ${message}.`,
    ...(duplicate && {
      errors: { [duplicate.map(shownName).join('.')]: [fieldFault('duplicate', 'must not be there twice')] },
    }),
  });
};

const parsed = (bytes: Buffer): unknown => {
  try {
    return parseStrictJson(bytes);
  } catch (error) {
    throw refusalOf(error);
  }
};

export const parseJson = (bytes: Buffer, most = MAX_MEMBERS): unknown => {
  if (bytes.length === 0) return refuse('The body is empty; a JSON object is expected.');
  const value = parsed(bytes);
  if (!(bytes.includes(BACKSLASH) ? isClean(value, most) : isNarrow(value, most))) {
    return refuse(
      `The body has a lone surrogate or NUL in a text, or an object or a list with more than ${most} members.`,
    );
  }
  return value;
};
