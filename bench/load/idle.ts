/** Connections that were used once and then stay open without a word, as those of a proxy or of many third parties. */
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Split } from '../requests.js';
import { joinRequest, newRequestId, readAnswer } from './wire.js';

export interface Idle {
  readonly opened: number;
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

/** Undefined if the machine or the server lets no more in. */
const openOne = (url: URL, request: Split): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = dial(url);
    const giveUp = (): void => {
      socket.destroy();
      resolve(undefined);
    };
    socket.setTimeout(ANSWER_MS, giveUp);
    socket.once('error', giveUp).once('close', giveUp);
    socket.once('data', (bytes) => {
      socket.setTimeout(0);
      const isGood = (readAnswer(bytes)?.status ?? 500) < 400;
      resolve(isGood ? socket : undefined);
    });
    socket.write(joinRequest(request, newRequestId()));
  });

/** As many as wanted, or as many as are let in. */
export const openIdle = async (address: string, requests: readonly Split[], count: number): Promise<Idle> => {
  const sockets: Socket[] = [];
  const url = new URL(address);
  for (let at = 0; at < count; at += AT_ONCE) {
    const wanted = Math.min(AT_ONCE, count - at);
    const batch = Array.from({ length: wanted }, (_each, index) =>
      openOne(url, requests[(at + index) % requests.length] as Split),
    );
    const opened = (await Promise.all(batch)).filter((socket) => socket !== undefined);
    sockets.push(...opened);
    if (opened.length < wanted) break;
  }
  return {
    opened: sockets.length,
    open: () => sockets.filter((socket) => !socket.destroyed).length,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
};
