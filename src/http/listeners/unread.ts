/** Answers that do not wait for the body of their request. The connection ends with them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SECOND } from '../../lib/clock.js';
import { hasBody } from '../body.js';

/** Time for a client that is still sending to read its answer. Closing at once would reset the connection before it has. */
const LINGER_MS = SECOND;

interface Pair {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Some of the body is still to come. */
const isUnread = (request: IncomingMessage): boolean => hasBody(request) && !request.complete;

/** The connection ends with the answer, which is not written yet. */
export const endWithAnswer = ({ request, response }: Pair): void => {
  const { socket } = request;
  response.shouldKeepAlive = false;
  // Node calls it when the answer is written.
  if (isUnread(request)) socket.destroySoon = () => endSoon(socket);
};

/** The same, unless the whole request has arrived. */
export const leaveUnread = (pair: Pair): void => {
  if (isUnread(pair.request)) endWithAnswer(pair);
};

/** Leaves it unread when the answer is written, by a library for example. */
export const leaveUnreadLater = (pair: Pair): void => {
  const { request, response } = pair;
  if (!isUnread(request)) return;
  const { writeHead } = response;
  response.writeHead = ((...given: Parameters<typeof writeHead>) => {
    leaveUnread(pair);
    return Reflect.apply(writeHead, response, given);
  }) as typeof writeHead;
};

/** Reads nothing more, so that TCP holds the sender back and what it sends costs nothing. */
export const endSoon = (socket: Socket): void => {
  const hold = (): void => {
    socket.pause();
  };
  // Node resumes the socket after an answer, to read what is left of its request.
  socket.on('resume', hold);
  hold();
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
};
