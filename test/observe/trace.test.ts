/** Traces: taken from a caller, passed on to the core, told to a collector, and never a reason for an answer to fail or to tell a secret. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTraceparent, traceparentOf } from '../../src/lib/traceparent.js';
import { engines } from '../support/engines.js';
import { FUNDS, fundsBody } from '../support/operations.js';
import { type Service, startService } from '../support/service.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}
interface Sent {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const bytes of request) text += String(bytes);
  return text;
};

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const hostile = [
  '',
  'x'.repeat(4000),
  PARENT.toUpperCase(),
  `ff${PARENT.slice(2)}`,
  `${PARENT}-more`,
  `${PARENT}, ${PARENT}`,
  `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE}-00f067aa0ba902b7-0g`,
  '00-GR0599900010000000000000101-00f067aa0ba902b7-01',
];

describe('a traceparent', () => {
  it('is read if it is one, also that of a later version, and else counts as absent', () => {
    const context = { traceId: TRACE, spanId: '00f067aa0ba902b7', isSampled: true };
    expect(parseTraceparent(PARENT)).toEqual(context);
    expect(traceparentOf(context)).toBe(PARENT);
    expect(parseTraceparent(`cc${PARENT.slice(2)}-what-comes-later`)).toEqual(context);
    expect(parseTraceparent(PARENT.replace(/1$/, '2'))).toMatchObject({ isSampled: false });
    for (const value of [undefined, ...hostile])
      expect([value, parseTraceparent(value)]).toEqual([value, undefined]);
  });
});

describe.each(engines)('a service with a collector on %s', (engine) => {
  let collector: Server;
  let service: Service;
  let isAway = false;
  const bodies: string[] = [];
  const spans = (): SentSpan[] =>
    bodies.flatMap((text) =>
      (JSON.parse(text) as Sent).resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap((each) => each.spans),
      ),
    );
  const ofTrace = (traceId: string): SentSpan[] => spans().filter((span) => span.traceId === traceId);
  const call = (traceparent?: string) =>
    service.call({ method: 'POST', path: FUNDS, body: fundsBody(), headers: { traceparent } });

  beforeAll(async () => {
    collector = createServer((request, response) => {
      if (isAway) return void request.socket.destroy();
      void textOf(request).then((text) => {
        bodies.push(text);
        response.end('{}');
      });
    });
    const env = {
      TRAPEZA_OTLP_URL: await listen(collector),
      TRAPEZA_TRACE_PERCENT: '0',
      TRAPEZA_TRUSTED_PROXIES: '127.0.0.1',
    };
    service = await startService({ engine, core: 'simulator', env });
  });
  afterAll(async () => {
    await service?.close();
    collector?.closeAllConnections();
    collector?.close();
  });

  it('tells a trace from its caller over the call and the store to the core', async () => {
    expect((await call(PARENT)).status).toBe(200);
    const names = (): string[] => ofTrace(TRACE).map(({ name }) => name);
    await expect.poll(names).toContain('confirmFunds');
    const all = ofTrace(TRACE);
    const root = all.find(({ name }) => name === 'confirmFunds');
    expect(root).toMatchObject({ parentSpanId: '00f067aa0ba902b7', kind: 2 });
    const within = all.filter((span) => span !== root);
    expect(new Set(within.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([root?.spanId]));
    expect(within.some(({ name, kind }) => name.startsWith('core ') && kind === 3)).toBe(true);
    expect(within.some(({ name }) => name.startsWith('store '))).toBe(true);
    for (const { startTimeUnixNano, endTimeUnixNano } of all)
      expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true);
    const line = service.logs.find(
      (each) => each.includes('"operation":"confirmFunds"') && each.includes(TRACE),
    );
    expect(line).toContain(`"traceId":"${TRACE}"`);
  });

  it('makes no span of a call that nobody chose, or whose traceparent is none', async () => {
    for (const value of hostile) expect([value, (await call(value)).status]).toEqual([value, 200]);
    const unsampled = randomUUID().replaceAll('-', '');
    await call(`00-${unsampled}-00f067aa0ba902b7-00`);
    const next = randomUUID().replaceAll('-', '');
    await call(`00-${next}-00f067aa0ba902b7-01`);
    await expect.poll(() => ofTrace(next).length).toBeGreaterThan(0);
    expect(new Set(spans().map(({ traceId }) => traceId))).toEqual(new Set([TRACE, next]));
  });

  it('tells nothing about account holders, and no token or key', () => {
    const text = bodies.join('');
    expect(text).toContain('trapeza.request_id');
    for (const secret of [fundsBody().account.iban ?? '', service.keyOf(), 'eyJ', 'select ', 'insert '])
      expect([secret, text.includes(secret)]).toEqual([secret, false]);
  });

  it('answers as always while the collector is away, and counts what it lost', async () => {
    isAway = true;
    for (let count = 0; count < 5; count += 1) expect((await call(PARENT)).status).toBe(200);
    const dropped = async (): Promise<number> => {
      const text = await (await fetch(`${service.app.managementUrl}/metrics`)).text();
      return Number(/^trapeza_spans_total\{outcome="dropped"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    await expect.poll(dropped).toBeGreaterThan(0);
    isAway = false;
  });
});

describe('a service without a collector', () => {
  it('passes the trace of its caller on to the core as it came, and nothing that is none', async () => {
    const seen: (string | undefined)[] = [];
    const service = await startService({ core: 'simulator' });
    try {
      const core = createServer((request, response) => {
        seen.push(request.headers.traceparent as string | undefined);
        void textOf(request).then(async (body) => {
          const headers = Object.entries(request.headers).flatMap(([name, value]) =>
            typeof value === 'string' && !/^(host|connection|content-length|transfer-encoding)$/.test(name)
              ? [[name, value]]
              : [],
          );
          const answer = await fetch(`${service.coreUrl}${request.url}`, {
            method: request.method ?? 'GET',
            headers: headers as [string, string][],
            ...(body ? { body } : {}),
          });
          response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
        });
      });
      const between = await startService({ env: { TRAPEZA_CORE_URL: await listen(core) } });
      const call = (traceparent: string) =>
        between.call({ method: 'POST', path: FUNDS, body: fundsBody(), headers: { traceparent } });
      expect((await call(PARENT)).status).toBe(200);
      expect(seen).toContain(PARENT);
      for (const value of hostile) expect((await call(value)).status).toBe(200);
      expect(new Set(seen)).toEqual(new Set([PARENT, undefined]));
      await between.close();
      core.closeAllConnections();
      core.close();
    } finally {
      await service.close();
    }
  });
});
