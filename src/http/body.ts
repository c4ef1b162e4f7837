/** Reads a request body up to the limit. What is larger is refused without being kept. */
import type { IncomingMessage } from 'node:http';
import type { Eventual } from '../lib/turn.js';
import { Problem } from '../problem/problem.js';

const none = Buffer.alloc(0);

export const hasBody = (request: IncomingMessage): boolean => {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
};

const lengthOf = (request: IncomingMessage): number =>
  Math.max(Number(request.headers['content-length'] ?? 0), request.readableLength);

/** Whether the body, or the rest of it, is small enough to be skipped so that the connection can be used again. */
export const isSmall = (request: IncomingMessage, limit: number): boolean =>
  lengthOf(request) <= limit &&
  (request.complete || !hasBody(request) || request.headers['transfer-encoding'] === undefined);

const tooLarge = (limit: number): Problem =>
  new Problem('message-too-large', { detail: `The body is larger than ${limit} bytes.` });

/** Synchronous if the body has arrived, as a small one has; else a promise. */
export const readBody = (request: IncomingMessage, limit: number): Eventual<Buffer> => {
  if (!hasBody(request)) return none;
  if (lengthOf(request) > limit) throw tooLarge(limit);
  // By its length: without one, Node 26 gives the first chunk alone.
  if (request.complete && request.readableLength > 0)
    return (request.read(request.readableLength) as Buffer | null) ?? none;
  return arrival(request, limit);
};

const arrival = (request: IncomingMessage, limit: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        request.removeAllListeners('data');
        request.resume();
        reject(tooLarge(limit));
      } else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] ?? none) : Buffer.concat(chunks, size)));
    const cut = (): void => {
      if (!request.readableEnded) reject(new Problem('request-incomplete'));
    };
    request.on('error', cut);
    request.on('close', cut);
  });
