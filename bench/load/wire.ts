/** Requests and answers as bytes: what a load program must know of HTTP/1.1, and no more. */
import type { Split } from '../requests.js';

/** The id is written between the halves; a request without a second half is sent as it is. */
export const joinRequest = ({ head, tail }: Split, id: string): string =>
  tail === '' ? head : `${head}${id}${tail}`;

export interface ReadRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** For a load program that wants the parts. */
export const readRequest = (text: string): ReadRequest => {
  const end = text.indexOf('\r\n\r\n');
  const [line = '', ...fields] = text.slice(0, end).split('\r\n');
  const [method = '', path = ''] = line.split(' ');
  const headers = Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon), field.slice(colon + 1).trim()];
    }),
  );
  const body = text.slice(end + 4);
  return body === '' ? { method, path, headers } : { method, path, headers, body };
};

export interface AnswerHead {
  readonly status: number;
  /** Of head and body. */
  readonly bytes: number;
}

const BODILESS = new Set([204, 304]);

/** Nothing while the head is not complete. Chunked answers are not expected, and told as a fault. */
export const readAnswer = (bytes: Buffer): AnswerHead | undefined => {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const status = Number(head.slice(9, 12));
  if (BODILESS.has(status)) return { status, bytes: end + 4 };
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without a length: ${head.split('\r\n')[0]}`);
  return { status, bytes: end + 4 + Number(length) };
};

/** As random as a caller's own; the load program of the closed loop makes them likewise. */
export const newRequestId = (): string => crypto.randomUUID();
