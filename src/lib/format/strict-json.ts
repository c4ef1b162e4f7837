/**
 * Strict JSON, for whatever comes from outside: UTF-8, bounded depth, and no member twice. JSON.parse keeps the last of two; a gateway in
 * front may read the first, and then two readers see two different messages.
 */
import { isUtf8 } from 'node:buffer';

const MAX_DEPTH = 20;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** What JSON.parse would let pass. The message goes on from "it". */
export class JsonFault extends Error {
  /** Of the second of two members with one name. */
  readonly duplicate: readonly string[] | undefined;

  constructor(message: string, duplicate?: readonly string[]) {
    super(message);
    this.name = 'JsonFault';
    this.duplicate = duplicate;
  }
}

/** Counted on the bytes: parsing or printing 200,000 brackets would overflow the stack. Each colon outside of texts is one of a member. */
const measure = (bytes: Buffer): { readonly deepest: number; readonly members: number } => {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let quoted = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (quoted) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) quoted = false;
    } else if (byte === QUOTE) quoted = true;
    else if (byte === COLON) members += 1;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return { deepest, members };
};

const membersIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const each of value) count += membersIn(each);
    return count;
  }
  for (const name in value) count += 1 + membersIn((value as Record<string, unknown>)[name]);
  return count;
};

const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[[\]{},]/gs;

/** In a text that is JSON and has one. */
const findDuplicate = (text: string): string[] => {
  const open: { readonly names: Set<string> | undefined; at: string | number }[] = [];
  for (const [token, name, colon] of text.matchAll(TOKEN)) {
    const top = open.at(-1);
    if (token === '{') open.push({ names: new Set(), at: '' });
    else if (token === '[') open.push({ names: undefined, at: 0 });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && typeof top?.at === 'number') top.at += 1;
    else if (name !== undefined && colon !== undefined && top?.names) {
      top.at = JSON.parse(name) as string;
      if (top.names.has(top.at)) break;
      top.names.add(top.at);
    }
  }
  return open.map(({ at }) => String(at));
};

/** Throws a `JsonFault`, or the `SyntaxError` of JSON.parse. */
export const parseStrictJson = (source: Buffer | string): unknown => {
  const bytes = typeof source === 'string' ? Buffer.from(source) : source;
  const { deepest, members } = measure(bytes);
  if (deepest > MAX_DEPTH) throw new JsonFault(`is nested more than ${MAX_DEPTH} levels deep`);
  if (!isUtf8(bytes)) throw new JsonFault('is not valid UTF-8');
  const text = typeof source === 'string' ? source : bytes.toString('utf8');
  const value: unknown = JSON.parse(text);
  if (membersIn(value) === members) return value;
  throw new JsonFault('has a member twice', findDuplicate(text));
};
