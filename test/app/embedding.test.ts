/** The service inside another program: no port of its own, and the example of the documentation runs. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createBank } from '../../docs/examples/bank.js';
import { start } from '../../docs/examples/embed.js';
import { startApp } from '../../src/app/app.js';
import { readConfig } from '../../src/config/config.js';
import { SECOND } from '../../src/lib/clock.js';
import { RegistryError } from '../../src/tpp/registry.js';
import { cleanUp, tempFolder } from '../cli/program.js';
import { root } from '../lib/source.js';
import { TestClock, testSecret } from '../support/service.js';

afterAll(cleanUp);

const env = (): Record<string, string> => ({
  PORT: '0',
  BASE_URL: 'https://bank.example',
  DATABASE_URL: `sqlite:${join(tempFolder(), 'bank.db')}`,
  TRAPEZA_SECRET: testSecret,
  TRAPEZA_ISSUER: 'https://login.bank.example',
  TRAPEZA_LOG_LEVEL: 'silent',
});

describe('embedded in a server of the bank', () => {
  it('answers what the bank does not answer itself, and its figures are the bank’s to show', async () => {
    const { server, stop } = await start(env());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      expect(await (await fetch(`${url}/branches`)).text()).toBe('of the bank itself');
      const refused = await fetch(`${url}/psd2/v1/opendata/atm`);
      expect([refused.status, refused.headers.get('content-type')]).toEqual([
        401,
        'application/problem+json; charset=utf-8',
      ]);
      const posted = await fetch(`${url}/piis/psd2/v1/funds-confirmations`, { method: 'POST', body: '{}' });
      expect(posted.status).toBe(401);
      expect((await fetch(`${url}/docs`)).status).toBe(200);
      expect(await (await fetch(`${url}/internal/metrics`)).text()).toMatch(
        /trapeza_requests_total\{[^}]*status="401"/,
      );
    } finally {
      await stop();
    }
  });

  it('lets the program act as the bank’s operators do, and its keys work', async () => {
    const clock = new TestClock();
    const app = await startApp({
      clock,
      config: readConfig({ ...env(), TRAPEZA_MANAGEMENT_PORT: '0' }),
      bank: await createBank(),
    });
    try {
      const { admin } = app;
      const tppId = await admin.createTpp({ name: 'Acme', registration: 'PSDGR-BOG-1', roles: ['PSP_AI'] });
      const { clientId } = await admin.createApplication({ tppId, name: 'Acme', redirectUris: [] });
      const { keys, subscriptionId } = await admin.createSubscription({ clientId });
      const slugWith = async (key = ''): Promise<string | undefined> => {
        const headers = {
          'ocp-apim-subscription-key': key,
          authorization: 'Bearer none',
          'x-request-id': '7f8a1c54-9d3b-4c55-8a0e-2f0b9d1c3e44',
        };
        const answer = await fetch(`${app.listenUrl}/psd2/v1/opendata/atm`, { headers });
        return ((await answer.json()) as { type: string }).type.split('/').at(-1);
      };
      const [old, unknown] = [keys[0]?.key, 'f'.repeat(32)];
      const refused = await slugWith(unknown);
      expect([await slugWith(old), refused]).toEqual(['token-invalid', 'subscription-key-invalid']);
      const rolled = await admin.rollKey(subscriptionId, { slot: 'primary' });
      clock.advance(5 * SECOND);
      expect([await slugWith(rolled.key), await slugWith(old)]).toEqual(['token-invalid', refused]);
      await expect(admin.createTpp({ name: '', registration: '', roles: [] })).rejects.toThrow(RegistryError);
    } finally {
      await app.close();
    }
  });

  it('is shown by the documentation as it is compiled and run', () => {
    const text = (path: string): string => readFileSync(join(root, path), 'utf8');
    expect(text('docs/embedding.md')).toContain(`\`\`\`js\n${text('docs/examples/embed.js')}\`\`\`\n`);
  });

  it('needs to be told its address', async () => {
    const { BASE_URL: _, ...rest } = env();
    await expect(startApp({ config: readConfig(rest), listens: false })).rejects.toThrow(
      /BASE_URL is missing/,
    );
  });
});
