/** Reads the answers out of the bytes of a connection, each held against the contract. */
import type { IncomingHttpHeaders } from 'node:http';
import { checkContract } from './contract.js';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const headersOf = (lines: readonly string[]): IncomingHttpHeaders =>
  Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );

const nextIn = (bytes: Buffer): { answer: RawAnswer; rest: Buffer } => {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) throw new Error(`no whole answer in: ${bytes.toString('utf8').slice(0, 200)}`);
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = headersOf(lines);
  const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0);
  const text = bytes.subarray(end + 4, bodyEnd).toString('utf8');
  return {
    answer: { status: Number(statusLine.split(' ')[1]), headers, text },
    rest: bytes.subarray(bodyEnd),
  };
};

const slugIn = (text: string): string => /"type":"[^"]*\/problems\/([\w-]+)"/.exec(text)?.[1] ?? 'no problem';

export const verdictOf = ({ status, text }: RawAnswer): string =>
  status === 200 ? '200' : `${status} ${slugIn(text)}`;

/** The path decides only about the body of a success; refusals look the same everywhere. */
const checkProblem = ({ status, headers, text }: RawAnswer): void =>
  checkContract({ method: 'GET', path: '/', status, headers, text, json: JSON.parse(text) });

/** All answers on a connection. Bytes that are none make it throw. */
export const responsesIn = (text: string): readonly RawAnswer[] => {
  const answers: RawAnswer[] = [];
  let rest: Buffer = Buffer.from(text);
  while (rest.length > 0) {
    const { answer, rest: more } = nextIn(rest);
    if (answer.status >= 400) checkProblem(answer);
    answers.push(answer);
    rest = more;
  }
  return answers;
};
