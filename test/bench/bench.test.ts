/** The benchmark's arithmetic, bytes and report: everything of it that needs no load. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scheduleOf } from '../../bench/load/schedule.js';
import { joinRequest, newRequestId, readAnswer, readRequest } from '../../bench/load/wire.js';
import { readOptions } from '../../bench/options.js';
import { writeFigures } from '../../bench/report/document.js';
import { pictureOf } from '../../bench/report/picture.js';
import { errorsIn, mergeResults, type OperationRow, type Result } from '../../bench/report/result.js';
import { median, percentile, slopeOf } from '../../bench/report/statistics.js';
import { asMarkdown, asText, tablesOf } from '../../bench/report/tables.js';
import { checksOf } from '../../bench/report/targets.js';
import { requestsOf } from '../../bench/requests.js';
import { reachedFrom } from '../../bench/walk/traced.js';
import { root } from '../lib/source.js';

const effort = { takenAt: '2026-01-02T03:04:05.000Z', rounds: 5, seconds: 5, connections: 64 };

const row = (more: Partial<OperationRow>): OperationRow => ({
  kind: 'funds',
  engine: 'sqlite',
  workers: 1,
  floor: 'bare POST',
  floorPerSecond: 20_000,
  floorCpuUs: 45,
  ratio: 0.6,
  cpuRatio: 0.58,
  perSecond: 12_000,
  cpuUs: 78,
  p50Ms: 5.2,
  p99Ms: 12.4,
  rssMb: 150,
  loopP99Ms: 11,
  errors: 0,
  ...more,
});

const result: Result = {
  conditions: { processor: 'A processor', cores: 2, node: '20.19.0', load: 'wrk', isPinned: true },
  operations: {
    ...effort,
    rows: [row({}), row({ engine: 'postgres', ratio: 0.34, perSecond: 6800, p99Ms: 24.8 })],
    floors: [{ ...row({}), floor: 'bare POST', perSecond: 20_000 }],
  },
  rate: {
    ...effort,
    rows: [
      {
        kind: 'funds',
        engine: 'sqlite',
        perSecond: 6000,
        p50Ms: 0.5,
        p99Ms: 5.1,
        p999Ms: 9,
        floorP50Ms: 0.1,
        floorP99Ms: 0.4,
        errors: 0,
      },
    ],
  },
  soak: {
    ...effort,
    rows: [
      {
        engine: 'sqlite',
        minutes: 10,
        perSecond: 6000,
        p50Ms: 0.5,
        p99Ms: 3,
        rssMb: 150,
        slopeMbPerMinute: 0.1,
        errors: 0,
      },
    ],
  },
  start: { ...effort, rows: [{ way: 'node', serviceMs: 1400, frameworkMs: 250 }] },
};

describe('statistics', () => {
  it('have the middle of an odd and of an even number of values, whatever their order', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  it('have percentiles that are values which occurred', () => {
    const values = Array.from({ length: 100 }, (_each, index) => index + 1);
    expect([0.5, 0.99, 0.999, 1].map((part) => percentile(values, part))).toEqual([50, 99, 100, 100]);
    expect(percentile([7], 0.5)).toBe(7);
  });

  it('have a slope that one outlier does not move', () => {
    const points = Array.from({ length: 21 }, (_each, x) => [x, 100 + 2 * x] as const);
    expect(slopeOf(points)).toBeCloseTo(2);
    expect(slopeOf(points.with(10, [10, 900]))).toBeCloseTo(2);
    expect(slopeOf(points.map(([x]) => [x, 5] as const))).toBe(0);
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
    paymentId: `payment-${number}`,
  }));
  const data = { people, etag: '"a b"', atmBytes: 1 };

  it('come in halves that a fresh id makes whole', () => {
    const [first] = requestsOf('funds', data, ['token-1', 'token-2']);
    const ids = [newRequestId(), newRequestId()];
    expect(new Set(ids).size).toBe(2);
    for (const id of ids)
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    const read = readRequest(joinRequest(first ?? { head: '', tail: '' }, ids[0] ?? ''));
    expect(read).toMatchObject({ method: 'POST', path: '/piis/psd2/v1/funds-confirmations' });
    expect(read.headers).toMatchObject({
      'X-Request-ID': ids[0],
      'Ocp-Apim-Subscription-Key': 'key-1',
      Authorization: 'Bearer token-1',
      'Content-Length': String(Buffer.byteLength(read.body ?? '')),
    });
    expect(JSON.parse(read.body ?? '')).toMatchObject({ account: { iban: 'GR01' } });
  });

  it('differ by person, and a read has no body', () => {
    const [one, other] = requestsOf('status', data, ['token-1', 'token-2']).map((split) =>
      readRequest(joinRequest(split, 'id')),
    );
    expect([one?.path, other?.path]).toEqual([
      '/ais/psd2/v1/consents/access-1/status',
      '/ais/psd2/v1/consents/access-2/status',
    ]);
    expect(one?.body).toBeUndefined();
    expect(requestsOf('atms-304', data, [])[0]?.head).toContain('?if_None_Match=%22a%20b%22 ');
  });

  it('without a second half are sent as they are', () => {
    expect(joinRequest({ head: 'whole', tail: '' }, 'id')).toBe('whole');
  });
});

describe('answers', () => {
  const read = (text: string) => readAnswer(Buffer.from(text));

  it('are complete when head and body are there, and a 304 has no body', () => {
    expect(read('HTTP/1.1 200 OK\r\nContent-Le')).toBeUndefined();
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{')).toEqual({ status: 200, bytes: 40 });
    expect(read('HTTP/1.1 304 Not Modified\r\nETag: "1"\r\n\r\n')).toEqual({ status: 304, bytes: 40 });
  });

  it('of unknown length are a fault, not a guess', () => {
    expect(() => read('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')).toThrow('without a length');
  });
});

describe('flags', () => {
  it('choose the parts: the operations unless others are named, and with a rate that needs their capacity', () => {
    const parts = (...args: string[]) => readOptions(args, 2).parts;
    expect(parts()).toMatchObject({ operations: true, rate: false, scale: false, soak: 0 });
    expect(parts('--scale')).toMatchObject({ operations: false, scale: true });
    expect(parts('--scale', '--rate')).toMatchObject({ operations: true, rate: true, scale: true });
    const { soak, overload, idle, ...all } = parts('--all');
    expect([soak, overload, idle, ...Object.values(all)]).toEqual([5, 60, 5000, ...Array(8).fill(true)]);
  });

  it('take every engine by default, and the remote core for the operations alone', () => {
    const { engines, stores } = readOptions([], 2);
    expect([engines, stores]).toEqual([
      ['sqlite', 'postgres', 'remote'],
      ['sqlite', 'postgres'],
    ]);
    expect(readOptions(['--engine', 'remote'], 2).engines).toEqual(['remote']);
  });

  it('measure several workers where the load has cores of its own', () => {
    expect([2, 4, 8].map((cores) => readOptions([], cores).workers)).toEqual([1, 2, 4]);
  });

  it('are bounded and known', () => {
    for (const args of [
      ['--rounds', '0'],
      ['--seconds', 'x'],
      ['--only', 'fund'],
      ['--engine', 'h2'],
      ['--sok', '1'],
    ])
      expect(() => readOptions(args, 2)).toThrow();
  });
});

describe('the report', () => {
  it('says of each target whether it is met, and of what a machine cannot tell that it was not measured', () => {
    const verdicts = checksOf(result).map(({ what, measured, verdict }) => [what, measured, verdict]);
    expect(verdicts).toEqual([
      ['Funds confirmation, embedded', '0.60', 'met'],
      ['Funds confirmation, PostgreSQL', '0.34', 'not met'],
      ['Memory of a worker', '150 MB', 'met'],
      ['Several workers', '2 cores, 4 are needed', 'not measured'],
      ['Funds confirmation, embedded, p99/p50 at saturation', '1.00 ×', 'met'],
      ['Funds confirmation, PostgreSQL, p99/p50 at saturation', '2.00 ×', 'not met'],
      ['Funds confirmation, embedded, p99 at half capacity', '12.7 ×', 'not met'],
      ['Memory over 10 minutes, embedded', '0.3 %', 'met'],
      ['First ready answer, node', '1400 ms', 'not met'],
    ]);
  });

  it('is the same figures in a terminal and in Markdown', () => {
    const table = tablesOf(result).find(({ title }) => title.startsWith('Operations'));
    expect(table?.rows).toHaveLength(2);
    const [text, markdown] = [table ? asText(table) : '', table ? asMarkdown(table) : ''];
    expect(text).toMatch(/^Funds confirmation +embedded +1 +12,000 +20,000 +0\.60 +0\.6: met /m);
    expect(markdown).toContain(
      '| Funds confirmation | PostgreSQL | 1 | 6,800 | 20,000 | 0.34 | 0.5: not met |',
    );
  });

  it('counts every request that had no success', () => {
    expect(errorsIn(result)).toBe(0);
    const operations = { ...effort, rows: [row({ errors: 2 })], floors: [{ ...row({}), errors: 1 }] };
    expect(errorsIn({ ...result, operations })).toBe(3);
  });

  it('keeps parts that were measured before under the same conditions, and no others', () => {
    const { conditions } = result;
    const fresh = { conditions, start: { ...effort, rows: [] } };
    expect(mergeResults(result, fresh)).toEqual({ ...result, start: fresh.start });
    const elsewhere = { ...fresh, conditions: { ...conditions, cores: 64 } };
    expect(mergeResults(result, elsewhere)).toEqual(elsewhere);
  });

  it('draws each ratio to scale, with its target', () => {
    const picture = pictureOf(result);
    const widths = [...picture.matchAll(/<rect x="\d+" y="\d+" width="(\d+)"/g)].map(([, width]) =>
      Number(width),
    );
    expect(widths).toHaveLength(2);
    expect((widths[0] ?? 0) / (widths[1] ?? 0)).toBeCloseTo(0.6 / 0.34, 1);
    expect(picture).toContain('0.60  (12,000/s)');
    expect(picture.match(/stroke="#b3261e"/g)).toHaveLength(2);
    expect(picture.match(/<(text|title)\b/g)?.length).toBe(picture.match(/<\/(text|title)>/g)?.length);
  });

  it('replaces the figures of a document and nothing else', () => {
    const document = readFileSync(join(root, 'docs/performance.md'), 'utf8');
    const once = writeFigures(document, result, 'images/x.svg');
    expect(once).toContain('](images/x.svg)');
    expect(once).toContain('| Funds confirmation, embedded | ≥ 0.6 of bare POST | 0.60 | met |');
    expect(writeFigures(once, result, 'images/x.svg')).toBe(once);
    const around = (text: string) => text.replace(/<!-- figures[\s\S]*<!-- end of figures -->/, '');
    expect(around(once)).toBe(around(document));
    expect(once).not.toContain('a short trial');
    const trial = { ...result, operations: { ...effort, rounds: 1, rows: [], floors: [] } };
    expect(writeFigures(document, trial, 'x')).toContain('a short trial');
    expect(() => writeFigures('no markers', result, 'x')).toThrow('no "');
  });
});

describe('the files of a request', () => {
  const handler = 'api/piis/confirm-funds.ts';

  it('are followed by what is called in them, by types only if they are wanted', () => {
    const called = new Map([
      [handler, new Set(['handle'])],
      ['model/amount.ts', new Set(['toMinor'])],
      ['model/account-reference.ts', new Set(['isMsisdn'])],
      ['lib/vault.ts', new Set(['cardHashes'])],
      ['web/frame.tsx', new Set(['Frame'])],
    ]);
    expect([...reachedFrom(handler, called, false)]).toEqual([handler, 'model/amount.ts']);
    expect(reachedFrom(handler, called, true).has('lib/vault.ts')).toBe(true);
    expect([...reachedFrom('model/amount.ts', new Map(), false)]).toEqual([]);
  });
});
