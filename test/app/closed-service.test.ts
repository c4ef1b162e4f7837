/** A program that starts and closes services gets their memory back: nothing of the process holds a service that was closed. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { journeyPlaces, type ServiceOptions, startService } from '../support/service.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

type Part = readonly [name: string, part: WeakRef<object>];

/** In a function of its own, so that no variable of the test holds the service. */
const useAndClose = async (options: ServiceOptions): Promise<readonly Part[]> => {
  const parts: Part[] = [];
  const keep = (name: string, part: object): unknown => parts.push([name, new WeakRef(part)]);
  const service = await startService({
    ...options,
    env: { TRAPEZA_OTLP_URL: 'http://127.0.0.1:1' },
    extend: (base) => {
      keep('base', base);
      keep('db', base.db);
      keep('log', base.log);
      return {};
    },
  });
  keep('app', service.app);
  keep('logs', service.logs);
  for (const path of ['/psd2/v1/opendata/atm', '/ais/psd2/v1/accounts']) await service.call({ path });
  await service.close();
  return parts;
};

it.each(journeyPlaces())('a closed service is let go: %s, %s', async (engine, core) => {
  const parts = await useAndClose({ engine, core });
  const held = (): string[] => {
    collectGarbage();
    return parts.filter(([, part]) => part.deref() !== undefined).map(([name]) => name);
  };
  await expect.poll(held).toEqual([]);
});
