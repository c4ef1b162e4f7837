/**
 * A port that no process listens on, for what must know its address before it starts, or takes it again after a pause.
 * It lies below the ports that systems give to outgoing connections, so that none of those takes it in between. No other
 * caller of this gets it before this process ends: its namesake of UDP, which has no other use here, is held until then.
 */
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const LOWEST = 20_000;
const ABOVE = 32_768;

const reserve = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const holder = createSocket('udp4').unref();
    holder.once('error', () => holder.close(() => resolve(false)));
    holder.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(LOWEST, ABOVE);
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
};
