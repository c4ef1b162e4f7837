/**
 * A port that no process listens on, for what must know its address before it starts, or takes it again after a pause.
 * It lies below the ports that systems give to outgoing connections, so that none of those takes it in between.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const LOWEST = 20_000;
const ABOVE = 32_768;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(LOWEST, ABOVE);
    if (await isFree(port)) return port;
  }
};
