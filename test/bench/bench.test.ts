/** The benchmark's arithmetic, bytes, flags and report: everything of it that needs no load. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { Latencies } from '../../bench/load/latencies.js';
import { Line } from '../../bench/load/line.js';
import { scheduleOf } from '../../bench/load/schedule.js';
import { joinRequest, readAnswer } from '../../bench/load/wire.js';
import { readOptions, subjectIds } from '../../bench/options.js';
import { reportOf, writeFigures } from '../../bench/report.js';
import { requestsOf } from '../../bench/requests.js';
import { errorsIn, median, type Result, type Row } from '../../bench/result.js';
import { floorOf } from '../../bench/subjects.js';
import { reachedFrom } from '../../bench/walk/traced.js';

const row = (more: Partial<Row>): Row => ({
  id: 'production-floor',
  cpuUs: 56.1,
  perSecond: 17_842,
  firstCpuUs: 109,
  halfP50Ms: 1.2,
  halfP99Ms: 4.3,
  aloneP50Ms: 1.1,
  rssMb: 90,
  errors: 0,
  ...more,
});

const result: Result = {
  takenAt: '2026-01-02T03:04:05.000Z',
  node: '24.1.0',
  processor: 'A processor',
  cores: 16,
  isPinned: true,
  effort: { rounds: 3, seconds: 5, warm: 15, connections: 32 },
  rows: [row({}), row({ id: 'production', cpuUs: 112.2, ofFloor: 0.5 })],
  commitMs: { sqlite: 0.2, postgres: 0.9 },
  nodes: [1, 2].map((nodes) => ({
    kind: 'funds' as const,
    nodes,
    perSecond: 4000 * nodes,
    cpuUs: 200,
    p50Ms: 8,
    p99Ms: 22,
    errors: 0,
  })),
  slowCores: [{ coreMs: 80, perSecond: 640, share: 0.8, p50Ms: 84, p99Ms: 97, refused: 0.001 }],
};

describe('statistics', () => {
  it('have the middle of an odd and of an even number of values, whatever their order', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  it('have latencies to one percent, also of several processes', () => {
    const [one, other] = [new Latencies(), new Latencies()];
    for (let ms = 1; ms <= 100; ms += 1) (ms % 2 ? one : other).add(ms);
    one.join(JSON.parse(JSON.stringify(other.counts)) as (number | null)[]);
    for (const [part, ms] of [
      [0.5, 50],
      [0.99, 99],
      [1, 100],
    ] as const)
      expect(Math.abs(one.percentile(part) / ms - 1)).toBeLessThan(0.01);
    expect(new Latencies().percentile(0.5)).toBeNaN();
  });
});

describe('a constant rate', () => {
  it('has its times before anything is sent: nothing is early, nothing is left out', () => {
    const { count, dueAt, dueBy } = scheduleOf(4000, 2);
    expect(count).toBe(8000);
    expect([0, 1, 4000].map(dueAt)).toEqual([0, 0.25, 1000]);
    expect([-1, 0, 0.2, 0.25, 1000, 5000].map(dueBy)).toEqual([0, 1, 1, 2, 4001, 8000]);
  });

  it('does not slow down after a stall: all that became due meanwhile is due at once', () => {
    const { dueBy } = scheduleOf(1000, 10);
    expect(dueBy(3000) - dueBy(2000)).toBe(1000);
  });
});

describe('requests', () => {
  const people = [1, 2].map((number) => ({
    psuId: `psu-${number}`,
    clientId: 'bench-1',
    key: `key-${number}`,
    iban: `GR0${number}`,
    accessId: `access-${number}`,
  }));

  it('reach a server whole, each with a fresh id, and its answer is read', async () => {
    const seen: unknown[][] = [];
    const note = async (request: IncomingMessage): Promise<void> => {
      const { 'x-request-id': id, 'ocp-apim-subscription-key': key } = request.headers;
      seen.push([key, id, (await json(request)) as object]);
    };
    const server = createServer((request, response) => {
      void note(request).then(() => response.writeHead(200, { 'Content-Length': 2 }).end('ok'));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const line = new Line(
      new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      () => undefined,
    );
    try {
      for (const split of requestsOf('funds', { people }, ['token-1', 'token-2']))
        expect(await new Promise((resolve) => line.send(joinRequest(split), resolve))).toBe(200);
      expect(seen).toMatchObject([
        ['key-1', expect.any(String), { account: { iban: 'GR01' } }],
        ['key-2', expect.any(String), { account: { iban: 'GR02' } }],
      ]);
      expect(new Set(seen.map(([, id]) => id)).size).toBe(2);
    } finally {
      line.close();
      server.close();
    }
  });

  it('differ by person, and a read has no body', () => {
    const [one, other] = requestsOf('status', { people }, []).map((split) => joinRequest(split, 'id'));
    expect(one).toContain('GET /ais/psd2/v1/consents/access-1/status HTTP/1.1\r\n');
    expect(other).toContain('GET /ais/psd2/v1/consents/access-2/status HTTP/1.1\r\n');
    expect(one?.endsWith('\r\nX-Request-ID: id\r\n\r\n')).toBe(true);
  });
});

describe('answers', () => {
  const read = (text: string) => readAnswer(Buffer.from(text));

  it('are complete when head and body are there', () => {
    expect(read('HTTP/1.1 200 OK\r\nContent-Le')).toBeUndefined();
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{')).toEqual({
      status: 200,
      bytes: 40,
      closes: false,
    });
    const last = read('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    expect(last).toMatchObject({ closes: true });
  });

  it('of unknown length are a fault, not a guess', () => {
    expect(() => read('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')).toThrow('without a length');
  });
});

describe('flags', () => {
  it('measure every subject, those of a list, or none', () => {
    const only = (...args: string[]) => readOptions(args, 2).only;
    expect(only()).toEqual(subjectIds);
    expect(only('--only', 'production,bare')).toEqual(['bare', 'production']);
    expect(only('--only=')).toEqual([]);
  });

  it('refuse nodes on a machine that has no room for them', () => {
    expect(readOptions(['--nodes', '1,2,4,8'], 8).nodes).toEqual([1, 2, 4, 8]);
    expect(() => readOptions(['--nodes', '1,2'], 2)).toThrow('--nodes needs 8 cores, this machine has 2');
  });

  it('are bounded and known', () => {
    for (const args of [
      ['--rounds', '0'],
      ['--seconds', 'x'],
      ['--only', 'fund'],
      ['--overlod', '1'],
    ])
      expect(() => readOptions(args, 2)).toThrow();
  });
});

describe('the report', () => {
  it('gives the CPU of each subject as a part of its floor, and the first seconds', () => {
    expect(reportOf(result)).toContain(
      '| production floor | 56.1 |  | 17,842 | 1.20, 4.30 | 1.10 | × 1.94 | 90 |',
    );
    expect(reportOf(result)).toContain('| production, a call for each question | 112 | **0.50** |');
    expect(reportOf(result)).toContain('| funds confirmation | 2 | 8,000 | × 2.00 |');
    expect(reportOf(result)).toContain('| 80 | 640 | 80 % | 84, 97 | 0.1 % |');
    expect(reportOf(result)).not.toContain('A short trial');
    expect(reportOf({ ...result, effort: { ...result.effort, rounds: 1 } })).toContain('A short trial');
  });

  it('has a floor in the same run for every service', () => {
    for (const id of subjectIds)
      expect(Boolean(floorOf[id])).toBe(/^(read|demo|production(?!-floor))/.test(id));
  });

  it('counts every request that had no success', () => {
    expect(errorsIn(result)).toBe(0);
    const overload = {
      capacity: 1,
      sentPerSecond: 1,
      goodPerSecond: 1,
      goodP50Ms: 1,
      goodP99Ms: 1,
      refusedPerSecond: 1,
      rssMb: 1,
      errors: 2,
    };
    expect(errorsIn({ ...result, rows: [row({ errors: 1 })], overload })).toBe(3);
  });

  it('replaces the figures of a document and nothing else', () => {
    const document =
      'before\n<!-- figures: written by npm run bench -- --doc -->\nold\n<!-- end of figures -->\nafter';
    const once = writeFigures(document, [result]);
    expect(once).toContain('**Node 24.1.0**');
    expect(once).not.toContain('old');
    expect([once.startsWith('before\n'), once.endsWith('\nafter')]).toEqual([true, true]);
    expect(writeFigures(once, [result])).toBe(once);
    expect(() => writeFigures('no markers', [result])).toThrow('no "');
  });
});

describe('the files of a request', () => {
  const handler = 'api/piis/confirm-funds.ts';

  it('are followed by what is called in them, by types only if they are wanted', () => {
    const called = new Map([
      [handler, new Set(['handle'])],
      ['model/amount.ts', new Set(['toMinor'])],
      ['model/account-reference.ts', new Set(['isMsisdn'])],
      ['lib/vault.ts', new Set(['marks'])],
      ['web/frame.tsx', new Set(['Frame'])],
    ]);
    expect([...reachedFrom(handler, called, false)]).toEqual([handler, 'model/amount.ts']);
    expect(reachedFrom(handler, called, true).has('lib/vault.ts')).toBe(true);
    expect([...reachedFrom('model/amount.ts', new Map(), false)]).toEqual([]);
  });
});
