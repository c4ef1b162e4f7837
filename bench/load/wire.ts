/** Requests and answers as bytes: what a load program must know of HTTP/1.1, and no more. */
import type { Split } from '../requests.js';

/** The id is written between the halves. It is as random as a caller's own. */
export const joinRequest = ({ head, tail }: Split, id: string = crypto.randomUUID()): string =>
  `${head}${id}${tail}`;

interface AnswerHead {
  readonly status: number;
  /** Of head and body. */
  readonly bytes: number;
  /** Whether the connection ends with it. */
  readonly closes: boolean;
}

/** Nothing while the head is not complete. Chunked answers are not expected, and are a fault. */
export const readAnswer = (bytes: Buffer): AnswerHead | undefined => {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without a length: ${head.split('\r\n')[0]}`);
  const closes = /\r\nconnection: *close/i.test(head);
  return { status: Number(head.slice(9, 12)), bytes: end + 4 + Number(length), closes };
};
