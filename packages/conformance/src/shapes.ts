/** What answers must look like, in the words of the interface document. */
import type { Answer } from './bank/http.js';
import { demand } from './verdict.js';

export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const membersOf = (answer: Answer): Members => (isObject(answer.json) ? answer.json : {});

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const DAY = /^\d{4}-\d\d-\d\d$/;
export const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

export const statuses = [
  'Received',
  'Rejected',
  'Valid',
  'RevokedByPsu',
  'Expired',
  'TerminatedByTpp',
] as const;
export type Status = (typeof statuses)[number];

export const demandStatus = (answer: Answer, ...allowed: readonly number[]): void =>
  demand(allowed.includes(answer.status), `status ${allowed.join(' or ')}`, `status ${answer.status}`);

export const isAccepted = ({ status }: Answer): boolean => status >= 200 && status < 300;

export const demandAccepted = (answer: Answer): void =>
  demand(isAccepted(answer), 'an answer', `status ${answer.status}`);

export const demandOnly = (value: unknown, allowed: readonly string[], what: string): void => {
  const others = Object.keys(isObject(value) ? value : {}).filter((name) => !allowed.includes(name));
  demand(
    others.length === 0,
    `${what} with no members but ${allowed.join(', ')}`,
    `also ${others.join(', ')}`,
  );
};

export const mediaTypeOf = ({ headers }: Answer): string =>
  (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** JSON, or a media type built on it. */
export const isJsonType = (answer: Answer): boolean =>
  /^application\/([\w.-]+\+)?json$/.test(mediaTypeOf(answer));

const isText = (value: unknown): boolean => value === null || typeof value === 'string';
const isMap = (value: unknown): boolean => value === null || isObject(value);

/** Of the error body; each may be null or absent. */
export const errorMembers: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: isText,
  title: isText,
  status: (value) => value === null || Number.isInteger(value),
  detail: isText,
  instance: isText,
  extensions: (value) => value === null || (isObject(value) && Object.values(value).every(isObject)),
  errors: isMap,
};

/** One character in the middle is another; at its end a text of base64 may mean the same. */
export const altered = (text: string): string => {
  const middle = Math.floor(text.length / 2);
  return `${text.slice(0, middle)}${text[middle] === 'A' ? 'B' : 'A'}${text.slice(middle + 1)}`;
};
