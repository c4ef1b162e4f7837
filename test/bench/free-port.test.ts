/** Tests and benchmarks that run side by side never give out one port twice. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { freePort } from '../../bench/free-port.js';

it('a port is kept for its process until that ends, also before anything listens on it', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort));
  expect(new Set(ports).size).toBe(20);
  for (const port of ports.slice(0, 3)) {
    const other = createSocket('udp4');
    const refused = once(other, 'error');
    other.bind({ port, address: '127.0.0.1', exclusive: true });
    expect(await refused).toMatchObject([{ code: 'EADDRINUSE' }]);
  }
});
