/** Pages and the authorization server come through the door of the operations: they are counted, and they have a deadline. */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.js';
import { checkLoad } from '../../../src/gate/gate.js';
import { everybody } from '../../../src/http/audience.js';
import type { Mount } from '../../../src/http/exchange.js';
import { Load } from '../../../src/http/listeners/load.js';
import { createHttpServer } from '../../../src/http/server.js';
import { systemClock } from '../../../src/lib/clock.js';
import type { RequestFacts } from '../../../src/observe/observer.js';
import { sendRaw } from '../../support/client.js';
import { responsesIn, verdictOf } from '../../support/raw-answers.js';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

/** A page that answers when it is told to, and one that answers at once. */
const withPages = async (
  env: Record<string, string>,
  work: (parts: {
    url: string;
    load: Load;
    told: RequestFacts[];
    answer: () => void;
    isAsked: Promise<void>;
  }) => Promise<void>,
): Promise<void> => {
  const config = readConfig({ PORT: '0', ...env });
  const [load, told] = [new Load(config), [] as RequestFacts[]];
  let [answer, asked] = [(): void => undefined, (): void => undefined];
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const mount: Mount = {
    name: 'page',
    routes: [
      { method: 'GET', path: '/held', audience: everybody },
      { method: 'GET', path: '/quick', audience: everybody },
    ],
    serve: async ({ url }, response) => {
      asked();
      if (url === '/held') await isAnswered;
      response.writeHead(200, { 'Content-Length': 2 }).end('ok');
    },
  };
  const server = createHttpServer(
    {
      config,
      clock: systemClock,
      site: { baseUrl: 'http://x' },
      operations: [],
      stagesOf: () => [{ name: 'load', check: checkLoad({ load }) }],
      mounts: [mount],
      observer: { finished: (facts) => void told.push(facts) },
      sharerOf: () => '',
      onRefusal: () => undefined,
      tls: undefined,
    },
    load,
  );
  const { port } = await server.listen();
  try {
    await work({ url: `http://127.0.0.1:${port}`, load, told, answer, isAsked });
  } finally {
    await server.drain();
  }
};

const verdictsOf = async (url: string, bytes: string): Promise<string[]> =>
  responsesIn(await sendRaw(url, bytes)).map(verdictOf);

describe('code M3: pages', () => {
  it('count in the limit of requests in flight', () =>
    withPages({ TRAPEZA_MAX_IN_FLIGHT: '1' }, async ({ url, answer, isAsked, load }) => {
      const held = verdictsOf(url, get('/held'));
      await isAsked;
      expect(await verdictsOf(url, get('/quick'))).toEqual(['503 overloaded']);
      answer();
      expect(await held).toEqual(['200']);
      expect(await verdictsOf(url, get('/quick'))).toEqual(['200']);
      expect(load.inFlight).toBe(0);
    }));

  it('that are late are answered with 408, once, and what they say afterwards is not heard', () =>
    withPages({ TRAPEZA_DEADLINE_MS: '50' }, async ({ url, answer, told, load }) => {
      expect(await verdictsOf(url, get('/held'))).toEqual(['408 processing-timeout']);
      answer();
      expect(await verdictsOf(url, get('/quick'))).toEqual(['200']);
      await expect.poll(() => told.length).toBe(2);
      expect(told.map(({ operation, status, slug }) => [operation, status, slug])).toEqual([
        ['page', 408, 'processing-timeout'],
        ['page', 200, undefined],
      ]);
      expect(load.inFlight).toBe(0);
    }));
});
