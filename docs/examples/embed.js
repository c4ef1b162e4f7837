/** A bank's own program with the interface inside: its server keeps its other paths and hands everything else over. */
import { createServer } from 'node:http';
import { readConfig, startApp } from 'trapeza';
import { createBank } from './bank.js';

/** @param {Record<string, string | undefined>} env */
export const start = async (env = process.env) => {
  const service = await startApp({ config: readConfig(env), bank: await createBank(), listens: false });
  const server = createServer((request, response) => {
    if (request.url === '/branches') response.end('of the bank itself');
    else if (request.url === '/internal/metrics')
      service.metrics().then(
        (text) => response.end(text),
        (error) => response.destroy(error),
      );
    else service.handle(request, response);
  });
  const port = Number(env.PORT ?? 8080);
  await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
  return {
    server,
    async stop() {
      await new Promise((resolve) => server.close(resolve));
      await service.close();
    },
  };
};
