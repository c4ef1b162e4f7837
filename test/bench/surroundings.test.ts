/** The parts of the benchmark about what stands around the service: their report, the core that is late, idle connections. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openIdle } from '../../bench/load/idle.js';
import { readOptions } from '../../bench/options.js';
import { errorsIn, type OperationRow, type Result } from '../../bench/report/result.js';
import { asText, tablesOf } from '../../bench/report/tables.js';
import { checksOf } from '../../bench/report/targets.js';

const effort = { takenAt: '2026-01-02T03:04:05.000Z', rounds: 5, seconds: 5, connections: 64 };
const conditions = { processor: 'A processor', cores: 2, node: '20.19.0', load: 'wrk', isPinned: true };

const core = {
  delayMs: 5,
  connections: 64,
  perSecond: 3000,
  cpuUs: 300,
  rssMb: 150,
  coreConnections: 64,
  rate: 1500,
  p50Ms: 6.1,
  p99Ms: 9,
  coreP50Ms: 5.3,
  coreP99Ms: 6,
  seldomP50Ms: 8.25,
  errors: 0,
};
const idle = {
  isTls: true,
  wanted: 5000,
  opened: 4000,
  limit: 'EMFILE',
  rssBeforeMb: 150,
  rssAfterMb: 250,
  kbEach: 25.6,
  perSecond: 6000,
  idlePerSecond: 5700,
  ratio: 0.95,
  errors: 0,
};
const signed = {
  kind: 'funds',
  key: 'rsa',
  perSecond: 4000,
  signedPerSecond: 3000,
  cpuUs: 200,
  signedCpuUs: 400,
  ratio: 0.75,
  errors: 0,
} as const;

const textOf = (result: Result): string => tablesOf(result).map(asText).join('\n');

describe('flags of what stands around the service', () => {
  it('name parts of their own, and leave the operations out', () => {
    for (const args of [['--core'], ['--tls'], ['--idle', '10'], ['--peers']])
      expect(readOptions(args, 2).parts.operations).toBe(false);
    expect(readOptions(['--idle', '10'], 2).parts).toMatchObject({ idle: 10, core: false });
    expect(() => readOptions(['--idle', '0'], 2)).toThrow('from 1 to');
  });
});

describe('the report of what stands around the service', () => {
  it('says what is added to the median of the core', () => {
    const late = { ...core, delayMs: 50, p50Ms: 52, coreP50Ms: 50.4 };
    const result: Result = { conditions, core: { ...effort, rows: [core, late] } };
    expect(checksOf(result).map(({ measured, verdict }) => [measured, verdict])).toEqual([
      ['0.80 ms', 'met'],
      ['1.60 ms', 'not met'],
    ]);
    expect(textOf(result)).toMatch(/ 6\.10 +9\.00 +5\.30 +6\.00 +0\.80 +8\.25$/m);
  });

  it('says how many idle connections were let in, if not all', () => {
    const result: Result = { conditions, idle: { ...effort, rows: [idle] } };
    expect(textOf(result)).toMatch(/^TLS +4,000 of 5,000: EMFILE +150 +250 +25\.6 /m);
  });

  it('holds signed requests against unsigned ones', () => {
    const result: Result = { conditions, signed: { ...effort, rows: [signed] } };
    expect(checksOf(result)).toMatchObject([{ measured: '0.75', verdict: 'not met' }]);
  });

  it('counts the errors of these parts too', () => {
    const rows = { core: [{ ...core, errors: 1 }], idle: [{ ...idle, errors: 2 }] };
    expect(
      errorsIn({ conditions, core: { ...effort, rows: rows.core }, idle: { ...effort, rows: rows.idle } }),
    ).toBe(3);
  });

  it('gives several workers no verdict while the load runs on their cores', () => {
    const row = { kind: 'funds', engine: 'sqlite', workers: 2, scaling: 0.6, rssMb: 100 } as OperationRow;
    const full = { ...row, floor: '', ratio: 1, perSecond: 1, p50Ms: 1, p99Ms: 1, errors: 0 };
    const operations = { ...effort, rows: [full], floors: [] };
    expect(checksOf({ conditions, operations }).at(-1)).toMatchObject({
      measured: '0.60, 1.20 × one worker, load on the same cores',
      verdict: 'not measured',
    });
  });
});

describe('idle connections', () => {
  const request = { head: 'GET / HTTP/1.1\r\nHost: x\r\nX-Request-ID: ', tail: '\r\n\r\n' };

  it('are used once and stay open; those that the server refuses are not counted', async () => {
    const server = createServer((_request, response) => response.end('ok'));
    server.maxConnections = 60;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const idleOnes = await openIdle(`http://127.0.0.1:${port}`, [request], 80);
    expect([idleOnes.opened, idleOnes.open()]).toEqual([60, 60]);
    expect(idleOnes.limit).toMatch(/^(closed|ECONNRESET|EPIPE)$/);
    const closed = new Promise((resolve) => server.close(resolve));
    idleOnes.close();
    expect(idleOnes.open()).toBe(0);
    await closed;
  });
});
