/** Connections that were used once and then stay open without a word, as those of a proxy or of many third parties. */
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Split } from '../requests.js';
import { joinRequest, newRequestId, readAnswer } from './wire.js';

export interface Idle {
  readonly opened: number;
  /** Why there are not more, if fewer than wanted were let in. */
  readonly limit: string;
  /** How many are open still. */
  open(): number;
  close(): void;
}

const AT_ONCE = 200;
const ANSWER_MS = 30_000;

const dial = (url: URL): Socket => {
  const to = { host: url.hostname, port: Number(url.port) };
  // The certificate is our own, and of this run.
  return url.protocol === 'https:' ? connectTls({ ...to, rejectUnauthorized: false }) : connect(to);
};

/** The reason, if the machine or the server does not let it in. */
const openOne = (url: URL, request: Split): Promise<Socket | string> =>
  new Promise((resolve) => {
    const socket = dial(url);
    const giveUp = (reason: string): void => {
      resolve(reason);
      socket.destroy();
    };
    socket.setTimeout(ANSWER_MS, () => giveUp('no answer'));
    socket.once('error', (error: NodeJS.ErrnoException) => giveUp(error.code ?? error.message));
    socket.once('close', () => giveUp('closed'));
    socket.once('data', (bytes) => {
      socket.setTimeout(0);
      const status = readAnswer(bytes)?.status ?? 500;
      if (status < 400) resolve(socket);
      else giveUp(`answered with ${status}`);
    });
    socket.write(joinRequest(request, newRequestId()));
  });

/** As many as wanted; who is refused while others are let in is tried again. */
export const openIdle = async (address: string, requests: readonly Split[], count: number): Promise<Idle> => {
  const sockets: Socket[] = [];
  const url = new URL(address);
  let limit = '';
  for (let before = -1; sockets.length < count && sockets.length > before; ) {
    before = sockets.length;
    const batch = Array.from({ length: Math.min(AT_ONCE, count - before) }, (_each, index) =>
      openOne(url, requests[(before + index) % requests.length] as Split),
    );
    for (const opened of await Promise.all(batch))
      if (typeof opened === 'string') limit = opened;
      else sockets.push(opened);
  }
  return {
    opened: sockets.length,
    limit: sockets.length < count ? limit : '',
    open: () => sockets.filter((socket) => !socket.destroyed).length,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
};
