/** Messages that are meant to cost memory, time or the prototype of every object; and a cache between us and two callers. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { send, slugOf } from '../../support/client.js';
import {
  ATMS,
  BUDGET,
  FINANCE,
  FUNDS,
  fundsBody,
  goodRequest,
  operationIds,
} from '../../support/operations.js';
import { responsesIn, verdictOf } from '../../support/raw-answers.js';
import type { Service } from '../../support/service.js';
import { useService } from '../../support/use-service.js';
import { attackVolume } from '../volume.js';

const use = useService({
  env: { TRAPEZA_HEADERS_TIMEOUT_MS: '1500', TRAPEZA_REQUEST_TIMEOUT_MS: '1500' },
});

/** Writes until the server has had enough; how much left this process, and what came back. */
const pour = async (head: string, piece: Buffer, pieces: number): Promise<{ sent: number; text: string }> => {
  const { hostname, port } = new URL(use().url);
  return new Promise((resolve) => {
    let text = '';
    let left = pieces;
    const socket = connect(Number(port), hostname, () => {
      socket.write(head);
      next();
    });
    const next = (): void => {
      while (left > 0 && socket.writable) {
        left -= 1;
        if (!socket.write(piece)) return;
      }
    };
    socket.on('drain', next);
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve({ sent: socket.bytesWritten, text }));
  });
};

describe('a body without end', () => {
  const MIB = 1024 * 1024;

  it.each([
    ['declared', `Content-Length: ${1024 * MIB}`, Buffer.alloc(64 * 1024, 0x61)],
    [
      'in chunks',
      'Transfer-Encoding: chunked',
      Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 0x61), Buffer.from('\r\n')]),
    ],
  ])(
    'T-39: %s is refused after a few kilobytes, and the rest is never taken',
    async (_how, framing, piece) => {
      const service = use();
      const head = [
        `POST ${FUNDS} HTTP/1.1`,
        'Host: x',
        'Content-Type: application/json',
        `Ocp-Apim-Subscription-Key: ${service.keyOf()}`,
        `Authorization: Bearer ${await service.token()}`,
        'X-Request-ID: 6b1f7e2a-6c1c-4f0e-9d5e-0f5a1f6f0001',
        framing,
      ].join('\r\n');
      const { sent, text } = await pour(`${head}\r\n\r\n`, piece, 16 * 1024);
      expect(responsesIn(text).map(verdictOf)).toEqual(['400 message-too-large']);
      // What the two kernels hold between them; a process that read on would have taken a gigabyte.
      expect(sent).toBeLessThan(32 * MIB);
    },
  );
});

describe('slow clients', () => {
  it('T-38: hundreds of them are all ended with 408, and others are served meanwhile', async () => {
    const service = use();
    const slow = Array.from({ length: attackVolume(200, 2000) }, () =>
      pour(`GET ${ATMS} HTTP/1.1\r\nHost: x\r\nX-A`, Buffer.alloc(0), 0),
    );
    const served = await Promise.all(operationIds.map((id) => service.call(goodRequest(service, id))));
    expect(served.map(({ status }) => status)).toEqual(operationIds.map(() => 200));
    const ended = await Promise.all(slow);
    const verdicts = ended.map(({ text }) => responsesIn(text).map(verdictOf).join());
    expect(new Set(verdicts)).toEqual(new Set(['408 request-incomplete']));
  });
});

describe('the prototype of objects', () => {
  const poisons = ['__proto__', 'constructor', 'prototype', '__defineGetter__', 'toString', 'polluted'];

  it('T-47: stays as it is, whatever bodies, queries, forms, cookies and headers name', async () => {
    const service = use();
    const before = Object.getOwnPropertyNames(Object.prototype).sort();
    for (const name of poisons) {
      const inner = `{"polluted":"yes","${name}":{"polluted":"yes"}}`;
      const bodies = [
        `{"${name}":${inner}}`,
        `{"account":{"${name}":${inner}},"instructedAmount":${inner}}`,
        `{"constructor":{"prototype":${inner}}}`,
        `[${inner}]`,
      ];
      for (const body of bodies) {
        const answer = await service.call({ method: 'POST', path: FUNDS, body });
        expect(answer.status).toBe(400);
      }
      const outside = { outsideContract: true } as const;
      const query = `${name}[polluted]=yes&${name}=yes&constructor.prototype.polluted=yes`;
      await service.call({ path: `${ATMS}?${query}` });
      await service.call({ path: ATMS, headers: { [name]: 'yes', Cookie: `${name}=yes` } });
      await send(service.url, {
        path: `/dashboard?${query}`,
        headers: { Cookie: `${name}=yes` },
        ...outside,
      });
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      for (const path of ['/oauth/token', '/dashboard/login', '/oauth/introspection'])
        await send(service.url, { method: 'POST', path, headers, body: query, ...outside });
    }
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(before);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
    expect((await service.call(goodRequest(service, 'confirmFunds'))).status).toBe(200);
  });
});

describe('members that collide', () => {
  /** Integer-like names, whose hash is their number: these fall into few buckets of a table. */
  const colliding = (count: number, step: number): string =>
    `{${Array.from({ length: count }, (_, index) => `"${index * step}":1`).join()}}`;

  it.each([1, 1024, 65_536])(
    'T-58: a body full of names in steps of %d is refused by their number before anything is done with them',
    async (step) => {
      const service = use();
      const answer = await service.call({ method: 'POST', path: FUNDS, body: colliding(1200, step) });
      expect([answer.status, slugOf(answer)]).toEqual([400, 'invalid-json']);
      const query = Array.from({ length: 200 }, (_, index) => `${index * step}=1`).join('&');
      expect((await service.call({ path: `${ATMS}?${query}` })).status).toBe(400);
    },
  );
});

/** A shared cache by RFC 9111 that keeps as much as it may, by the address alone. */
class SharedCache {
  readonly #kept = new Map<string, string>();
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  async ask(wanted: Parameters<Service['call']>[0]): Promise<string> {
    const key = `${wanted.method ?? 'GET'} ${wanted.path}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const answer = await this.#service.call(wanted);
    const directives = String(answer.headers['cache-control'] ?? '').split(/,\s*/);
    // A request with Authorization is kept only if the answer allows it (RFC 9111, 3.5); this one is bolder.
    const mayKeep = !['no-store', 'private', 'no-cache'].some((each) => directives.includes(each));
    if (mayKeep) this.#kept.set(key, answer.text);
    return answer.text;
  }
}

describe('a shared cache', () => {
  it('T-55: between two applications never answers one with what the other was told', async () => {
    const service = use();
    const cache = new SharedCache(service);
    for (const id of operationIds) {
      const wanted = goodRequest(service, id);
      const first = await cache.ask({ ...wanted, as: { application: FINANCE } });
      const second = await cache.ask({ ...wanted, as: { application: BUDGET } });
      const direct = await service.call({ ...wanted, as: { application: BUDGET } });
      const plain = (text: string): string => text.replace(/urn:uuid:[\w-]+/, '');
      expect(plain(second), id).toBe(plain(direct.text));
      expect(first.length).toBeGreaterThan(0);
    }
    // Refusals too: what one was refused, another may be given.
    const refused = { method: 'POST', path: FUNDS, body: fundsBody() };
    await cache.ask({ ...refused, as: { application: 'demo-accounts-app' } });
    expect(await cache.ask({ ...refused, as: { application: FINANCE } })).toContain('fundsAvailable');
  });
});
